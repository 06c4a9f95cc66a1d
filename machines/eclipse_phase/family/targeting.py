"""Whether an attack may be declared so: its targets, weapons in several hands, minds; and whose weapons are no rows."""

from collections.abc import Collection, Iterator
from typing import Any

from machines.contract.refusals import BadTerms, CannotAct, UnknownCombatant
from machines.contract.sheet_words import weapons_by_name
from machines.eclipse_phase.family.attacks import Aimed, locked_out
from machines.eclipse_phase.family.care import is_shell
from machines.eclipse_phase.family.edition import edition
from machines.eclipse_phase.family.sheets import Body
from projections.combat import Combat


def check_targets(combat: Combat, now: Aimed, most: int, also: Collection[str] = ()) -> None:
    """Refuse an attack on nobody, on oneself, on somebody twice, or on more than it reaches.

    Args:
        combat: What is so.
        now: The attack.
        most: How many it reaches.
        also: Others who are named.

    Source: EP1 191 Step 1, 202 Multiple Targets; EP2 12/01 Step 1, 12/02 Multiple Targets
    """
    others = tuple(who for who, one in combat.roster.who.items() if one.here and who != now.by)
    if not now.targets or (not isinstance(now.terms.at, str) and not now.terms.at):
        raise BadTerms("an attack needs a target", where="at", accepts=", ".join(others) or "nobody")
    for who in (*now.targets, *also):
        if who not in (*others, *((now.by,) if who in now.terms.caught else ())):
            problem = f"{now.by} cannot attack {who!r}"
            raise UnknownCombatant(problem, where="at", accepts=", ".join(others) or "nobody")
    if len(set(now.targets)) != len(now.targets):
        raise BadTerms("a target is named twice", where="at", accepts="each once")
    if now.aimed > most:
        raise BadTerms(f"{now.way} reaches {most} target(s)", where="at", accepts=f"up to {most}")
    if now.terms.caught and now.weapon.area not in edition(combat).blasts:
        raise BadTerms(f"{now.name} is no blast", where="caught", accepts="nobody")


def check_minds(combat: Combat, now: Aimed) -> None:
    """Refuse a sleight of a machine's mind, or at one, or at a mind that locked the attacker out.

    Source: EP1 222 Psi Combat; EP2 14/04 Targeting, Opposed Tests
    """
    if is_shell(combat, now.by):
        raise CannotAct(f"{now.by} has a machine for a mind", where="using", accepts="other weapons")
    for who in now.targets:
        if is_shell(combat, who):
            raise CannotAct(f"{who} has a machine for a mind", where="at", accepts="biomorphs and pods")
        if combat.conditions.has(now.by, locked_out(who)):
            raise CannotAct(f"{now.by} is locked out of {who}'s mind", where="at", accepts="another target")


def check_hands(combat: Combat, by: str, terms: Any, weapon: Any, *, begun: bool) -> None:
    """Refuse weapons in other hands that are named twice, come too late, or are not fired at all.

    Args:
        combat: What is so.
        by: The attacker.
        terms: Of the attack.
        weapon: The first of them.
        begun: Was one of several weapons fired already?

    Source: EP1 206 Extra Ranged Weapons; EP2 12/15 Extra Ranged Weapons
    """
    if not terms.also:
        return
    here = edition(combat)
    known, named = here.sheets.arms(combat, by), (terms.using, *terms.also)
    if len(set(map(str, named))) != len(named):
        raise BadTerms("a weapon is named twice", where="also", accepts="each once")
    if begun:
        raise BadTerms("what is fired at once is said with the first of them", where="also", accepts="none")
    if not all(here.attack_kinds[each.kind].needs_range for each in (weapon, *(known[name] for name in terms.also))):
        raise BadTerms("blows are added with extra_weapons", where="also", accepts="ranged weapons")


def own_weapons(owner: Body) -> Iterator[tuple[str, Any]]:
    """The weapons of a sheet that are no rows of the table, by name.

    Source: EP1 191 Step 1; EP2 12/01 Step 1
    """
    weapons = weapons_by_name(owner.weapons).items()
    return ((name, each) for name, each in weapons if not isinstance(each, str))
