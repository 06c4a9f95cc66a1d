"""Success tests: d100 at or under a target, and the target's derivation."""

from collections.abc import Iterable, Iterator, Mapping

from ledger.events import ConditionLost, Event, ModifierApplied, TestResolved
from machines.contract.dice_reading import pure
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, FAILURE, SUCCESS, outcome, succeeds
from machines.eclipse_phase.family.edition import BASE, DEGREE, MARGIN, OUTCOME, TARGET
from machines.eclipse_phase.family.success import base, counted, target, weight
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import (
    Base,
    extra_layers,
    overburdened,
    sheet,
    situation,
    states,
    traits,
)
from machines.eclipse_phase.second.tables.tables import CONDITIONS, SITUATIONS
from machines.secrecy.part_sources import of_condition, of_wounds
from projections.combat import Combat

HOW_BADLY = FigureName("how badly it fails counts", str)
LINKED = FigureName("linked to", str)
DEFAULTED = FigureName("defaulted", str)
SPENT = FigureName("pool spent", int)
"""Figures of a test: the linked aptitude, whether it is defaulted, whether a pool was already used."""
NEXT_TEST = "next_test"
PAIN_FILTER = "pain filter"
_TESTS = "EP2 03/01 Making Tests"


def prepare(  # noqa: PLR0917
    combat: Combat, key: str, who: str, start: Base, source: str, modifiers: Iterable[Event] = ()
) -> Telling:
    """Prepares a test: its base, modifiers, and target; wounds and conditions count."""
    combat = yield from begin(combat, key, who, start, source)
    combat = yield from ailing(combat, who, key, start.physical)
    combat = yield from emit(combat, modifiers)
    return (yield target(combat, key, who))


def begin(combat: Combat, key: str, who: str, start: Base, source: str) -> Telling:
    """Records the base of a test and its linked aptitude."""
    combat = yield base(key, start.value, start.why, source, who)
    combat = yield LINKED.found(key, start.aptitude, "", source)
    if start.defaulted:
        combat = yield DEFAULTED.found(key, "yes", "", source)
    if start.boosted:
        combat = yield SPENT.found(key, 1, "", source)
    return combat


def resolve(combat: Combat, key: str) -> TestResolved:
    """Returns the outcome of a d100 against its target; a defaulted test has no critical success.

    Source: EP2 03/01 Making Tests, Defaulting
    """
    roll, goal = combat.rolls[key].faces[0], TARGET.at(combat, key)
    result = outcome(roll, goal)
    if DEFAULTED.is_at(combat, key):
        result = defaulted(result)
    return judged(combat, key, roll, result, superiors(combat, roll, result))


@pure
def defaulted(result: str) -> str:
    """Returns the outcome of a defaulted test, which has no critical success.

    Source: EP2 03/01 Defaulting
    """
    return SUCCESS if result == CRITICAL_SUCCESS else result


def superiors(combat: Combat, roll: int, result: str) -> int:
    """Returns the superior results of a test; a critical has none, unless the profile gives them to successes.

    Source: EP2 03/01 Superior Results, Criticals; Ruling: EP2-N21
    """
    return superiors_of(roll, result, BOTH[profile(combat).critical_with_superior])


@pure
def superiors_of(roll: int, result: str, both: bool) -> int:
    """Returns the superior results of an outcome.

    Args:
        roll: 0 to 99.
        result: The outcome.
        both: Whether critical successes are also superior.

    Source: EP2 03/01 Superior Results, Criticals
    """
    counts = (SUCCESS, FAILURE, CRITICAL_SUCCESS) if both else (SUCCESS, FAILURE)
    return superior(roll, succeeds(result)) if result in counts else 0


BOTH: Mapping[str, bool] = {"critical_only": False, "both": True}
"""Whether critical successes are also superior, by the profile's field."""


def judged(combat: Combat, key: str, roll: int, result: str, margin: int) -> TestResolved:
    """Returns a test's outcome; its margin is the number of superior results, negative for failures.

    Source: EP2 03/01 Superior Results
    """
    goal = TARGET.at(combat, key)
    return TestResolved(key, BASE.at(combat, key), goal, roll, margin, result, _TESTS)


def superior(roll: int, success: bool) -> int:
    """Returns the superior results: successes from 33 and again from 66, failures at 66 or less and at 33 or less.

    Source: EP2 03/01 Superior Results

    >>> superior(69, True), superior(40, True), superior(12, True), superior(50, False), superior(30, False)
    (2, 1, 0, -1, -2)
    """
    if success:
        return (roll >= 33) + (roll >= 66)
    return -(roll <= 66) - (roll <= 33)


def read(combat: Combat, key: str) -> Telling:
    """Reads a test against its target, with its superior results."""
    combat = yield resolve(combat, key)
    combat = yield from emit(combat, degree(combat, key))
    return combat


def degree(combat: Combat, key: str, *, anew: bool = False) -> Iterator[Event]:
    """Yields the superior results in words.

    Args:
        combat: The state.
        key: Key of the test.
        anew: Whether the roll was read before, so that a plain degree is recorded too.

    Source: EP2 03/01 Superior Results
    """
    margin = combat.rolls[key].margin
    if margin or (anew and DEGREE.is_at(combat, key)):
        word = in_words(margin) if margin else "plain"
        yield DEGREE.found(key, word, how_superior(combat, key), "EP2 03/01 Superior Results", who=combat.rolls[key].by)


