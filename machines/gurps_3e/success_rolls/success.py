"""Success rolls: 3d at or under a number, criticals, and the explanation of the number."""

from collections.abc import Iterable, Iterator, Mapping

from ledger.events import Event, FigureFound, ModifierApplied, RollRequested, TestResolved
from ledger.modifier import total
from machines.contract.dice_reading import pure
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.tables.tables import SUCCESS_ROLLS
from machines.gurps_3e.vocabulary import CRITICAL_FAILURE, CRITICAL_SUCCESS, FAILURE, SUCCESS, VOCABULARY
from projections.combat import Combat

DICE = "3d6"
LEAST = 3
"""The lowest skill that can be rolled against (B 86)."""
FAR_OFF = 10
"""A roll that fails by so much fails critically (B 110)."""
TARGET = FigureName("target", int)
BASE = FigureName("base", int)
MOST = FigureName("most", int)
PLAIN = FigureName("no criticals", str)
_ROLLS = "B 86 Success Rolls"


@pure
def outcome(rolled: int, skill: int) -> str:
    """Returns the outcome of a roll: 3 and 4 always succeed, 17 and 18 never do.

    Args:
        rolled: The sum of three dice.
        skill: The effective skill; any number.

    Source: B 86 Success Rolls, 109 Critical Successes, 110 Critical Failures

    >>> outcome(5, 15), outcome(17, 16), outcome(15, 5)
    ('critical success', 'failure', 'critical failure')
    """
    lines = (row for row in SUCCESS_ROLLS.values() if row.rolled == rolled)
    high = (row for row in lines if row.least is None or skill >= row.least)
    found = next((row.outcome for row in high if row.most is None or skill <= row.most), "")
    if found:
        return found
    if rolled >= skill + FAR_OFF:
        return CRITICAL_FAILURE
    return SUCCESS if rolled <= skill and rolled <= _HIGHEST else FAILURE


_HIGHEST = 16
"""The highest roll that can succeed."""


@pure
def succeeds(result: str) -> bool:
    """Returns whether an outcome is a success.

    Source: B 86 Success Rolls
    """
    return VOCABULARY.is_success(result)


PLAINLY: Mapping[str, str] = {CRITICAL_SUCCESS: SUCCESS, CRITICAL_FAILURE: FAILURE}
"""The outcome in place of a critical, where there are no criticals."""


def passed(combat: Combat, key: str) -> bool:
    """Returns whether a roll succeeded; a roll that could not be made did not.

    Source: B 86 Success Rolls
    """
    return succeeds(combat.rolls[key].outcome)


# ------------------------------------------------------------------------------------------------ a roll to come


def base(key: str, value: int, why: str, source: str, who: str) -> FigureFound:
    """Returns the figure of the number before modifiers.

    Source: B 86 Success Rolls
    """
    return BASE.found(key, value, why, source, who=who)


def prepare(  # noqa: PLR0917
    combat: Combat, key: str, who: str, value: int, why: str, source: str, modifiers: Iterable[Event] = ()
) -> Telling:
    """Prepares a roll: records its base, its modifiers and its target number."""
    combat = yield base(key, value, why, source, who)
    combat = yield from emit(combat, modifiers)
    return (yield target(combat, key, who))


def target(combat: Combat, key: str, who: str) -> FigureFound:
    """Returns the figure of the effective skill: base and modifiers, limited where the roll has a maximum.

    Source: B 86 Success Rolls, CII 48-51 Flowchart
    """
    effective = modified(combat, key)
    parts = combat.rolls.modifiers(key)
    why = " ".join([str(BASE.at(combat, key)), *(f"{part.value:+d}" for part in parts)])
    most = MOST.at(combat, key, effective)
    if effective > most:
        why += f", at most {most}"
    return TARGET.found(key, min(effective, most), why, _ROLLS, who=who)


def modified(combat: Combat, key: str) -> int:
    """Returns the base with the modifiers so far.

    Source: B 86 Success Rolls
    """
    return BASE.at(combat, key) + total(combat.rolls.modifiers(key))


def modifier_events(key: str, source: str, parts: Mapping[str, int]) -> Iterator[Event]:
    """Yields modifiers by their reasons, without those that are 0."""
    return (ModifierApplied(key, value, why, source) for why, value in parts.items() if value)


def request_roll(combat: Combat, key: str, who: str, purpose: str) -> RollRequested:
    """Requests the three dice of a roll.

    Source: B 86 Success Rolls
    """
    frame = combat.exchange.frame
    return RollRequested(key, who, DICE, purpose, frame.key if frame else "")


def result_of(combat: Combat, key: str) -> TestResolved:
    """Reads a roll against its number.

    Source: B 86 Success Rolls
    """
    rolled, effective = combat.rolls[key].total, TARGET.at(combat, key)
    result = outcome(rolled, effective)
    if PLAIN.is_at(combat, key):
        result = PLAINLY.get(result, result)
    start = BASE.at(combat, key)
    return TestResolved(key, start, effective, rolled, effective - rolled, result, _ROLLS)


def resolve_rolls(combat: Combat, *keys: str) -> Telling:
    """Reads those of the rolls that were thrown and not read yet."""
    for key in keys:
        if combat.rolls[key].is_rolled and not combat.rolls[key].outcome:
            combat = yield result_of(combat, key)
    return combat


def in_words(margin: int) -> str:
    """Returns the margin of a roll in words.

    Source: B 86 Success Rolls

    >>> in_words(3), in_words(-2)
    ('margin 3', 'margin -2')
    """
    return f"margin {margin}"


# ------------------------------------------------------------------------------------------------ tables by dice


def looked_up(combat: Combat, key: str) -> int:
    """Returns the sum with which a table is looked up, with the gamemaster's modifiers: 3 to 18.

    Source: B 202 Critical Hit Tables
    """
    return max(3, min(18, combat.rolls[key].total + total(combat.rolls.modifiers(key))))
