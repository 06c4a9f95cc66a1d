"""What depends on a point after a roll: every way to spend it is tried, and what the attack reads of it is compared."""

from collections.abc import Callable, Iterable

from ledger.events import Event
from machines.contract.stakes import Stakes
from machines.eclipse_phase.family.attacks import DEFEND, Aimed
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, attacker_prevails, succeeds
from machines.eclipse_phase.family.edition import BASE
from machines.secrecy.roll_questions import are_public
from projections.combat import Combat, fold
from projections.rolls import Roll

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
    return Stakes(any(effects(roll) != as_it_is for roll in mine), _standing(combat, now, key))


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
        return f"you are ahead: {beaten}"
    if not succeeds(theirs.outcome):
        return "both fail: it misses"
    return f"you are behind: {theirs.rolled:02d} beats {mine.rolled:02d}"
