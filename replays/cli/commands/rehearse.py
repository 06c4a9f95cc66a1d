"""The verb `rehearse`: decides recorded fights anew by today's rules and shows the differences."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from ledger.entry import Seat
from ledger.errors import Refused
from ledger.stores import Store
from machines.contract.refusals import NotAllowed
from replays.audit.regression import Rehearsed, rehearsed
from replays.cli import screen
from replays.cli.context import AnswerIsNo, CliContext, Jobs, Json
from replays.cli.every_session import LedgerPlace, on_every_session
from replays.cli.views.rehearse_view import counted, lines_of
from replays.sessions.find_session import find_session


class Diverged(Refused):
    """Today's rules decide some entries differently than recorded."""

    slug = "rehearse/diverged"


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(rehearse)


def rehearse(
    context: typer.Context,
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SESSION]...", help="Ids or beginnings of ids; by default the latest."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session of the ledger.")] = False,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Decide a whole record anew by today's rules. Shows the differences, and where the gamemaster overruled a rule."""
    cli: CliContext = context.obj
    if everything and sessions:
        raise typer.BadParameter("name sessions or use --all, not both")
    if cli.who.seat is not Seat.GM:
        raise NotAllowed("a rehearsal shows everything", where="by", accepts="the gm's seat")
    store = cli.store()
    names = list(store.sessions() if everything else _named(store, sessions or ()))
    ledger = LedgerPlace(cli.ledger, cli.heads)
    results = on_every_session(store, ledger, names, rehearsed, doing="rehearsing", jobs=jobs)
    found = [
        Rehearsed(session=name, problem=result) if isinstance(result, Refused) else result
        for name, result in results.items()
    ]
    console = screen.console(json=json)
    for line in (line for one in found for line in lines_of(one)):
        screen.print_line(console, line)
    screen.print_line(console, _summary(found))
    if json:
        screen.document(_document(found))
    _conclude(found)


def _named(store: Store, sessions: Sequence[str]) -> Sequence[str]:
    """Returns the ids of the named sessions, each once; the latest session if none is named."""
    found = [find_session(store, name) for name in sessions] or [find_session(store, None)]
    return list(dict.fromkeys(found))


def _conclude(found: list[Rehearsed]) -> None:
    """Ends the verb: exit code 1 if something differs, 2 if no session could be rehearsed."""
    differing = [one for one in found if one.divergences]
    if differing:
        first = differing[0]
        where = f"session {first.session}, entry {first.divergences[0].entry}"
        raise AnswerIsNo(Diverged(f"{_summary(found)}; first in {where}", where=where))
    problems = [one.problem for one in found if one.problem is not None]
    if problems and len(problems) == len(found):
        raise problems[0]


def _summary(found: list[Rehearsed]) -> str:
    fit = [one for one in found if one.problem is None]
    entries, events = sum(one.entries for one in fit), sum(one.events for one in fit)
    parts = [
        f"{counted(len(fit), 'session')} rehearsed",
        f"{counted(entries, 'entry', 'entries')}, {counted(events, 'event')}",
        counted(sum(len(one.divergences) for one in fit), "divergence"),
        counted(sum(len(one.slips) for one in fit), "slip"),
    ]
    if len(fit) < len(found):
        parts.append(f"{len(found) - len(fit)} could not be rehearsed")
    return ", ".join(parts)


def _document(found: list[Rehearsed]) -> dict[str, Any]:
    fit = [one for one in found if one.problem is None]
    return {
        "sessions": [_of_session(one) for one in found],
        "rehearsed": len(fit),
        "not_rehearsed": len(found) - len(fit),
        "entries": sum(one.entries for one in fit),
        "events": sum(one.events for one in fit),
        "divergences": sum(len(one.divergences) for one in fit),
        "slips": sum(len(one.slips) for one in fit),
    }


def _of_session(one: Rehearsed) -> dict[str, Any]:
    problem = one.problem
    refused = None if problem is None else screen.refusal(problem)
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(one) | {"problem": None})
    return plain | {"problem": refused}
