"""Points of Moxie or of a pool that are spent on a test after its roll, and what depends on them in an attack."""

from collections.abc import Callable, Iterable, Mapping

from ledger.events import ChoiceRequested, Event, Option
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.dice_reading import Stakes
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.attacks import DEFEND, Aimed
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, attacker_prevails, flipped, succeeds
from machines.eclipse_phase.family.edition import BASE
from machines.secrecy.roll_questions import are_public, is_known
from projections.combat import Combat, fold
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


# ------------------------------------------------------------------------------------------------ what depends on it

Effect = Callable[[Roll, Roll, bool | str], object]
"""(roll to hit, defense, whether it hits or is undecided): what the rules take from both rolls."""


def read_after(combat: Combat, key: str, events: Iterable[Event], resolve: Callable[[Combat, str], Event]) -> Roll:
    """Returns a roll after these events, resolved again if its faces changed.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    after = fold(tuple(events), combat)
    if after.rolls[key].faces[0] != after.rolls[key].rolled:
        after = fold((resolve(after, key),), after)
    return after.rolls[key]


def of_attack(  # noqa: PLR0917
    combat: Combat, now: Aimed, key: str, mine: Iterable[Roll], theirs: Iterable[Roll], effect: Effect
) -> Stakes:
    """Returns what depends on a point for one of the two rolls of an attack on one target.

    Args:
        combat: The state.
        now: The attack.
        key: Key of the roll, which is the roll to hit or the defense.
        mine: The roll after each way to spend the point.
        theirs: The other roll after each way that its roller could still spend a point.
        effect: What the rules take from both rolls.

    Source: EP1 192 Step 5; EP2 12/01 Step 5
    """
    defend = now.role(DEFEND)
    is_attacker, other = key == now.hit, defend if key == now.hit else now.hit
    keys = (now.hit, defend) if BASE.is_at(combat, defend) else (now.hit,)
    if key not in keys or not all(combat.rolls[each].outcome for each in keys) or not are_public(combat, *keys):
        return Stakes()

    def effects(roll: Roll) -> list[object]:
        pairs = ((roll, each) if is_attacker else (each, roll) for each in (combat.rolls[other], *theirs))
        return [effect(hit, defense, _prevails(hit, defense)) for hit, defense in pairs]

    theirs = tuple(theirs)
    as_it_is = effects(combat.rolls[key])
    standing = _standing(combat, now, key)
    return Stakes(any(effects(roll) != as_it_is for roll in mine), standing, standing.startswith(_AHEAD))


_AHEAD = "you are ahead"


def _prevails(hit: Roll, defense: Roll) -> bool | str:
    """Returns whether the attack hits; a word for two equal critical successes, which the profile decides."""
    if hit.outcome == defense.outcome == CRITICAL_SUCCESS and hit.rolled == defense.rolled:
        return "equal"
    return attacker_prevails((hit.outcome, hit.rolled), (defense.outcome, defense.rolled) if defense.outcome else None)


def _standing(combat: Combat, now: Aimed, key: str) -> str:
    """Returns who is ahead in the opposed test, with both rolls."""
    mine, theirs = combat.rolls[key], combat.rolls[now.role(DEFEND) if key == now.hit else now.hit]
    ahead = _prevails(combat.rolls[now.hit], combat.rolls[now.role(DEFEND)])
    if ahead == "equal" or not theirs.outcome:
        return ""
    if (key == now.hit) == ahead and succeeds(mine.outcome):
        beaten = (
            f"{mine.rolled:02d} beats {theirs.rolled:02d}" if succeeds(theirs.outcome) else f"{theirs.rolled:02d} fails"
        )
        return f"{_AHEAD}: {beaten}"
    if not succeeds(theirs.outcome):
        return "both fail: it misses"
    return f"you are behind: {theirs.rolled:02d} beats {mine.rolled:02d}"
