"""Checks of declarations."""

from collections.abc import Callable, Mapping

from machines.contract.refusals import ActionUsedUp, CannotAct, NotYourTurn
from machines.contract.toolkit import check_another, check_in_a_fight, one_of
from machines.eclipse_phase.family.actions import (
    check_is_awake,
    spend_complex,
    spend_quick,
    suppressing_weapon,
)
from machines.eclipse_phase.family.attacks import check_defense
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.family.turn import meters_moved
from machines.eclipse_phase.first.actions.terms import (
    AimTerms,
    AttackTerms,
    BreakFreeTerms,
    ComplexTerms,
    FullDefenseTerms,
    MoveTerms,
    NoTerms,
    QuickTerms,
    ReloadTerms,
    SuppressedTerms,
    Terms,
)
from machines.eclipse_phase.first.attack.attack_context import attack_of
from machines.eclipse_phase.first.attack.ranges import check_distance
from machines.eclipse_phase.first.sheet.sheet_access import HELD, arms, check_able, gravity, needed, speed
from machines.eclipse_phase.first.success_tests.moxie import left
from machines.eclipse_phase.first.tables.tables import MISHAPS
from machines.eclipse_phase.first.turn.initiative import goes_first
from machines.eclipse_phase.first.turn.movement import ACTIONS, SPRINTS, allowance
from machines.eclipse_phase.first.turn.turn import went_first
from projections.combat import Combat


def free_to_move(combat: Combat, by: str) -> None:
    """Rejects a combatant who is incapacitated, held or disoriented."""
    check_able(combat, by, "end")
    if combat.conditions.has(by, HELD):
        raise CannotAct(f"{by} is held", where="by", accepts="break_free, or what needs no body")
    _not_disoriented(combat, by)


def _not_disoriented(combat: Combat, by: str) -> None:
    if combat.conditions.has(by, "disoriented"):
        raise CannotAct(f"{by} is disoriented", where="by", accepts="complex with regain = true")


_SPENT: Mapping[str, Callable[[Combat, str], None]] = {"quick": spend_quick, "complex": spend_complex}


def check_quick(combat: Combat, by: str, terms: QuickTerms) -> None:
    """Checks a Quick Action. Held or disoriented combatants may take one, but a held combatant cannot stand up."""
    check_able(combat, by, "end")
    if terms.stand and combat.conditions.has(by, HELD):
        raise CannotAct(f"{by} is held", where="stand", accepts="break_free first")
    spend_quick(combat, by)


def check_complex(combat: Combat, by: str, terms: ComplexTerms) -> None:
    """Checks a Complex Action. A disoriented combatant can only regain their wits."""
    check_able(combat, by, "end")
    if combat.conditions.has(by, "disoriented") and not terms.regain:
        raise CannotAct(f"{by} is disoriented", where="by", accepts="complex with regain = true")
    mine = tuple(name for name in combat.conditions.of(by) if name.endswith(tuple(f"_{row}" for row in MISHAPS)))
    one_of(terms.repair, ("", *mine), "repair")
    spend_complex(combat, by)


def check_whole_phase(combat: Combat, by: str, terms: Terms) -> None:
    """Checks full defense; a held combatant may still defend their mind."""
    check_able(combat, by, "end")
    if not (isinstance(terms, FullDefenseTerms) and terms.mental and combat.conditions.has(by, HELD)):
        free_to_move(combat, by)
    _not_disoriented(combat, by)
    spend_complex(combat, by)


def check_aim(combat: Combat, by: str, terms: AimTerms) -> None:
    """Checks aiming; a Quick aim is the only Quick Action of its phase."""
    free_to_move(combat, by)
    check_another(combat, by, terms.at)
    if terms.complex:
        spend_complex(combat, by)
    elif combat.turn.spent.get("quick"):
        raise ActionUsedUp("aiming is the only Quick Action of its phase", where="kind", accepts="a complex aim")
    else:
        spend_quick(combat, by)


