"""What depends on a point of a pool after a roll."""

from machines.contract.dice_reading import Stakes
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE, CRITICAL_SUCCESS
from machines.eclipse_phase.family.points import PASS, of_attack, read_after
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.success_tests.pools import POOL, USES, ways_left
from machines.eclipse_phase.second.success_tests.roles import DEFEND, TO_HIT
from machines.eclipse_phase.second.success_tests.success import resolve
from projections.combat import Combat
from projections.path import Rest
from projections.rolls import Roll


def stakes(combat: Combat, rest: Rest) -> Stakes:
    """Returns what depends on a choice.

    Source: EP2 03/05 Using Pools, 12/01 Step 5
    """
    key, _, name = rest.key.rpartition("/")
    if name != POOL or not combat.rolls[key].outcome or key.rpartition("/")[2] not in (TO_HIT, DEFEND):
        return Stakes()
    now = attack(combat)
    if not _is_plain(now):
        return Stakes()
    after = [_after(combat, key, each.option) for each in rest.options if each.option != PASS]
    other = now.role(DEFEND) if key == now.hit else now.hit
    theirs = (_after(combat, other, way) for way in ways_left(combat, other))
    return of_attack(combat, now, key, after, theirs, _effect)


def _after(combat: Combat, key: str, way: str) -> Roll:
    return read_after(combat, key, USES[way.partition("_")[0]](combat, key), resolve)


def _is_plain(now: Attack) -> bool:
    """Returns whether nothing but the outcome, criticals and superior successes counts in this attack.

    Source: EP2 12/01 Step 5, 12/02 Multiple Targets, 12/12 Fragile, 12/15 Called Shots
    """
    special = now.kind.minds or now.weapon.area or now.suppressing or now.ammunition is not None
    fragile = any(trait.fragile for trait in now.traits)
    return not special and not fragile and now.called is None and len(now.targets) == 1


def _effect(hit: Roll, defense: Roll, prevails: bool | str) -> object:
    criticals = defense.outcome == CRITICAL_SUCCESS, hit.outcome == CRITICAL_FAILURE
    return prevails, criticals, prevails and (hit.outcome, hit.margin, hit.rolled)
