"""Describes a rehearsal: what today's rules decide differently, and each overrule with what it changed."""

from collections.abc import Iterator
from typing import Any

from ledger import codec
from replays.audit.overrides import Slip, Without
from replays.audit.regression import Difference, Rehearsed


def lines_of(session: Rehearsed) -> Iterator[str]:
    """Yields the result of rehearsing a session, line by line."""
    title = f": {session.title} ({session.ruleset})" if session.title else ""
    if session.problem is not None:
        yield f"{session.session}{title}: not rehearsed: {session.problem}"
        return
    result = "as recorded" if not session.divergences else counted(len(session.divergences), "divergence")
    yield f"{session.session}{title}: {counted(session.entries, 'entry', 'entries')}, {result}"
    for each in session.divergences:
        yield from (f"  {line}" for line in _differs(each))
    for slip in session.slips:
        yield from (f"  {line}" for line in _slipped(slip))


def counted(count: int, one: str, many: str = "") -> str:
    """Returns a number with its noun in the singular or plural.

    >>> counted(1, "entry", "entries"), counted(2, "slip")
    ('1 entry', '2 slips')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


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
    difference = {
        "overrule": f"the rule says {slip.rule_says}, the gamemaster {slip.gm_says}",
        "modifier": f"the rule has none, the gamemaster {slip.gm_says:+}" if isinstance(slip.gm_says, int) else "",
        "adjustment": f"by the rules {_none(slip.rule_says)}, set to {_none(slip.gm_says)}",
    }[slip.kind]
    yield f"entry {slip.entry}, {slip.kind} by {slip.by}: {slip.about} {slip.figure}: {difference}: {slip.why}"
    if slip.without is not None:
        yield f"  without it: {', '.join(_differently(slip.without)) or 'the same result'}"


def _none(figure: int | str | None) -> str:
    return "none" if figure is None else str(figure)


def _differently(without: Without) -> Iterator[str]:
    """Yields what the result would have been without the gamemaster's decision."""
    for flip in without.flips:
        yield f"{flip.about}: {flip.after or 'not made'} for {flip.before or 'nothing'}"
    for shift in without.shifts:
        yield f"{shift.who} {shift.what} {_none(shift.after)} for {_none(shift.before)}".strip()
    if without.waits:
        yield f"{counted(without.waits, 'roll or choice', 'rolls or choices')} that were never made"
