"""Checks of an attack's targets: number, minds, weapons in several hands."""

from collections.abc import Collection, Iterator
from typing import Any

from machines.contract.refusals import BadTerms, CannotAct, UnknownCombatant
from machines.contract.sheet_words import weapons_by_name
from machines.eclipse_phase.family.attacks import Aimed, locked_out
from machines.eclipse_phase.family.care import is_shell
from machines.eclipse_phase.family.edition import edition
from machines.eclipse_phase.family.sheets import SheetBody
from projections.combat import Combat


def check_targets(combat: Combat, now: Aimed, most: int, also: Collection[str] = ()) -> None:
    """Rejects an attack without a target, on oneself, on a target named twice, or on too many targets.

    Args:
        combat: The state.
        now: The attack.
        most: Most targets that it can have.
        also: Further combatants that the terms name.

    Source: EP1 191 Step 1, 202 Multiple Targets; EP2 12/01 Step 1, 12/02 Multiple Targets
    """
    others = [who for who, one in combat.roster.who.items() if one.here and who != now.by]
    accepts = ", ".join(others) or "no combatant: none is here"
    if not now.targets or (not isinstance(now.terms.at, str) and not now.terms.at):
        raise BadTerms(
            "an attack needs a target", where="at", accepts=", ".join(others) or "no combatant: none is here"
        )
    for who in (*now.targets, *also):
        if who not in (*others, *((now.by,) if who in now.terms.caught else ())):
            problem = f"{now.by} cannot attack {who!r}"
            raise UnknownCombatant(problem, where="at", accepts=accepts)
    if len(set(now.targets)) != len(now.targets):
        raise BadTerms("a target is named twice", where="at", accepts="each target once")
    if now.aimed > most:
        raise BadTerms(f"{now.way} reaches {most} target(s)", where="at", accepts=f"up to {most}")
    if now.terms.caught and now.weapon.area not in edition(combat).blasts:
        raise BadTerms(f"{now.name} is no blast", where="caught", accepts="no combatants")


def check_minds(combat: Combat, now: Aimed) -> None:
    """Rejects a sleight used by or against a machine's mind, or against a mind that locked the attacker out.

    Source: EP1 222 Psi Combat; EP2 14/04 Targeting, Opposed Tests
    """
    if is_shell(combat, now.by):
        raise CannotAct(f"{now.by} has a machine for a mind", where="using", accepts="other weapons")
    for who in now.targets:
        if is_shell(combat, who):
            raise CannotAct(f"{who} has a machine for a mind", where="at", accepts="biomorphs and pods")
        if combat.conditions.has(now.by, locked_out(who)):
            raise CannotAct(f"{now.by} is locked out of {who}'s mind", where="at", accepts="another target")


def check_armed(combat: Combat, by: str, terms: Any) -> None:
    """Rejects a weapon that the attacker does not have.

    Source: EP1 191 Step 1; EP2 12/01 Step 1
    """
    known = edition(combat).sheets.arms(combat, by)
    for name in (terms.using, *terms.also):
        if isinstance(name, str) and name not in known:
            accepts = ", ".join(known) or "none"
            raise BadTerms(f"{by} has no weapon {name!r}", where="using", accepts=accepts)


def check_hands(combat: Combat, by: str, terms: Any, weapon: Any, *, begun: bool) -> None:
    """Rejects further weapons that are named twice, named after the first shot, or not ranged.

    Args:
        combat: The state.
        by: The attacker.
        terms: Terms of the attack.
        weapon: The first weapon.
        begun: Whether one of several weapons was already fired.

    Source: EP1 206 Extra Ranged Weapons; EP2 12/15 Extra Ranged Weapons
    """
    if not terms.also:
        return
    here = edition(combat)
    known, named = here.sheets.arms(combat, by), (terms.using, *terms.also)
    if len(set(map(str, named))) != len(named):
        raise BadTerms("a weapon is named twice", where="also", accepts="each once")
    if begun:
        problem = "further weapons of one action are named with the first shot"
        raise BadTerms(problem, where="also", accepts="none")
    if not all(here.attack_kinds[each.kind].needs_range for each in (weapon, *(known[name] for name in terms.also))):
        raise BadTerms("extra melee weapons are declared with extra_weapons", where="also", accepts="ranged weapons")


def own_weapons(owner: SheetBody) -> Iterator[tuple[str, Any]]:
    """Yields the weapons, by name, whose figures a sheet states itself.

    Source: EP1 191 Step 1; EP2 12/01 Step 1
    """
    weapons = weapons_by_name(owner.weapons).items()
    return ((name, each) for name, each in weapons if not isinstance(each, str))
