"""What may be declared, by whom and when."""

from collections.abc import Callable, Mapping

from machines.contract import refusals as no
from machines.contract.toolkit import check_another, check_in_a_fight, one_of
from machines.eclipse_phase.family.ambush import SURPRISED
from machines.eclipse_phase.family.harm import check_can_be_harmed
from machines.eclipse_phase.first.actions.actions import DELAYING, automatic, complex_left, quick_left
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
    SuppressTerms,
    TaskTerms,
    Terms,
)
from machines.eclipse_phase.first.attack.attack import defenses, is_on_guard
from machines.eclipse_phase.first.attack.attack_context import Attack, attack_of
from machines.eclipse_phase.first.attack.outcome import mishap
from machines.eclipse_phase.first.attack.ranges import band_at
from machines.eclipse_phase.first.sheet.sheet_access import HELD, arms, check_able, gravity, needed, speed
from machines.eclipse_phase.first.success_tests.moxie import left
from machines.eclipse_phase.first.tables.tables import FIRING_MODES, MISHAPS, RANGES
from machines.eclipse_phase.first.turn.initiative import goes_first
from machines.eclipse_phase.first.turn.movement import ACTIONS, SPRINTS, allowance, moved
from machines.eclipse_phase.first.turn.turn import went_first
from projections.combat import Combat


def free_to_move(combat: Combat, by: str) -> None:
    """Refuse what somebody cannot do because they are out, held or disoriented."""
    check_able(combat, by, "end")
    if combat.conditions.has(by, HELD):
        raise no.CannotAct(f"{by} is held", where="by", accepts="break_free, or what needs no body")
    _not_disoriented(combat, by)


def _not_disoriented(combat: Combat, by: str) -> None:
    if combat.conditions.has(by, "disoriented"):
        raise no.CannotAct(f"{by} is disoriented", where="by", accepts="complex with regain = true")


def spend_complex(combat: Combat, by: str) -> None:
    """Refuse a second Complex Action."""
    if not complex_left(combat):
        raise no.ActionUsedUp(f"{by} has used up what a Complex Action takes", where="kind", accepts="quick or end")


def spend_quick(combat: Combat, by: str) -> None:
    """Refuse more Quick Actions than the phase has."""
    if quick_left(combat) < 1:
        raise no.ActionUsedUp(f"{by} has no Quick Action left", where="kind", accepts="end")


_SPENT: Mapping[str, Callable[[Combat, str], None]] = {"quick": spend_quick, "complex": spend_complex}


def check_quick(combat: Combat, by: str, terms: QuickTerms) -> None:
    """A Quick Action; whoever is held or disoriented may still do something small, but nobody held stands up."""
    check_able(combat, by, "end")
    if terms.stand and combat.conditions.has(by, HELD):
        raise no.CannotAct(f"{by} is held", where="stand", accepts="break_free first")
    spend_quick(combat, by)


def check_complex(combat: Combat, by: str, terms: ComplexTerms) -> None:
    """Another Complex Action; whoever is disoriented can only regain their wits."""
    check_able(combat, by, "end")
    if combat.conditions.has(by, "disoriented") and not terms.regain:
        raise no.CannotAct(f"{by} is disoriented", where="by", accepts="complex with regain = true")
    mine = tuple(name for name in combat.conditions.of(by) if name.endswith(tuple(f"_{row}" for row in MISHAPS)))
    one_of(terms.repair, ("", *mine), "repair")
    spend_complex(combat, by)


def check_whole_phase(combat: Combat, by: str, terms: Terms) -> None:
    """Full defense, a Task Action; whoever is held may still defend their mind."""
    check_able(combat, by, "end")
    if not (isinstance(terms, FullDefenseTerms) and terms.mental and combat.conditions.has(by, HELD)):
        free_to_move(combat, by)
    _not_disoriented(combat, by)
    spend_complex(combat, by)


def check_task(combat: Combat, by: str, terms: TaskTerms) -> None:
    """A Task Action, which takes what a Complex Action takes."""
    if not terms.what.strip():
        raise no.BadTerms("a task needs words", where="what", accepts="what is done")
    check_whole_phase(combat, by, terms)


