"""What depends on a point of Moxie after a roll."""

from machines.contract.dice_reading import Stakes
from machines.eclipse_phase.family.attacks import DEFEND, TO_HIT
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, succeeds
from machines.eclipse_phase.family.points import PASS, of_attack, read_after
from machines.eclipse_phase.first.attack.attack_context import Attack, attack
from machines.eclipse_phase.first.attack.outcome import excellent
from machines.eclipse_phase.first.success_tests.moxie import MOXIE, USES, ways_left
from machines.eclipse_phase.first.success_tests.success import resolve
from machines.secrecy.roll_questions import are_public
from projections.combat import Combat
from projections.path import Rest
from projections.rolls import Roll

PLAIN = ("knockdown", "consciousness", "grip")
"""Tests of which only the success counts."""


def stakes(combat: Combat, rest: Rest) -> Stakes:
    """Returns what depends on a choice.

    Source: EP1 122 Moxie, 192 Step 5
    """
    key, _, name = rest.key.rpartition("/")
    if name != MOXIE or not combat.rolls[key].outcome:
        return Stakes()
    after = [_after(combat, key, each.option) for each in rest.options if each.option != PASS]
    if key.rpartition("/")[2] in PLAIN and are_public(combat, key):
        before = succeeds(combat.rolls[key].outcome)
        return Stakes(any(succeeds(roll.outcome) != before for roll in after))
    if key.rpartition("/")[2] not in (TO_HIT, DEFEND) or not _is_plain(now := attack(combat)):
        return Stakes()
    other = now.role(DEFEND) if key == now.hit else now.hit
    theirs = (_after(combat, other, way) for way in ways_left(combat, other))
    return of_attack(combat, now, key, after, theirs, _effect)


def _after(combat: Combat, key: str, way: str) -> Roll:
    return read_after(combat, key, USES[way](combat, key), resolve)


def _is_plain(now: Attack) -> bool:
    """Returns whether nothing but the outcome, criticals and Excellent Successes counts in this attack.

    Source: EP1 192 Step 5, 196 Called Shots, 202 Multiple Targets, 222 Psi Combat
    """
    special = now.kind.minds or now.touching or now.weapon.area or now.suppressing
    return not special and now.called is None and len(now.targets) == 1


def _effect(hit: Roll, defense: Roll, prevails: bool | str) -> object:
    critical = defense.outcome == CRITICAL_SUCCESS
    return prevails, critical, prevails and (hit.outcome == CRITICAL_SUCCESS, excellent(hit.margin))
