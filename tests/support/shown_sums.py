"""Compares the sums of rolls in audits and reports with their parts."""

from collections.abc import Iterator

from arithmetic import MissingNumber, NotArithmetic, is_figure, possible_results

from replays.api.session import Session
from replays.audit.event_index import facts
from replays.audit.rolls import sums as audited
from replays.exports.report.sums import sums as reported
from replays.sessions.wording import wording

OVERRULED = "as the gamemaster says"
"""The reason of an overruled target whose parts are hidden, so that they cannot be added."""


def is_explained(number: int, why: str) -> bool:
    """Returns whether the parts of a reason add up to a number; an overruled figure equals the gamemaster's value."""
    if why == OVERRULED:
        return True
    try:
        return is_figure(number, possible_results(why))
    except (NotArithmetic, MissingNumber):
        return False


def sums(session: Session) -> Iterator[tuple[str, int, int, str]]:
    """Yields key, number, sum of the parts and reason of each roll in an audit and a report."""
    for one in audited(facts(session.log)):
        number = one.pool if one.pool is not None else one.target
        if isinstance(one.base, int) and isinstance(number, int) and one.sum_why and not one.overruled:
            yield f"audit: {one.key}", number, one.base + sum(each.value for each in one.modifiers), one.sum_why
    line = session.log.entries_of(session.log.timeline.line())
    for key, summed in reported(line, wording(session.combat.session)).items():
        parts, has_base = 0, False
        for part in summed.parts:
            if part.kind == "base" and part.value.lstrip("-").isdigit():
                parts, has_base = parts + int(part.value), True
            elif part.kind == "modifier":
                parts += int(part.value or 0)
            elif part.kind == "target" and has_base:
                yield f"report: {key}", int(part.value), parts, part.why.removeprefix("(").removesuffix(")")


def unexplained(session: Session) -> list[str]:
    """Returns the rolls whose base and modifiers do not add up to the target, without a stated reason."""
    return [
        f"{key} {number} ({why})"
        for key, number, parts, why in sums(session)
        if number != parts and not is_explained(number, why)
    ]