def check_aim(combat: Combat, by: str, terms: AimTerms) -> None:
    """Aiming at somebody; the quick way only where no other Quick Action was taken."""
    free_to_move(combat, by)
    check_another(combat, by, terms.at)
    if terms.complex:
        spend_complex(combat, by)
    elif combat.turn.spent.get("quick"):
        raise no.ActionUsedUp("aiming is the only Quick Action of its phase", where="kind", accepts="a complex aim")
    else:
        spend_quick(combat, by)


def check_reload(combat: Combat, by: str, terms: ReloadTerms) -> None:
    """A weapon whose shots are counted and that is not full."""
    free_to_move(combat, by)
    counted = tuple(name for name, weapon in arms(combat, by).items() if weapon.ammo)
    one_of(terms.weapon, counted, "weapon")
    magazine = combat.resources.resource(by, terms.weapon)
    if magazine.left >= magazine.of:
        raise no.CannotAct(f"{by}'s {terms.weapon} is full", where="weapon", accepts="another weapon")
    _SPENT["quick" if terms.quick else "complex"](combat, by)


def check_move(combat: Combat, by: str, terms: MoveTerms) -> None:
    """Walking, running and so on, by what it costs; nobody who lies on the ground runs."""
    free_to_move(combat, by)
    if combat.conditions.has(by, "prone") and terms.how not in ("crawl", "swim"):
        raise no.CannotAct(f"{by} is prone", where="how", accepts="crawl, or stand up first: quick with stand = true")
    before = moved(combat, by)
    if before and before >= allowance(combat, by, terms.how):
        raise no.ActionUsedUp(f"{by} has moved {before} m in this phase", where="how", accepts="a faster way, or end")
    if terms.how in SPRINTS:
        needed(combat, by, gravity(combat).skill)
    _SPENT[ACTIONS[terms.how]](combat, by)


def check_suppress(combat: Combat, by: str, terms: SuppressTerms) -> None:
    """A weapon that fires fully automatically, with rounds enough."""
    free_to_move(combat, by)
    spend_complex(combat, by)
    mode = next(mode for mode in FIRING_MODES.values() if mode.suppresses)
    one_of(terms.using, tuple(automatic(combat, by)), "using")
    in_order(combat, by, terms.using)
    enough_rounds(combat, by, terms.using, mode.rounds)


def in_order(combat: Combat, by: str, weapon: str) -> None:
    """Refuse a weapon with which something has gone wrong."""
    for row in MISHAPS:
        if combat.conditions.has(by, mishap(weapon, row)):
            raise no.CannotAct(f"{by}'s {weapon} is {row}", where="using", accepts="another weapon, or put it right")


def enough_rounds(combat: Combat, by: str, weapon: str, rounds: int) -> None:
    """Refuse a firing mode for which the magazine has too few shots."""
    magazine = combat.resources.resource(by, weapon)
    if magazine.of and magazine.left < rounds:
        accepts = "another mode, or reload"
        raise no.CannotAct(f"{by}'s {weapon} has {magazine.left} of the {rounds} shots", where="mode", accepts=accepts)


def check_suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> None:
    """The free attack of whoever suppresses, once on each, within the weapon's reach."""
    check_in_a_fight(combat)
    free_to_move(combat, by)
    if not combat.conditions.has(by, "suppressing"):
        raise no.CannotAct(f"{by} lays down no suppressive fire", where="by", accepts="whoever does")
    check_another(combat, by, terms.at)
    if combat.figures.of(by, f"has suppressed {terms.at}") == combat.figures.of(by, "suppresses since"):
        raise no.ActionUsedUp(f"{by} has fired at {terms.at} already", where="at", accepts="each of them once")
    using = str(combat.figures.of(by, "suppresses with"))
    one_of(using, tuple(arms(combat, by)), "using")
    in_order(combat, by, using)
    one_of(terms.range, ("", *RANGES), "range")
    if not terms.range and not band_at(combat, by, arms(combat, by)[using], terms.distance):
        raise no.BadTerms(f"{using} does not reach {terms.distance} m", where="distance", accepts="within its range")
    now = attack_of(combat, "", by, AttackTerms(at=terms.at, using=using))
    check_can_be_harmed(combat, now.at, now.weapon.harms)
    check_defense(combat, now)


