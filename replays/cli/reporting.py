"""Verbs about a whole record: a page to print, and rehearsal."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ledger import codec
from ledger.entry import Seat
from ledger.errors import Refused
from ledger.stores import Store
from machines.refusals import NotAllowed
from replays.cli import screen
from replays.cli.door import Door, Json, No, SessionArgument
from replays.cli.handing_out import For, Output, eyes_for, write
from replays.finding import find_session
from replays.rehearsal import Difference, Rehearsed, Watch, rehearsed
from replays.report import report as page
from replays.slips import Slip, Without


class Diverged(Refused):
    """Today's rules decide some of it otherwise."""

    slug = "rehearse/diverged"


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(report)
    app.command()(rehearse)


def report(
    context: typer.Context,
    session: SessionArgument = None,
    for_: For = "gm",
    output: Output = None,
) -> None:
    """Write a fight as a page to print: one file of HTML, without script."""
    door: Door = context.obj
    opened = door.session(session)
    eyes, seat = eyes_for(door, opened, for_)
    text = page(opened.log, eyes, seat).encode()
    if output is None:
        screen.line(text.removesuffix(b"\n"))
        return
    write(output, [text])
    print(f"{opened.log.last} entries of {opened.id} in {output}", file=sys.stderr)


# ------------------------------------------------------------------------------------------------ rehearsal


def rehearse(
    context: typer.Context,
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Ids or beginnings; left out, the latest.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session of the ledger.")] = False,
    json: Json = False,
) -> None:
    """Decide a whole record again by today's rules; say what differs, and where the gamemaster's word went before."""
    door: Door = context.obj
    if everything and sessions:
        raise typer.BadParameter("name sessions, or say --all")
    if door.who.seat is not Seat.GM:
        raise NotAllowed("a rehearsal shows everything", where="by", accepts="the gm's seat")
    store = door.store()
    names = list(store.sessions() if everything else _named(store, sessions or ()))
    with _bar(store, names) as watch:
        found = [rehearsed(store, name, watch) for name in names]
    console = screen.people(json=json)
    for one in found:
        _tell(console, one)
    screen.say(console, _summary(found))
    if json:
        screen.document(_document(found))
    _conclude(found)


def _named(store: Store, sessions: Sequence[str]) -> Sequence[str]:
    """The sessions that are meant, each once; where none is named, the latest."""
    found = [find_session(store, name) for name in sessions] or [find_session(store, None)]
    return list(dict.fromkeys(found))


@contextmanager
def _bar(store: Store, names: list[str]) -> Iterator[Watch]:
    """How far it is, on a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("rehearsing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=sum(_entries(store, name) for name in names))
        yield lambda entries: progress.advance(task, entries)


def _entries(store: Store, session: str) -> int:
    try:
        return store.head(session).seq
    except Refused:
        return 0


def _conclude(found: list[Rehearsed]) -> None:
    """The exit: 1 where something differs; 2 where nothing could be rehearsed at all."""
    differing = [one for one in found if one.divergences]
    if differing:
        first = differing[0]
        where = f"session {first.session}, entry {first.divergences[0].entry}"
        raise No(Diverged(f"{_summary(found)}; first in {where}", where=where))
    problems = [one.problem for one in found if one.problem is not None]
    if problems and len(problems) == len(found):
        raise problems[0]


def _summary(found: list[Rehearsed]) -> str:
    fit = [one for one in found if one.problem is None]
    entries, events = sum(one.entries for one in fit), sum(one.events for one in fit)
    parts = [
        f"{_counted(len(fit), 'session')} rehearsed",
        f"{_counted(entries, 'entry', 'entries')}, {_counted(events, 'event')}",
        _counted(sum(len(one.divergences) for one in fit), "divergence"),
        _counted(sum(len(one.slips) for one in fit), "slip"),
    ]
    if len(fit) < len(found):
        parts.append(f"{len(found) - len(fit)} could not be rehearsed")
    return ", ".join(parts)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


# ------------------------------------------------------------------------------------------------ telling


def _tell(console: Console, one: Rehearsed) -> None:
    title = f": {one.title} ({one.ruleset})" if one.title else ""
    if one.problem is not None:
        screen.say(console, f"{one.session}{title}: not rehearsed: {one.problem}")
        return
    says = "as recorded" if not one.divergences else _counted(len(one.divergences), "divergence")
    screen.say(console, f"{one.session}{title}: {_counted(one.entries, 'entry', 'entries')}, {says}")
    for each in one.divergences:
        for line in _differs(each):
            screen.say(console, f"  {line}")
    for slip in one.slips:
        for line in _slipped(slip):
            screen.say(console, f"  {line}")


def _differs(each: Difference) -> Iterator[str]:
    if each.refused:
        yield f"entry {each.entry}: today's rules refuse it: {each.refused}"
        return
    recorded, decided = each.recorded or "nothing", each.decided or "nothing"
    names = recorded if recorded == decided else f"recorded {recorded}, decided {decided}"
    yield f"entry {each.entry}, event {each.place}: {names}"
    for field in each.fields:
        yield f"  {field.field}: recorded {_plain(field.recorded)}, decided {_plain(field.decided)}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and value else codec.canonical(value).decode()


def _slipped(slip: Slip) -> Iterator[str]:
    says = {
        "overrule": f"the rule says {slip.rule_says}, the gamemaster {slip.gm_says}",
        "modifier": f"the rule has none, the gamemaster {slip.gm_says:+}" if isinstance(slip.gm_says, int) else "",
        "adjustment": f"by the rules {_none(slip.rule_says)}, set to {_none(slip.gm_says)}",
    }[slip.kind]
    yield f"entry {slip.entry}, {slip.kind} by {slip.by}: {slip.about} {slip.figure}: {says}: {slip.why}"
    if slip.without is not None:
        yield f"  without it: {', '.join(_differently(slip.without)) or 'the same in the end'}"


def _none(figure: int | str | None) -> str:
    return "none" if figure is None else str(figure)


def _differently(without: Without) -> Iterator[str]:
    for flip in without.flips:
        yield f"{flip.about}: {flip.after or 'not made'} for {flip.before or 'nothing'}"
    for shift in without.shifts:
        yield f"{shift.who} {shift.what} {_none(shift.after)} for {_none(shift.before)}".strip()
    if without.waits:
        yield f"{_counted(without.waits, 'roll or choice', 'rolls or choices')} that nobody made"


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
    told = None if problem is None else {"slug": problem.slug, "message": problem.message, "where": problem.where}
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(one) | {"problem": None})
    return plain | {"problem": told}
