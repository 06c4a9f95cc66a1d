"""Verbs for whoever runs a server: serve, token."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import KEYS, Door, Json

Keys = Annotated[
    Path, typer.Option("--keys", help="The file of the keys that tokens are signed with; or AFFRAY_KEYS has them.")
]

_ORIGIN = re.compile(r"https?://[^/?#@\s]+|\*")


class BadOrigin(Refused):
    """Not a web site as browsers name it."""

    slug = "server/origin"


class NotInstalled(Refused):
    """What the server needs is not installed."""

    slug = "server/not-installed"


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(serve)
    app.command()(token)


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8040,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; they share the ledger.")] = 1,
    keys: Keys = KEYS,
    origin: Annotated[
        list[str] | None, typer.Option("--allow-origin", metavar="URL", help="A web site whose pages may call.")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option("--trust-proxy", metavar="ADDRESS", help="Whose X-Forwarded-For is believed; else 127.0.0.1."),
    ] = None,
    body: Annotated[int, typer.Option(min=1_000, help="Bytes that a request may have; of imports, too.")] = 1_000_000,
    rate: Annotated[float, typer.Option(min=0, help="Requests a second of one caller; 0 for any number.")] = 100.0,
    connections: Annotated[int, typer.Option(min=1, help="At the same time, in each process.")] = 2_000,
    feeds: Annotated[int, typer.Option(min=1, help="Live feeds of one token at the same time, in each process.")] = 100,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds until a request is given up.")] = 30.0,
    memory: Annotated[int, typer.Option(min=0, help="Entries that each process holds in memory.")] = 40_000,
    studies: Annotated[
        int, typer.Option(min=1, max=64, help="Workers of each process for long questions; one more for brief ones.")
    ] = 2,
    study_time: Annotated[
        float, typer.Option(min=0.1, help="Seconds until a question that is being answered is given up.")
    ] = 20.0,
) -> None:
    """Serve sessions over HTTP, with a live feed; on Ctrl+C what was begun is finished first."""
    door: Door = context.obj
    try:
        from replays.server.callers.keys import signing_keys
        from replays.server.runtime.serving import serve as serving
        from replays.server.runtime.settings import Settings
    except ImportError as error:
        raise _missing(error) from error
    for site in origin or ():
        if not _ORIGIN.fullmatch(site):
            raise BadOrigin(f"{site!r} is no web site", where="--allow-origin", accepts="such as https://table.example")
    settings = Settings(
        ledger=door.ledger, keys=signing_keys(keys, create=True), origins=tuple(origin or ()), body=body, rate=rate,
        proxies=tuple(proxy or ("127.0.0.1",)), connections=connections, feeds=feeds, seconds=timeout, entries=memory,
        studies=studies, study_time=study_time, heads=door.heads,
    )  # fmt: skip
    serving(settings, host, port, workers, ready=lambda url: print(f"Affray listens at {url}", flush=True))


def token(keys: Keys = KEYS, json: Json = False) -> None:
    """Print the host's token, for founding and listing sessions; it is good as long as its key is."""
    try:
        from replays.server.callers.keys import has_none, signing_keys
        from replays.server.callers.tokens import Signer
    except ImportError as error:
        raise _missing(error) from error
    is_new = has_none(keys)
    made = Signer(signing_keys(keys, create=True)).host()
    if is_new:
        print(f"made a new key in {keys}: only a server with the same file believes this token", file=sys.stderr)
    if json:
        screen.document({"token": made})
    else:
        print(made)


def _missing(error: ImportError) -> NotInstalled:
    return NotInstalled(f"{error.name} is not installed", where="serve", accepts="pip install 'affray[server]'")
