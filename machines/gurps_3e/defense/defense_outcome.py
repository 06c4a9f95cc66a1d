"""Boxes 24 to 27: critical defenses, dodges, and what a critical failure leads to."""

from collections.abc import Callable, Mapping

from ledger.events import ConditionGained
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.gurps_3e.attack.attack_context import DEFEND, PAGE, Attack, attack
from machines.gurps_3e.attack.critical import TABLES_USED
from machines.gurps_3e.defense.active_defense import BLOCK, BY, DODGE, PARRY, kind_of_defense
from machines.gurps_3e.harm.shields import CAUGHT
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import fall
from machines.gurps_3e.sheet.sheet_access import SHIELD_UNREADY
from machines.gurps_3e.success_rolls.success import passed
from machines.gurps_3e.vocabulary import CRITICAL_FAILURE, CRITICAL_SUCCESS
from projections.combat import Combat


def last_roll(combat: Combat, now: Attack) -> str:
    """Returns the key of the last roll with which the target defended.

    Source: CII 48-51 Flowchart box 24
    """
    second = now.role(f"second-{DEFEND}")
    return second if combat.rolls[second].outcome else now.role(DEFEND)


def is_critical_defense(combat: Combat) -> bool:
    """Returns whether a defense against a blow, not a missile, succeeded critically.

    Without the critical tables nothing follows from it.

    Ruling: G3-F25, G3-N32
    """
    now = attack(combat)
    used = TABLES_USED[profile(combat).critical_tables]
    return used and not now.kind.ranged and combat.rolls[last_roll(combat, now)].outcome == CRITICAL_SUCCESS


def was_a_dodge(combat: Combat) -> bool:
    """Returns whether the target dodged.

    Ruling: G3-F10
    """
    return has_dodged(combat, attack(combat))


def has_dodged(combat: Combat, now: Attack) -> bool:
    """Returns whether the target of this strike dodged it; a missile that a shield caught flies no farther.

    Source: CII 48-51 Flowchart box 25
    """
    caught = CAUGHT.is_at(combat, now.place)
    return not caught and passed(combat, last_roll(combat, now)) and _defended_by(combat, now) == DODGE


def _defended_by(combat: Combat, now: Attack) -> str:
    return kind_of_defense(BY.at(combat, now.place))


def failed_critically(combat: Combat) -> bool:
    """Returns whether the active defense failed critically; passive defense alone cannot."""
    now = attack(combat)
    is_active = _defended_by(combat, now) in FAILURES
    return is_active and combat.rolls[last_roll(combat, now)].outcome == CRITICAL_FAILURE


def suffer_failure(combat: Combat) -> Deed:
    """Applies the critical failure: a fall, a shield that is unready, or a parry on the critical miss table."""
    now = attack(combat)
    return (yield from FAILURES[_defended_by(combat, now)](combat, now))


def _falls(combat: Combat, now: Attack) -> Deed:
    yield from fall(combat, now.foe, now.place, "falls while dodging", PAGE)
    return None


def _unready(_: Combat, now: Attack) -> Deed:
    yield ConditionGained(now.foe, SHIELD_UNREADY, None, "readied", now.place, "the block failed badly", PAGE)
    return None


def _fumbles(combat: Combat, now: Attack) -> Deed:
    if not TABLES_USED[profile(combat).critical_tables]:
        return None
    yield FUMBLER.found(now.place, now.foe, "the parry failed badly", PAGE)
    return "parries"


FUMBLER = FigureName("fumbler", str)
"""Figure of a strike: the combatant whose parry failed critically."""
FAILURES: Mapping[str, Callable[[Combat, Attack], Deed]] = {DODGE: _falls, BLOCK: _unready, PARRY: _fumbles}
"""What a critical failure does, by kind of defense."""
