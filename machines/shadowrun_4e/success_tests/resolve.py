"""Resolves success, opposed and extended tests by their `Plan`."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ledger.events import ChoiceRequested, ModifierApplied, Option, RollRequested, TimePassed
from ledger.key import role
from ledger.modifier import Modifier
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling, frame
from machines.shadowrun_4e.sheet.sheet_access import Base
from machines.shadowrun_4e.success_tests.pools import (
    TARGET,
    against,
    asked,
    buys,
    hits,
    prepare,
    resolved,
    succeeded,
)
from machines.shadowrun_4e.tables.test_rows import Interval
from machines.shadowrun_4e.vocabulary import CRITICAL_GLITCH
from projections.combat import Combat

NTH = FigureName("nth roll", int)
HITS_FOR = FigureNames("hits for ", int, scope="combatant")
"""Hits of extended tests until now, by task."""
RESULT = FigureName("result", str)
TEST, OPPOSED, GO_ON = "test", "oppose", "go-on"
_EXTENDED = "SR4 64 Extended Tests"


class Plan(NamedTuple):
    """The parts of a test: base, modifiers, threshold or opponent, interval and effect."""

    start: Base
    source: str
    purpose: str
    modifiers: tuple[Modifier, ...] = ()
    threshold: int = 0
    """The hits it needs; 0 if hits are only counted."""
    why: str = ""
    """The explanation of the threshold."""
    against: str = ""
    """The opponent; empty for none."""
    their: Base | None = None
    their_modifiers: tuple[Modifier, ...] = ()
    interval: Interval | None = None
    """The interval of an extended test."""
    task: str = ""
    """The task of an extended test, under which its hits are recorded."""
    tells: Callable[[int], str] | None = None
    """Returns, from the hits, the information they reveal."""
    does: Callable[[Combat, int], Telling] | None = None
    """Applies the effect, from the state and the hits."""
    buys: bool = False
    ails: bool = True


def roll_key(combat: Combat) -> str:
    """Returns the key of the current roll."""
    now = frame(combat)
    return role(now.key, TEST, NTH.at(combat, now.key, 1))


def _their_key(combat: Combat) -> str:
    return role(frame(combat).key, OPPOSED)


def prepare_test(combat: Combat, plan: Plan) -> Deed:
    """Builds the pools and records the threshold.

    Source: SR4 61 Success Tests, 63 Opposed Tests, 64 Extended Tests
    """
    now, key = frame(combat), roll_key(combat)
    combat = yield from pool_of(combat, key, now.by, plan)
    if plan.buys:
        combat = yield buys(combat, key, now.by)
    if plan.threshold and plan.interval is None:
        combat = yield TARGET.found(key, plan.threshold, plan.why, plan.source, who=now.by)
    if plan.their is not None:
        other = _their_key(combat)
        theirs = (ModifierApplied(other, each.value, each.why, each.source) for each in plan.their_modifiers)
        yield from prepare(combat, other, plan.against, plan.their, plan.source, theirs)
    return None


def pool_of(combat: Combat, key: str, by: str, plan: Plan) -> Telling:
    """Builds the roller's pool.

    Source: SR4 61 Success Tests
    """
    modifiers = (ModifierApplied(key, each.value, each.why, each.source) for each in plan.modifiers if each.value)
    return (yield from prepare(combat, key, by, plan.start, plan.source, modifiers, ails=plan.ails))


def test_rolls(combat: Combat, plan: Plan) -> Iterator[RollRequested]:
    """Requests the dice of the roller and of the opponent.

    Source: SR4 61 Success Tests, 63 Opposed Tests
    """
    yield from asked(combat, roll_key(combat), frame(combat).by, plan.purpose)
    if plan.their is not None:
        yield from asked(combat, _their_key(combat), plan.against, f"oppose {plan.purpose}")


def read_test(combat: Combat, plan: Plan) -> Deed:
    """Reads the hits against the threshold or the opponent's hits.

    Source: SR4 61 Success Tests, 63 Opposed Tests
    """
    key = roll_key(combat)
    if plan.their is not None:
        combat = yield from resolved(combat, _their_key(combat))
        yield from _compared(combat)
        return None
    yield from resolved(combat, key)
    return None


def _compared(combat: Combat) -> Telling:
    """Reads the test against the opponent's hits, which it must exceed."""
    key, other = roll_key(combat), _their_key(combat)
    return (yield from against(combat, key, hits(combat, other), other, "the other's hits", "SR4 63 Opposed Tests"))


def conclude(combat: Combat, plan: Plan) -> Deed:
    """Decides the outcome and applies the effect.

    Source: SR4 61 Success Tests, 64 Extended Tests, 65 Critical Success
    """
    if plan.interval is not None:
        return (yield from _interval_over(combat, plan, plan.interval))
    key = roll_key(combat)
    if plan.their is not None and hits(combat, _their_key(combat)) != TARGET.at(combat, key):
        combat = yield from _compared(combat)  # Edge has changed the opponent's hits since
    won = succeeded(combat, key)
    if won or plan.tells:
        yield from _apply_result(combat, plan, hits(combat, key))
    return "passed" if won else "failed"


def _apply_result(combat: Combat, plan: Plan, count: int) -> Telling:
    now = frame(combat)
    if plan.tells is not None:
        combat = yield RESULT.found(now.key, plan.tells(count), f"{count} hits", plan.source, who=now.by)
    if plan.does is not None:
        combat = yield from plan.does(combat, count)
    return combat


def so_far(combat: Combat, who: str, task: str) -> int:
    """Returns the hits of an extended test so far.

    Source: SR4 64 Extended Tests
    """
    return HITS_FOR[task].of(combat, who)


def _interval_over(combat: Combat, plan: Plan, interval: Interval) -> Deed:
    """Ends an interval: adds the hits; a critical glitch fails the whole test.

    Source: SR4 64 Extended Tests; Ruling: SR4-N17
    """
    now, key = frame(combat), roll_key(combat)
    if not combat.clock.fighting:
        combat = yield TimePassed(interval.amount, interval.unit)
    total = so_far(combat, now.by, plan.task) + hits(combat, key)
    spoiled = combat.rolls[key].outcome == CRITICAL_GLITCH
    why = f"{hits(combat, key)} more, of {plan.threshold}"
    total_hits = HITS_FOR[plan.task]
    combat = yield total_hits.found(key, total, why, _EXTENDED, who=now.by)
    reached = total_hits.of(combat, now.by) >= plan.threshold
    if not spoiled and not reached:
        return "fighting" if combat.clock.fighting else "goes_on"
    combat = yield total_hits.found(f"{key}/over", 0, "", _EXTENDED, who=now.by)
    if spoiled:
        return "failed"
    yield from _apply_result(combat, plan, total)
    return "passed"


def offer_more(combat: Combat) -> ChoiceRequested:
    """Asks whether to go on with another interval."""
    now = frame(combat)
    key = role(now.key, GO_ON, NTH.at(combat, now.key, 1))
    options = (Option("again", "another interval"), Option("stop", "enough for now"))
    return ChoiceRequested(key, now.by, options, "again", "go on")


def once_more(combat: Combat) -> Deed:
    """Moves on to the next roll of an extended test."""
    now = frame(combat)
    yield NTH.found(now.key, NTH.at(combat, now.key, 1) + 1, "", _EXTENDED)
    return None
