"""Points of Moxie or of a pool that are spent on a test after its roll."""

from collections.abc import Callable, Iterable, Mapping

from ledger.events import ChoiceRequested, Option
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.d100 import flipped
from machines.secrecy.roll_questions import is_known
from projections.combat import Combat
from projections.rolls import Roll

PASS = "pass"  # noqa: S105  it is the name of an option


def labels(roll: Roll, improvements: Mapping[str, str]) -> Mapping[str, str]:
    """Returns a label for each way to spend a point.

    Args:
        roll: The test.
        improvements: Labels of the ways to improve a success, by option.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    flip = f"read {roll.rolled:02d} as {flipped(roll.rolled):02d}"
    return {"flip": flip, **improvements, "soften": "make it a plain failure"}


def offer_point(combat: Combat, key: str, name: str, point: str, ways: Iterable[Option]) -> ChoiceRequested:
    """Asks the roller whether to spend a point.

    Args:
        combat: The state.
        key: Key of the roll.
        name: Role of the choice.
        point: What is spent, in words.
        ways: Options to spend it.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    roll = combat.rolls[key]
    against = f" against {roll.target}" if is_known(combat, key) else ""
    purpose = f"{point} for {roll.rolled:02d}{against} ({roll.outcome})?"
    return ChoiceRequested(role(key, name), roll.by, (Option(PASS, "keep it"), *ways), PASS, purpose)


def spend_points(combat: Combat, name: str, spent: FigureName[int], use: Callable[[Combat, str, str], Telling]) -> Deed:
    """Spends each point that was chosen and not yet spent.

    Args:
        combat: The state.
        name: Role of the choice.
        spent: Figure of a roll on which a point was spent.
        use: (combat, key, option): pays the point and applies its effect.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    choices = {key: option for key, option in combat.exchange.chosen.items() if key.endswith("/" + name)}
    for choice, option in choices.items():
        key = choice.removesuffix("/" + name)
        if option != PASS and combat.rolls[key].outcome and not spent.is_at(combat, key):
            combat = yield from use(combat, key, option)
    return None