def how_superior(combat: Combat, key: str) -> str:
    """Returns the reason for superior results: the roll, or the gamemaster's overrule.

    Source: EP2 03/01 Superior Results
    """
    roll = combat.rolls[key]
    overruled = MARGIN.is_at(combat, key) or OUTCOME.is_at(combat, key)
    if overruled and roll.margin != superiors(combat, roll.rolled, roll.outcome):
        return "as the gamemaster says"
    return f"rolled {roll.rolled:02d}"


@pure
def in_words(margin: int) -> str:
    """Returns a number of superior results in words, negative for failures.

    Source: EP2 03/01 Superior Results

    >>> in_words(2), in_words(-1)
    ('2 superior successes', '1 superior failure')
    """
    kind = ("success" if margin > 0 else "failure") + ("es" if margin > 1 else "s" if margin < -1 else "")
    return f"{abs(margin)} superior {kind}"


# ------------------------------------------------------------------------------------------------ modifiers of the body


def ignored(combat: Combat, who: str, kind: str) -> int:
    """Returns the wounds or traumas ignored by ware, pools and a shell's pain filter.

    Source: EP2 12/16 Wound Effects, 12/18 Trauma Effects, 03/05 Vigor, Moxie
    """
    column, owner = f"ignores_{kind}", sheet(combat, who)
    filtered = kind == "wounds" and owner.synthetic and PAIN_FILTER not in owner.traits  # every shell has a pain filter
    own: int = sum(getattr(trait, column) for trait in traits(combat, who))
    return own + _bought(combat, who, column) + filtered


def _bought(combat: Combat, who: str, condition: str) -> int:
    """Returns what a pool makes a combatant ignore until the next recharge."""
    held = combat.conditions.of(who).get(condition)
    return (held.level or 0) if held else 0


def ailing(combat: Combat, who: str, key: str, physical: bool, *, attacks: bool = False) -> Telling:
    """Yields modifiers for wounds, traumas, gravity, conditions and layers of armor, and those that count once.

    An attacker without sight attacks blindly, which has its own modifier.
    """
    minds = not (attacks and combat.conditions.has(who, "fighting"))  # EP2 12/18 Acute Stress Responses
    hindering = (event for event in hindered(combat, who, key, physical) if not (attacks and event.why in SIGHTLESS))
    combat = yield from emit(
        combat, (*hurt(combat, who, key, minds=minds), *hindering, *burdens(combat, who, key, physical))
    )
    once = combat.conditions.of(who).get(NEXT_TEST)
    if once is not None and once.level:
        counts = ModifierApplied(key, once.level, "after a critical", "EP2 03/01 Criticals")
        combat = yield from emit(combat, of_condition(combat, who, NEXT_TEST, [counts]))
        combat = yield ConditionLost(who, NEXT_TEST, "it has counted")
    return combat


def hurt(combat: Combat, who: str, key: str, *, minds: bool = True) -> Iterator[Event]:
    """Yields -10 for each wound and trauma, and high gravity counted as wounds.

    Source: EP2 12/16 Wound Effects, 12/18 Trauma Effects, 12/28 High Gravity
    """
    for name, count in (
        ("wound", counted(combat, who, "wounds")),
        ("trauma", counted(combat, who, "traumas") if minds else 0),
    ):
        if count:
            row, why = SITUATIONS[name], f"{count} {name}{'s' if count > 1 else ''}"
            felt = ModifierApplied(key, row.value * count, why, row.source)
            yield from of_wounds(combat, who, f"{name}s", [felt])
    heavy = weight(combat, who)
    if heavy:
        why = f"{situation(combat).gravity} % of Earth's gravity"
        yield ModifierApplied(key, SITUATIONS["wound"].value * heavy, why, "EP2 12/28 High Gravity")


SIGHTLESS = tuple(name for name, row in CONDITIONS.items() if row.sightless)
"""Conditions in which a combatant cannot see."""


def hindered(combat: Combat, who: str, key: str, physical: bool) -> Iterator[ModifierApplied]:
    """Yields the modifiers of conditions to physical or mental tests.

    Source: EP2 12/21 Conditions
    """
    for row in states(combat, who):
        value = row.physical if physical else row.mental
        if value:
            yield from of_condition(combat, who, row.name, [ModifierApplied(key, value, row.name, row.source)])
    impaired = combat.conditions.of(who).get("impaired")
    if impaired is not None and impaired.level:
        felt = ModifierApplied(key, -abs(impaired.level), "impaired", "EP2 12/21 Conditions")
        yield from of_condition(combat, who, "impaired", [felt])


def burdens(combat: Combat, who: str, key: str, physical: bool) -> Iterator[Event]:
    """Yields the modifiers for layers of armor in physical tests.

    Source: EP2 12/11 Layering Armor
    """
    layers = extra_layers(sheet(combat, who).armor)
    if not physical or not layers:
        return
    yield ModifierApplied(key, -20 * layers, f"armor in {layers + 1} layers", "EP2 12/11 Layering Armor")
    if overburdened(combat, who):
        yield ModifierApplied(key, -20, "overburdened by armor", "EP2 12/11 Layering Armor")