def check_defense(combat: Combat, now: Attack) -> None:
    """Refuse an attack on somebody who could defend, and whose sheet has nothing to do so with.

    Raises:
        Incomplete: It has nothing.
    """
    if is_on_guard(combat, now) and not defenses(combat, now):
        where, accepts = f"combatants.{now.at}.sheet", "skills.fray or aptitudes.ref"
        raise no.Incomplete(f"{now.at}'s sheet has nothing to defend with", where=where, accepts=accepts)


def check_break_free(combat: Combat, by: str, _: BreakFreeTerms) -> None:
    """Only out of a hold, with one's wits about one."""
    check_able(combat, by, "end")
    if not combat.conditions.has(by, HELD):
        raise no.CannotAct(f"{by} is not held", where="by", accepts="whoever is")
    _not_disoriented(combat, by)
    spend_complex(combat, by)


def check_delay(combat: Combat, by: str, _: NoTerms) -> None:
    """Delaying comes before doing anything."""
    free_to_move(combat, by)
    if combat.turn.spent:
        raise no.ActionUsedUp(f"{by} has begun to act", where="kind", accepts="end")


def check_act(combat: Combat, by: str, _: NoTerms) -> None:
    """A delayed action, by whoever delayed one, in the moment of somebody else."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    _not_surprised(combat, by)
    if not combat.conditions.has(by, DELAYING):
        raise no.NotYourTurn(f"{by} has delayed no action", where="by", accepts="delay first, in an Action Phase")
    if combat.turn.who is None:
        raise no.NotYourTurn("nobody acts while Initiative is rolled", where="by", accepts="an Action Phase")


def check_act_first(combat: Combat, by: str, _: NoTerms) -> None:
    """Before anybody has acted in a phase in which one has a moment oneself, for a point of Moxie."""
    check_in_a_fight(combat)
    check_able(combat, by, "end")
    _not_surprised(combat, by)
    if left(combat, by) < 1:
        raise no.CannotAct(f"{by} has no Moxie left", where="by", accepts="at least 1 point")
    if by not in combat.initiative.scores or speed(combat, by) < combat.clock.number or not combat.clock.number:
        raise no.NotYourTurn(
            f"{by} has no moment in this Action Phase", where="by", accepts="a phase within one's Speed"
        )
    ahead = _ahead_of_moxie(combat, by)
    if ahead:
        raise no.NotYourTurn(f"{ahead} goes before {by} even so", where="by", accepts=f"after {ahead}")
    if _has_begun(combat, by):
        raise no.NotYourTurn("somebody has acted in this phase already", where="by", accepts="the beginning of a phase")


def _ahead_of_moxie(combat: Combat, by: str) -> str:
    """Whoever's moment it is by a critical, or by Moxie and a higher Initiative; empty where it is neither."""
    who = combat.turn.who or ""
    order = [each for each, _ in combat.initiative.order]
    placed = who in order and by in order
    paid = placed and went_first(combat, who) and order.index(who) < order.index(by)
    return who if who != by and (goes_first(combat, who) or paid) else ""


def _has_begun(combat: Combat, by: str) -> bool:
    """Has anybody acted in this phase who does not go before everybody else anyway, or has one begun to oneself?"""
    turn = combat.turn
    moments = [(turn.who, turn.spent), *turn.outer]
    begun = turn.who is None or any(spent or who == by for who, spent in moments)
    others = (who for who in turn.acted if not goes_first(combat, who))
    frames = (frame.by for frame in combat.exchange.frames)
    return begun or by in turn.acted or not all(went_first(combat, who) for who in (*others, *frames))


def _not_surprised(combat: Combat, by: str) -> None:
    if combat.conditions.has(by, SURPRISED):
        raise no.CannotAct(f"{by} is surprised", where="by", accepts="the second Action Phase")
