"""Moxie: one point for each roll, before or after it."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ChoiceRequested, Event, Option, ReadingChanged, ResourceSpent
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import ActionUsedUp, CannotAct
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, emit, frame
from machines.eclipse_phase.family.d100 import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    SUCCESS,
    could_succeed,
    flipped,
    outcome,
    succeeds,
)
from machines.eclipse_phase.family.edition import TARGET
from machines.eclipse_phase.family.points import labels, offer_point, spend_points
from machines.eclipse_phase.family.success import ASIDE, open_test, target
from machines.eclipse_phase.first.actions.terms import MoxieTerms
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.success_tests.success import degree, judged, resolve
from machines.secrecy.roll_questions import is_known
from projections.combat import Combat
from projections.rolls import Roll

MOXIE = "moxie"
SPENT = FigureName("moxie spent", int)
"""Figure of a roll on which a point was spent."""
_MOXIE = "EP1 122 Moxie"


def left(combat: Combat, who: str) -> int:
    """Returns a combatant's remaining points.

    Source: EP1 122 Moxie
    """
    return combat.resources.resource(who, MOXIE).left


# ------------------------------------------------------------------------------------------------ after the roll


def can_spend(combat: Combat) -> bool:
    """Returns whether a combatant could spend Moxie on a test of this exchange after its roll."""
    return bool(_next(combat))


def _next(combat: Combat) -> str:
    """Returns the key of the first roll whose Moxie choice is open; empty if there is none."""
    now = frame(combat)
    for key, roll in combat.rolls.rolls.items():
        open_to = roll.outcome and key.startswith(now.key + "/") and left(combat, roll.by) > 0
        if open_to and not _is_settled(combat, key) and _ways(combat, key, roll):
            return key
    return ""


def _is_settled(combat: Combat, key: str) -> bool:
    return SPENT.is_at(combat, key) or role(key, MOXIE) in combat.exchange.chosen


def ways_left(combat: Combat, key: str) -> tuple[str, ...]:
    """Returns the ways in which the roller could still spend a point on a roll.

    Source: EP1 122 Moxie
    """
    roll = combat.rolls[key]
    is_open = roll.outcome and left(combat, roll.by) > 0 and not _is_settled(combat, key)
    return _ways(combat, key, roll) if is_open else ()


def _ways(combat: Combat, key: str, roll: Roll) -> tuple[str, ...]:
    """Returns the ways to use a point on this roll; a swap of digits that cannot help is omitted."""
    flip = ("flip",) if _is_worth_flipping(combat, key, roll) else ()
    if roll.outcome == SUCCESS:
        return (*flip, "critical")
    return (*flip, "soften") if roll.outcome == CRITICAL_FAILURE else flip


def _is_worth_flipping(combat: Combat, key: str, roll: Roll) -> bool:
    turned = flipped(roll.rolled)
    if turned == roll.rolled:
        return False
    less_bad = key.endswith(MARGIN_COUNTS) and not succeeds(roll.outcome) and turned < roll.rolled
    if is_known(combat, key):
        return succeeds(outcome(turned, roll.target)) or less_bad
    return could_succeed(turned, roll.rolled, roll.outcome) or less_bad


MARGIN_COUNTS = ("/shock",)
"""Key suffixes of tests whose margin of failure matters: how long a shock lasts."""


def offer_moxie(combat: Combat) -> ChoiceRequested:
    """Asks whether to swap the digits, make a success critical, make a critical failure plain, or pass."""
    key = _next(combat)
    words = labels(combat.rolls[key], {"critical": "make it a critical success"})
    ways = (Option(way, words[way]) for way in _ways(combat, key, combat.rolls[key]))
    return offer_point(combat, key, MOXIE, "a point of Moxie", ways)


def spend(combat: Combat) -> Deed:
    """Spends the point and reads the roll again."""
    return (yield from spend_points(combat, MOXIE, SPENT, _use))


def _use(combat: Combat, key: str, option: str) -> Telling:
    combat = yield ResourceSpent(combat.rolls[key].by, MOXIE, 1, key, option)
    combat = yield SPENT.found(key, 1, "", _MOXIE)
    combat = yield from emit(combat, USES[option](combat, key))
    if combat.rolls[key].faces[0] != combat.rolls[key].rolled:
        combat = yield resolve(combat, key)
        combat = yield from emit(combat, degree(combat, key, anew=True))
    return combat


def _flip(combat: Combat, key: str) -> Iterator[Event]:
    before = combat.rolls[key].faces
    after = (flipped(before[0]),)
    yield ReadingChanged(key, before, after, "Moxie: digits flipped", _MOXIE)


def _raise(combat: Combat, key: str) -> Iterator[Event]:
    yield judged(combat, key, combat.rolls[key].rolled, CRITICAL_SUCCESS)


def _soften(combat: Combat, key: str) -> Iterator[Event]:
    yield judged(combat, key, combat.rolls[key].rolled, FAILURE)


USES: Mapping[str, Callable[[Combat, str], Iterator[Event]]] = {"flip": _flip, "critical": _raise, "soften": _soften}
"""Uses of a point after the roll."""


# ------------------------------------------------------------------------------------------------ before the roll


def check_moxie(combat: Combat, by: str, terms: MoxieTerms) -> None:
    """Rejects Moxie without points, or for a roll that is not the combatant's open test."""
    if left(combat, by) < 1:
        raise CannotAct(f"{by} has no Moxie left", where="by", accepts="at least 1 point")
    key = open_test(combat, by, terms.roll, TARGET)
    if SPENT.is_at(combat, key):
        raise ActionUsedUp(f"{by} has spent Moxie on {key} already", where="roll", accepts="one point a roll")


def ignore_modifiers(combat: Combat) -> Deed:
    """Sets modifiers aside before the roll: all, or the negative ones."""
    now = frame(combat)
    key = open_test(combat, now.by, typed(now.terms, MoxieTerms).roll, TARGET)
    combat = yield ResourceSpent(now.by, MOXIE, 1, key, "ignore modifiers")
    combat = yield SPENT.found(key, 1, "", HERE)
    which = profile(combat).moxie_ignores
    combat = yield ASIDE.found(key, which, "Moxie", HERE)
    yield target(combat, key, now.by)
    return None
