"""The verbs `serve`, `token` and `migrate`, for the operator of a server or database."""

import re
import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from ledger.errors import Refused
from ledger.stores import migrate as migrate_store
from replays.cli import screen
from replays.cli.context import KEYS, CliContext, Json, SigningKeys

Origins = Annotated[
    list[str] | None,
    typer.Option("--allow-origin", metavar="URL", help="A web site whose pages may call the server."),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option("--trust-proxy", metavar="ADDRESS", help="A proxy whose X-Forwarded-For is trusted; else 127.0.0.1."),
]
Studies = Annotated[
    int, typer.Option(min=1, max=64, help="Worker processes for long questions; one more answers brief ones.")
]
StudyTime = Annotated[
    float, typer.Option(min=0.1, help="Seconds after which the answer to a long question is given up.")
]
Hooks = Annotated[
    str, typer.Option(metavar="FILE", help="The file of webhooks, if not beside the ledger; `off` for no webhooks.")
]
HookPrivate = Annotated[
    list[str] | None,
    typer.Option(metavar="NETWORK", help="A network that webhooks may be sent to although it is not public."),
]
Cores = Annotated[
    bool | None,
    typer.Option(
        "--one-core/--any-core",
        help="Keep the threads of a process on the core that others use least (Linux); the default with one worker.",
    ),
]

Expires = Annotated[
    str | None, typer.Option(metavar="TIME", help="When it expires: 45m, 12h, 30d from now; by default never.")
]

_ORIGIN = re.compile(r"https?://[^/?#@\s]+|\*")


class BadOrigin(Refused):
    """The text is not the origin of a web site."""

    slug = "server/origin"


class BadLifetime(Refused):
    """The text is not a time after which a token expires."""

    slug = "token/lifetime"


class NotInstalled(Refused):
    """A package that the server needs is not installed."""

    slug = "server/not-installed"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(serve)
    app.command()(token)
    app.command()(migrate)


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 for any free port.")] = 8040,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes; they share the ledger.")] = 1,
    keys: SigningKeys = KEYS,
    origin: Origins = None,
    proxy: Proxies = None,
    body: Annotated[int, typer.Option(min=1_000, help="Maximum bytes of a request; also of imports.")] = 1_000_000,
    rate: Annotated[float, typer.Option(min=0, help="Requests a second of one caller; 0 for no limit.")] = 100.0,
    connections: Annotated[int, typer.Option(min=1, help="Maximum open connections of each process.")] = 2_000,
    feeds: Annotated[int, typer.Option(min=1, help="Maximum live feeds of one token in each process.")] = 100,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds after which a request is given up.")] = 30.0,
    memory: Annotated[int, typer.Option(min=0, help="Number of entries that each process holds in memory.")] = 40_000,
    studies: Studies = 2,
    study_time: StudyTime = 20.0,
    hooks: Hooks = "",
    hook_private: HookPrivate = None,
    one_core: Cores = None,
) -> None:
    """Serve sessions over HTTP, with a live feed. Ctrl+C finishes running requests first."""
    cli: CliContext = context.obj
    try:
        from replays.server.callers.keys import signing_keys
        from replays.server.runtime.serving import serve as serving
        from replays.server.runtime.settings import Settings
    except ImportError as error:
        raise missing(error) from error
    _check_origins(origin or ())
    settings = Settings(
        ledger=cli.ledger, keys=signing_keys(keys, create=True), origins=tuple(origin or ()), body=body, rate=rate,
        proxies=tuple(proxy or ("127.0.0.1",)), connections=connections, feeds=feeds, seconds=timeout, entries=memory,
        studies=studies, study_time=study_time, heads=cli.heads,
        hooks=hooks, hook_private=tuple(hook_private or ()), one_core=(workers == 1) if one_core is None else one_core,
    )  # fmt: skip
    serving(settings, host, port, workers, ready=lambda url: print(f"Affray listens at {url}", flush=True))


def token(keys: SigningKeys = KEYS, expires: Expires = None, json: Json = False) -> None:
    """Print the host's token, for creating, listing and deleting sessions. It ends with its key, or when it expires."""
    lifetime = _lifetime(expires)
    try:
        from replays.server.callers.keys import has_none, signing_keys
        from replays.server.callers.tokens import Signer
    except ImportError as error:
        raise missing(error) from error
    is_new = has_none(keys)
    made = Signer(signing_keys(keys, create=True)).host(lifetime)
    if is_new:
        print(f"created a new key in {keys}: only a server with the same file accepts this token", file=sys.stderr)
    if json:
        screen.document({"token": made})
    else:
        print(made)


_LIFETIME = re.compile(r"([1-9][0-9]{0,4})([mhd])")
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}


def _lifetime(text: str | None) -> int | None:
    """Returns the seconds of a time such as ``30d``; None for None.

    Raises:
        BadLifetime: The text is not such a time.
    """
    if text is None:
        return None
    found = _LIFETIME.fullmatch(text)
    if found is None:
        raise BadLifetime(f"{text!r} is no time", where="--expires", accepts="minutes, hours or days: 45m, 12h, 30d")
    return int(found[1]) * _SECONDS[found[2]]


def _check_origins(origins: Iterable[str]) -> None:
    """Rejects what is not the origin of a web site."""
    for site in origins:
        if not _ORIGIN.fullmatch(site):
            problem = f"{site!r} is not a web site"
            raise BadOrigin(problem, where="--allow-origin", accepts="such as https://table.example")


def missing(error: ImportError, verb: str = "serve") -> NotInstalled:
    """Returns the refusal of a verb that needs the server.

    Args:
        error: What was missing.
        verb: The verb.
    """
    return NotInstalled(
        f"the package {error.name} is not installed", where=verb, accepts="pip install 'affray[server]'"
    )


def migrate(context: typer.Context, json: Json = False) -> None:
    """Create or update the tables of a database. A ledger in a file needs no migration."""
    cli: CliContext = context.obj
    applied = migrate_store(cli.ledger)
    if json:
        screen.document({"applied": applied})
        return
    console = screen.console(json=json)
    for name in applied:
        screen.print_line(console, f"applied: {name}")
    if not applied:
        screen.print_line(console, "nothing to do")
