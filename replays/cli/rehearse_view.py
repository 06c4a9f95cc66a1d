"""A rehearsal in words: what is decided otherwise, and each slip with what it changed."""

from collections.abc import Iterator
from typing import Any

from ledger import codec
from replays.audit.overrides import Slip, Without
from replays.audit.regression import Difference, Rehearsed


def told(one: Rehearsed) -> Iterator[str]:
    """What came of a session, a line at a time."""
    title = f": {one.title} ({one.ruleset})" if one.title else ""
    if one.problem is not None:
        yield f"{one.session}{title}: not rehearsed: {one.problem}"
        return
    says = "as recorded" if not one.divergences else counted(len(one.divergences), "divergence")
    yield f"{one.session}{title}: {counted(one.entries, 'entry', 'entries')}, {says}"
    for each in one.divergences:
        yield from (f"  {line}" for line in _differs(each))
    for slip in one.slips:
        yield from (f"  {line}" for line in _slipped(slip))


def counted(count: int, one: str, many: str = "") -> str:
    """So many of something.

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
        yield f"{counted(without.waits, 'roll or choice', 'rolls or choices')} that nobody made"
