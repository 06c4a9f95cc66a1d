"""Success tests: d100 at or under a target, and the target's derivation."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ledger.events import Event, ModifierApplied, TestResolved
from machines.contract.dice_reading import pure
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.d100 import outcome, succeeds
from machines.eclipse_phase.family.edition import BASE, DEGREE, TARGET
from machines.eclipse_phase.family.success import base, counted, target, weight
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, extra_layers, sheet, situation, traits
from machines.eclipse_phase.first.tables.tables import SITUATIONS
from machines.secrecy.part_sources import of_condition, of_wounds
from projections.combat import Combat

SUCCESS_MARGINS: Mapping[str, Callable[[int, int], int]] = {
    "target_minus_roll": lambda target, roll: max(0, target - roll),  # 00 succeeds against any target
    "roll": lambda _, roll: roll,
}
"""Margin of Success, by the profile's field."""


def prepare(  # noqa: PLR0917
    combat: Combat, key: str, who: str, value: int, why: str, source: str, modifiers: Iterable[Event] = ()
) -> Telling:
    """Prepares a test: its base, modifiers, and target; wounds and traumas count."""
    combat = yield base(key, value, why, source, who)
    combat = yield from emit(combat, (*hurt(combat, who, key), *modifiers))
    return (yield target(combat, key, who))


def resolve(combat: Combat, key: str) -> TestResolved:
    """Returns the outcome of a d100 against its target.

    Source: EP1 115 Making Tests, 118 Margin of Success
    """
    roll, goal = combat.rolls[key].faces[0], TARGET.at(combat, key)
    return judged(combat, key, roll, outcome(roll, goal))


def judged(combat: Combat, key: str, roll: int, result: str) -> TestResolved:
    """Returns a test's outcome with its margin.

    Source: EP1 118 Margin of Success
    """
    goal = TARGET.at(combat, key)
    margin = margin_of(goal, roll, result, profile(combat).margin)
    return TestResolved(key, BASE.at(combat, key), goal, roll, margin, result, "EP1 115 Making Tests")


def in_words(margin: int) -> str:
    """Returns a Margin of Success or Failure in words.

    Source: EP1 118 Margin of Success

    >>> in_words(9), in_words(-21)
    ('MoS 9', 'MoF 21')
    """
    return f"MoS {margin}" if margin > 0 else f"MoF {-margin}"


@pure
def margin_of(goal: int, roll: int, result: str, field: str) -> int:
    """Returns the margin of a test; negative for a failure.

    Args:
        goal: The target.
        roll: 0 to 99.
        result: The outcome.
        field: The profile's field for the Margin of Success.

    Source: EP1 118 Margin of Success
    """
    return SUCCESS_MARGINS[field](goal, roll) if succeeds(result) else min(0, goal - roll)


def degree(combat: Combat, key: str, *, anew: bool = False) -> Iterator[Event]:
    """Yields an Excellent Success or a Severe Failure for a margin of 30 or more, with a note from 60.

    Args:
        combat: The state.
        key: Key of the test.
        anew: Whether the roll was read before, so that a plain degree is recorded too.

    Source: EP1 118 Excellent Successes and Severe Failures
    """
    margin = combat.rolls[key].margin
    if abs(margin) >= 30 or (anew and DEGREE.is_at(combat, key)):
        source = "EP1 118 Excellent Successes and Severe Failures"
        yield DEGREE.found(key, degree_of(margin), f"margin {margin:+d}", source, who=combat.rolls[key].by)


@pure
def degree_of(margin: int) -> str:
    """Returns the degree of a margin in words.

    Source: EP1 118 Excellent Successes and Severe Failures

    >>> degree_of(29), degree_of(30), degree_of(-60)
    ('plain', 'Excellent Success', 'Severe Failure, 60 or more')
    """
    word = "plain" if abs(margin) < 30 else "Excellent Success" if margin > 0 else "Severe Failure"
    return f"{word}, 60 or more" if abs(margin) >= 60 else word


def will_test(combat: Combat, key: str, who: str, source: str, modifiers: Iterable[Event] = ()) -> Telling:
    """Prepares a WIL x 3 Test.

    Source: EP1 209 Trauma Effects, 215 Stressful Experiences
    """
    wil = aptitude(combat, who, "wil")
    return (yield from prepare(combat, key, who, wil * 3, f"WIL {wil} x 3", source, modifiers))


def read(combat: Combat, key: str) -> Telling:
    """Reads a test against its target."""
    return (yield resolve(combat, key))


# ------------------------------------------------------------------------------------------------ modifiers of the body


def ignored(combat: Combat, who: str, kind: str) -> int:
    """Returns the wounds or traumas that a combatant's traits ignore.

    Source: EP1 207 Wound Effects
    """
    return sum(getattr(trait, f"ignores_{kind}") for trait in traits(combat, who))


def hurt(combat: Combat, who: str, key: str) -> Iterator[Event]:
    """Yields -10 for each wound and trauma, high gravity counted as wounds, and the rest of a shock.

    Source: EP1 207 Wound Effects, 209 Trauma Effects, 199 High Gravity, 204 Shock Attacks
    """
    doubled = any(trait.doubles_wounds for trait in traits(combat, who))
    for name, count, each in (
        ("wound", counted(combat, who, "wounds"), SITUATIONS["wound"].value * (2 if doubled else 1)),
        ("trauma", counted(combat, who, "traumas"), SITUATIONS["trauma"].value),
    ):
        if count:
            why = f"{count} {name}{'s' if count > 1 else ''}"
            felt = ModifierApplied(key, each * count, why, SITUATIONS[name].source)
            yield from of_wounds(combat, who, f"{name}s", [felt])
    heavy = weight(combat, who)
    if heavy:
        why = f"{situation(combat).gravity} % of Earth's gravity"
        yield ModifierApplied(key, SITUATIONS["wound"].value * heavy, why, "EP1 199 High Gravity")
    shocked = combat.conditions.of(who).get("shocked")
    if shocked is not None and shocked.level:
        felt = ModifierApplied(key, -shocked.level, "shocked", "EP1 204 Shock Attacks")
        yield from of_condition(combat, who, "shocked", [felt])


def burdens(combat: Combat, who: str, key: str) -> Iterator[Event]:
    """Yields the modifier for layers of armor.

    Source: EP1 195 Layered Armor; Ruling: EP1-N59
    """
    layers = extra_layers(sheet(combat, who).armor)
    if layers:
        yield ModifierApplied(key, -20 * layers, f"armor in {layers + 1} layers", "EP1 195 Layered Armor")
