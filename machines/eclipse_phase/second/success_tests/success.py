"""Success tests: d100 at or under a target and as high as can be, and the sum behind the target."""

from collections.abc import Iterable, Iterator, Mapping

from ledger.events import ConditionLost, Event, ModifierApplied, TestResolved
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, FAILURE, SUCCESS, outcome, succeeds
from machines.eclipse_phase.family.figure_names import BASE, DEGREE, TARGET
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
"""Figures of a test: the aptitude it is linked to, that it has no skill behind it, that a pool counts in it already."""
NEXT_TEST = "next_test"
PAIN_FILTER = "pain filter"
_TESTS = "EP2 03/01 Making Tests"


def prepare(  # noqa: PLR0917
    combat: Combat, key: str, who: str, start: Base, source: str, modifiers: Iterable[Event] = ()
) -> Telling:
    """A test to come: what it starts from, what changes it, its target; everything that ails somebody counts."""
    combat = yield from begin(combat, key, who, start, source)
    combat = yield from ailing(combat, who, key, start.physical)
    combat = yield from emit(combat, modifiers)
    return (yield target(combat, key, who))


def begin(combat: Combat, key: str, who: str, start: Base, source: str) -> Telling:
    """What a test starts from, and which pools fit it."""
    combat = yield base(key, start.value, start.why, source, who)
    combat = yield LINKED.found(key, start.aptitude, "", source)
    if start.defaulted:
        combat = yield DEFAULTED.found(key, "yes", "", source)
    if start.boosted:
        combat = yield SPENT.found(key, 1, "", source)
    return combat


def resolve(combat: Combat, key: str) -> TestResolved:
    """Read a d100 against its target; by an aptitude in the place of a skill no success is critical.

    Source: EP2 03/01 Making Tests, Defaulting
    """
    roll, goal = combat.rolls[key].faces[0], TARGET.at(combat, key)
    result = outcome(roll, goal)
    if result == CRITICAL_SUCCESS and DEFAULTED.is_at(combat, key):
        result = SUCCESS
    return judged(combat, key, roll, result, superiors(combat, roll, result))


def superiors(combat: Combat, roll: int, result: str) -> int:
    """Superior results of a test; a critical is none beside, unless the table says so of successes.

    Source: EP2 03/01 Superior Results, Criticals; Ruling: EP2-N21
    """
    both = result == CRITICAL_SUCCESS and BOTH[profile(combat).critical_with_superior]
    return superior(roll, succeeds(result)) if both or result in (SUCCESS, FAILURE) else 0


BOTH: Mapping[str, bool] = {"critical_only": False, "both": True}
"""Are critical successes superior, too, by the profile's field?"""


def judged(combat: Combat, key: str, roll: int, result: str, margin: int) -> TestResolved:
    """A test whose outcome is known; its margin is the number of superior results, below 0 of failures.

    Source: EP2 03/01 Superior Results
    """
    goal = TARGET.at(combat, key)
    return TestResolved(key, BASE.at(combat, key), goal, roll, margin, result, _TESTS)


def superior(roll: int, success: bool) -> int:
    """How many superior results: successes from 33 and again from 66 on, failures at 66 and again at 33 or less.

    Source: EP2 03/01 Superior Results

    >>> superior(69, True), superior(40, True), superior(12, True), superior(50, False), superior(30, False)
    (2, 1, 0, -1, -2)
    """
    if success:
        return (roll >= 33) + (roll >= 66)
    return -(roll <= 66) - (roll <= 33)


def read(combat: Combat, key: str) -> Telling:
    """Against its target, and how well or badly."""
    combat = yield resolve(combat, key)
    combat = yield from emit(combat, degree(combat, key))
    return combat


def degree(combat: Combat, key: str, *, anew: bool = False) -> Iterator[Event]:
    """Superior results, in words.

    Args:
        combat: What is so.
        key: Of the test.
        anew: Was it read otherwise before, so that a plain degree has to be told, too?

    Source: EP2 03/01 Superior Results
    """
    margin = combat.rolls[key].margin
    if margin or (anew and DEGREE.is_at(combat, key)):
        word = in_words(margin) if margin else "plain"
        yield DEGREE.found(key, word, how_superior(combat, key), "EP2 03/01 Superior Results", who=combat.rolls[key].by)


def how_superior(combat: Combat, key: str) -> str:
    """What superior results were read off: the roll, or the gamemaster's word where the roll shows others.

    Source: EP2 03/01 Superior Results
    """
    roll = combat.rolls[key]
    overruled = any(combat.figures.holds(key, name) for name in ("margin", "outcome"))
    is_shown = roll.margin == superiors(combat, roll.rolled, roll.outcome)
    return f"rolled {roll.rolled:02d}" if is_shown or not overruled else "as the gamemaster says"


def in_words(margin: int) -> str:
    """A number of superior results, below 0 of failures, in words.

    Source: EP2 03/01 Superior Results

    >>> in_words(2), in_words(-1)
    ('2 superior successes', '1 superior failure')
    """
    kind = ("success" if margin > 0 else "failure") + ("es" if margin > 1 else "s" if margin < -1 else "")
    return f"{abs(margin)} superior {kind}"


# ------------------------------------------------------------------------------------------------ what ails counts


def ignored(combat: Combat, who: str, kind: str) -> int:
    """Wounds, or traumas, that ware, pools and a shell's pain filter make somebody ignore.

    Source: EP2 12/16 Wound Effects, 12/18 Trauma Effects, 03/05 Vigor, Moxie
    """
    column, owner = f"ignores_{kind}", sheet(combat, who)
    filtered = kind == "wounds" and owner.synthetic and PAIN_FILTER not in owner.traits  # every shell has one
    own: int = sum(getattr(trait, column) for trait in traits(combat, who))
    return own + _bought(combat, who, column) + filtered


def _bought(combat: Combat, who: str, condition: str) -> int:
    """What a pool makes somebody ignore until the next recharge."""
    held = combat.conditions.of(who).get(condition)
    return (held.level or 0) if held else 0


def ailing(combat: Combat, who: str, key: str, physical: bool, *, attacks: bool = False) -> Telling:
    """Wounds, traumas, weight, conditions and armor in layers; what was to count once, counts now.

    Whoever attacks without seeing attacks blindly, which has a modifier of its own.
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
    """-10 for each wound and each trauma, and weight that is like wounds.

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
"""Conditions of whoever cannot see."""


def hindered(combat: Combat, who: str, key: str, physical: bool) -> Iterator[ModifierApplied]:
    """What conditions do to physical tests, or to mental ones.

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
    """Layers of armor, in physical tests.

    Source: EP2 12/11 Layering Armor
    """
    layers = extra_layers(sheet(combat, who).armor)
    if not physical or not layers:
        return
    yield ModifierApplied(key, -20 * layers, f"armor in {layers + 1} layers", "EP2 12/11 Layering Armor")
    if overburdened(combat, who):
        yield ModifierApplied(key, -20, "overburdened by armor", "EP2 12/11 Layering Armor")
