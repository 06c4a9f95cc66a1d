"""A point spent on a test that was just rolled: Moxie, or a pool."""

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

PASS = "pass"  # noqa: S105  it is a word at the table


def labels(roll: Roll, better: Mapping[str, str]) -> Mapping[str, str]:
    """What a point does, in words, by the way in which it is spent.

    Args:
        roll: The test.
        better: What it does for a success.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    flip = f"read {roll.rolled:02d} as {flipped(roll.rolled):02d}"
    return {"flip": flip, **better, "soften": "make it a plain failure"}


def offer_point(combat: Combat, key: str, name: str, point: str, ways: Iterable[Option]) -> ChoiceRequested:
    """Asks whoever rolled whether they spend a point.

    Args:
        combat: What is so.
        key: Of the roll.
        name: The role of the choice.
        point: What is spent, in words.
        ways: What it can do.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    roll = combat.rolls[key]
    against = f" against {roll.target}" if is_known(combat, key) else ""
    purpose = f"{point} for {roll.rolled:02d}{against} ({roll.outcome})?"
    return ChoiceRequested(role(key, name), roll.by, (Option(PASS, "keep it"), *ways), PASS, purpose)


def spend_points(combat: Combat, name: str, spent: FigureName[int], use: Callable[[Combat, str, str], Telling]) -> Deed:
    """The points are spent for which somebody has decided, each once.

    Args:
        combat: What is so.
        name: The role of the choice.
        spent: The figure of a roll for which a point was spent.
        use: (combat, key, option): pays for it, and does it.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    choices = {key: option for key, option in combat.exchange.chosen.items() if key.endswith("/" + name)}
    for choice, option in choices.items():
        key = choice.removesuffix("/" + name)
        if option != PASS and combat.rolls[key].outcome and not spent.is_at(combat, key):
            combat = yield from use(combat, key, option)
    return None