def check_reload(combat: Combat, by: str, terms: ReloadTerms) -> None:
    """Checks that the weapon's shots are counted and that it is not full."""
    free_to_move(combat, by)
    counted = tuple(name for name, weapon in arms(combat, by).items() if weapon.ammo)
    one_of(terms.weapon, counted, "weapon")
    magazine = combat.resources.resource(by, terms.weapon)
    if magazine.left >= magazine.of:
        raise CannotAct(f"{by}'s {terms.weapon} is full", where="weapon", accepts="another weapon")
    _SPENT["quick" if terms.quick else "complex"](combat, by)


def check_move(combat: Combat, by: str, terms: MoveTerms) -> None:
    """Checks moving by its cost; a prone combatant cannot walk or run."""
    free_to_move(combat, by)
    if combat.conditions.has(by, "prone") and terms.how not in ("crawl", "swim"):
        raise CannotAct(f"{by} is prone", where="how", accepts="crawl, or stand up first: quick with stand = true")
    before = meters_moved(combat, by)
    if before and before >= allowance(combat, by, terms.how):
        raise ActionUsedUp(f"{by} has moved {before} m in this phase", where="how", accepts="a faster way, or end")
    if terms.how in SPRINTS:
        needed(combat, by, gravity(combat).skill)
    _SPENT[ACTIONS[terms.how]](combat, by)


def check_suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> None:
    """Checks an attack under suppressive fire: once on each target, within the weapon's range."""
    check_in_a_fight(combat)
    free_to_move(combat, by)
    using = suppressing_weapon(combat, by, terms.at)
    shot = AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)
    now = attack_of(combat.roster.who[by].sheet, "", by, shot)
    check_distance(combat, now)
    check_can_be_harmed(combat, now.at, now.weapon.harms)
    check_defense(combat, now)


def check_break_free(combat: Combat, by: str, _: BreakFreeTerms) -> None:
    """Checks breaking free: held, and not disoriented."""
    check_able(combat, by, "end")
    if not combat.conditions.has(by, HELD):
        raise CannotAct(f"{by} is not held", where="by", accepts="a combatant who is held")
    _not_disoriented(combat, by)
    spend_complex(combat, by)


def check_act_first(combat: Combat, by: str, _: NoTerms) -> None:
    """Checks going first by Moxie: before anyone acts in a phase in which the combatant has a moment."""
    check_is_awake(combat, by)
    if left(combat, by) < 1:
        raise CannotAct(f"{by} has no Moxie left", where="by", accepts="at least 1 point")
    if by not in combat.initiative.scores or speed(combat, by) < combat.clock.number or not combat.clock.number:
        raise NotYourTurn(f"{by} has no moment in this Action Phase", where="by", accepts="a phase within one's Speed")
    ahead = _ahead_of_moxie(combat, by)
    if ahead:
        raise NotYourTurn(f"{ahead} goes before {by} even so", where="by", accepts=f"after {ahead}")
    if _has_begun(combat, by):
        problem = "another combatant has acted in this phase already"
        raise NotYourTurn(problem, where="by", accepts="the beginning of a phase")


def _ahead_of_moxie(combat: Combat, by: str) -> str:
    """Returns the acting combatant if a critical, or Moxie and a higher Initiative, puts them ahead; else empty."""
    who = combat.turn.who or ""
    order = [each for each, _ in combat.initiative.order]
    placed = who in order and by in order
    paid = placed and went_first(combat, who) and order.index(who) < order.index(by)
    return who if who != by and (goes_first(combat, who) or paid) else ""


def _has_begun(combat: Combat, by: str) -> bool:
    """Returns whether it is too late to go first: this combatant, or one without precedence, has begun to act."""
    turn = combat.turn
    moments = [(turn.who, turn.spent), *turn.outer]
    begun = turn.who is None or any(spent or who == by for who, spent in moments)
    others = (who for who in turn.acted if not goes_first(combat, who))
    frames = (frame.by for frame in combat.exchange.frames)
    return begun or by in turn.acted or not all(went_first(combat, who) for who in (*others, *frames))
