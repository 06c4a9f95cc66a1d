"""Recalculates a test of which the gamemaster overruled the hits, the net hits or the outcome."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import Event, TestResolved
from machines.contract.refusals import ImpossibleFigure
from machines.shadowrun_4e.success_tests.pools import (
    CRITICAL,
    GLITCH,
    OPPOSED,
    OVERRULED_BY,
    hits_of,
    outcome,
)
from machines.shadowrun_4e.vocabulary import CRITICAL_GLITCH, CRITICAL_SUCCESS, FAILURE, SUCCESS
from projections.combat import Combat

_TESTS, _GLITCHES = "SR4 61 Success Tests", "SR4 62 Glitches"


def reread(combat: Combat, test: TestResolved, field: str) -> Iterator[Event]:
    """Yields the test read again with the hits that the overruled figure implies.

    Args:
        combat: The state, with the overruled figure.
        test: The test as it was read.
        field: The overruled field: ``rolled`` (the hits), ``margin`` (the net hits) or ``outcome``.

    Raises:
        ImpossibleFigure: The hits would be negative.

    Source: SR4 61 Success Tests; Ruling: SR4-N36
    """
    key, roll, exceeds = test.key, combat.rolls[test.key], OPPOSED.is_at(combat, test.key)
    hits = _hits(combat, test, field, exceeds)
    glitch = _glitch(GLITCH.at(combat, key, "none"), hits, roll.outcome if field == "outcome" else "")
    shift = OVERRULED_BY.at(combat, key) + hits - hits_of(combat, key)
    if shift != OVERRULED_BY.at(combat, key):
        yield OVERRULED_BY.found(key, shift, "", _TESTS)
    if glitch != GLITCH.at(combat, key, "none"):
        yield GLITCH.found(key, glitch, f"with {hits} hits, as overruled", _GLITCHES)
    word = roll.outcome if field == "outcome" else outcome(hits, test.target, glitch, exceeds=exceeds)
    if (roll.rolled, roll.margin, roll.outcome) != (hits, hits - test.target, word):
        yield TestResolved(key, test.base, test.target, hits, hits - test.target, word, test.source)


def _hits(combat: Combat, test: TestResolved, field: str, exceeds: bool) -> int:
    roll = combat.rolls[test.key]
    if field == "rolled":
        return roll.rolled
    if field == "outcome":
        return HITS[roll.outcome](roll.rolled, test.target, exceeds)
    if test.target + roll.margin < 0:
        problem, accepts = f"{roll.margin} net hits are fewer than no hits", f"{-test.target} or more"
        raise ImpossibleFigure(problem, where="value", accepts=accepts)
    return test.target + roll.margin


def _needed(goal: int, exceeds: bool) -> int:
    return max(1, goal + exceeds)


def _success(hits: int, goal: int, exceeds: bool) -> int:
    least = max(hits, _needed(goal, exceeds))
    return min(least, goal + CRITICAL - 1) if goal or exceeds else least


HITS: Mapping[str, Callable[[int, int, bool], int]] = {
    CRITICAL_SUCCESS: lambda hits, goal, _: max(hits, goal + CRITICAL),
    SUCCESS: _success,
    FAILURE: lambda hits, goal, exceeds: min(hits, _needed(goal, exceeds) - 1),
    CRITICAL_GLITCH: lambda *_: 0,
}
"""By outcome: from (hits, threshold, whether it must be exceeded) the nearest number of hits with that outcome."""


def _glitch(before: str, hits: int, ends: str) -> str:
    """Returns the glitch that fits the new hits: critical without hits."""
    if ends == CRITICAL_GLITCH:
        return CRITICAL_GLITCH
    if before == "none":
        return before
    return GLITCH.name if hits or ends else CRITICAL_GLITCH
