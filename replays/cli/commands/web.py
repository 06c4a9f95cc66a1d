"""The verb `web`: serves the page on this machine, and opens it in a browser."""

import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from replays.cli.commands.serve import missing
from replays.cli.context import KEYS, CliContext, SessionArgument, SigningKeys
from replays.exports.listing import players

if TYPE_CHECKING:
    from replays.server.callers.tokens import Tokens

_EVENING = 86_400
"""Seconds for which the links are valid."""


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(web)


def web(
    context: typer.Context,
    session: SessionArgument = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let other devices of the network in; print links.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 for any free port.")] = 8040,
    keys: SigningKeys = KEYS,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Serve the page on this machine, and open it. The links are valid for a day; Ctrl+C ends it."""
    cli: CliContext = context.obj
    try:
        from replays.server.callers.keys import signing_keys
        from replays.server.callers.tokens import Signer, Tokens
        from replays.server.runtime.reachable import own_address
        from replays.server.runtime.serving import serve as serving
        from replays.server.runtime.settings import Settings
    except ImportError as error:
        raise missing(error, "web") from error
    settings = Settings(ledger=cli.ledger, keys=signing_keys(keys, create=True), heads=cli.heads, is_quiet=True)
    store = settings.open()
    tokens = Tokens(Signer(settings.keys), store)
    host = f"#token={quote(tokens.signer.host(_EVENING))}"
    seats = list(_seats(cli, tokens, session)) if lan or session else []
    store.close()
    with tempfile.TemporaryDirectory(prefix="affray-") as folder:

        def ready(url: str) -> None:
            bound = url.rpartition(":")[2]
            here = f"http://127.0.0.1:{bound}/"
            print(f"Affray is at {here}{host}\n  this link may do everything: give it to nobody", flush=True)
            outside = f"http://{own_address()}:{bound}/" if lan else here
            for name, link in seats:
                print(f"  {name}: {outside}{link}", flush=True)
            if browser:  # some browsers run in the terminal until they are left
                opening = (Path(folder) / "affray.html", here + host)
                threading.Thread(target=_open, args=opening, daemon=True).start()

        serving(settings, "0.0.0.0" if lan else "127.0.0.1", port, ready=ready)  # noqa: S104  asked for by --lan


def _seats(cli: CliContext, tokens: "Tokens", session: str | None) -> Iterator[tuple[str, str]]:
    """Yields a link for each player of a session and one for spectators, with their names; by default of the latest."""
    from replays.server.callers.tokens import Scope

    if session is None and not cli.store().sessions():
        return
    opened = cli.session(session)
    for seat, name in (*((Scope.PLAYER, name) for name in players(opened.combat)), (Scope.SPECTATOR, "spectator")):
        issued = tokens.issue(opened.id, seat, name, lifetime=_EVENING)
        yield name, f"#token={quote(issued.token)}&session={opened.id}"


def _open(file: Path, address: str) -> None:
    """Opens an address in a browser, by a file for this user alone: all users can read the words of a command."""
    file.touch(mode=0o600)
    file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(address)}">', "utf-8")
    is_opened = False
    said = os.dup(2)  # a browser's own messages do not belong between the links
    with open(os.devnull, "w", encoding="utf-8") as nowhere, suppress(webbrowser.Error):
        os.dup2(nowhere.fileno(), 2)
        is_opened = webbrowser.open(file.as_uri())
    os.dup2(said, 2)
    os.close(said)
    if not is_opened:
        print("no browser could be opened here: open the link yourself", file=sys.stderr)
