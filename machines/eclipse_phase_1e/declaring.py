"""What may be declared, by whom and when."""

from collections.abc import Callable, Mapping
from typing import Any

from machines import refusals as no
from machines.eclipse_phase_1e.attack import defenses
from machines.eclipse_phase_1e.moment import DELAYING, complex_left, quick_left
from machines.eclipse_phase_1e.movement import ACTIONS
from machines.eclipse_phase_1e.moxie import left
from machines.eclipse_phase_1e.reading import HELD, UNABLE, arms, needed, one_of, speed
from machines.eclipse_phase_1e.striking import attack_of
from machines.eclipse_phase_1e.tables import FIRING_MODES
from machines.eclipse_phase_1e.terms import (
    AimTerms,
    AttackTerms,
    BreakFreeTerms,
    ComplexTerms,
    MoveTerms,
    NoTerms,
    QuickTerms,
    ReloadTerms,
    SuppressedTerms,
    SuppressTerms,
    TaskTerms,
    Terms,
)
from projections.combat import Combat

Check = Callable[[Combat, str, Any], None]


def _able(combat: Combat, by: str) -> None:
    for state in UNABLE:
        if combat.conditions.has(by, state):
            raise no.CannotAct(f"{by} is {state}", where="by", accepts="end")


def free_to_move(combat: Combat, by: str) -> None:
    """Refuse what somebody cannot do because they are out, held or disoriented."""
    _able(combat, by)
    if combat.conditions.has(by, HELD):
        raise no.CannotAct(f"{by} is held", where="by", accepts="break_free, or what needs no body")
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


def check_quick(combat: Combat, by: str, _: QuickTerms) -> None:
    """A Quick Action; whoever is held or disoriented may still do something small."""
    _able(combat, by)
    spend_quick(combat, by)


def check_complex(combat: Combat, by: str, terms: ComplexTerms) -> None:
    """Another Complex Action; whoever is disoriented can only regain their wits."""
    _able(combat, by)
    if combat.conditions.has(by, "disoriented") and not terms.regain:
        raise no.CannotAct(f"{by} is disoriented", where="by", accepts="complex with regain = true")
    spend_complex(combat, by)


def check_whole_phase(combat: Combat, by: str, _: Terms) -> None:
    """Full defense, a Task Action."""
    free_to_move(combat, by)
    spend_complex(combat, by)


def check_task(combat: Combat, by: str, terms: TaskTerms) -> None:
    """A Task Action, which takes what a Complex Action takes."""
    if not terms.what.strip():
        raise no.BadTerms("a task needs words", where="what", accepts="what is done")
    check_whole_phase(combat, by, terms)


def check_aim(combat: Combat, by: str, terms: AimTerms) -> None:
    """Aiming at somebody; the quick way only where no other Quick Action was taken."""
    free_to_move(combat, by)
    _at_another(combat, by, terms.at)
    if terms.complex:
        spend_complex(combat, by)
    elif combat.turn.spent.get("quick"):
        raise no.ActionUsedUp("aiming is the only Quick Action of its phase", where="kind", accepts="a complex aim")
    else:
        spend_quick(combat, by)


def _at_another(combat: Combat, by: str, at: str) -> None:
    others = tuple(who for who, one in combat.roster.who.items() if one.here and who != by)
    if at not in others:
        raise no.UnknownCombatant(f"{by} cannot attack {at!r}", where="at", accepts=", ".join(others) or "nobody")


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
    _SPENT[ACTIONS[terms.how]](combat, by)


def check_suppress(combat: Combat, by: str, terms: SuppressTerms) -> None:
    """A weapon that fires fully automatically, with rounds enough."""
    free_to_move(combat, by)
    spend_complex(combat, by)
    mode = next(mode for mode in FIRING_MODES.values() if mode.suppresses)
    automatic = tuple(name for name, weapon in arms(combat, by).items() if "full" in weapon.modes)
    one_of(terms.using, automatic, "using")
    enough_rounds(combat, by, terms.using, mode.rounds)


def enough_rounds(combat: Combat, by: str, weapon: str, rounds: int) -> None:
    """Refuse a firing mode for which the magazine has too few shots."""
    magazine = combat.resources.resource(by, weapon)
    if magazine.of and magazine.left < rounds:
        accepts = "another mode, or reload"
        raise no.CannotAct(f"{by}'s {weapon} has {magazine.left} of the {rounds} shots", where="mode", accepts=accepts)


def check_suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> None:
    """The free attack of whoever suppresses, once on each."""
    _able(combat, by)
    if not combat.conditions.has(by, "suppressing"):
        raise no.CannotAct(f"{by} lays down no suppressive fire", where="by", accepts="whoever does")
    _at_another(combat, by, terms.at)
    if combat.figures.of(by, f"has suppressed {terms.at}") == combat.figures.of(by, "suppresses since"):
        raise no.ActionUsedUp(f"{by} has fired at {terms.at} already", where="at", accepts="each of them once")
    if not combat.conditions.has(terms.at, *UNABLE):
        weapon = AttackTerms(at=terms.at, using=str(combat.figures.of(by, "suppresses with")))
        defenses(combat, attack_of(combat, "", by, weapon))


def check_break_free(combat: Combat, by: str, terms: BreakFreeTerms) -> None:
    """Only out of a hold, and with a skill that both have."""
    _able(combat, by)
    if not combat.conditions.has(by, HELD):
        raise no.CannotAct(f"{by} is not held", where="by", accepts="whoever is")
    spend_complex(combat, by)
    holder = str(combat.figures.of(by, "held by"))
    for who in (by, holder) if terms.by != "som" else ():
        needed(combat, who, terms.by)


def check_delay(combat: Combat, by: str, _: NoTerms) -> None:
    """Delaying comes before doing anything."""
    free_to_move(combat, by)
    if combat.turn.spent:
        raise no.ActionUsedUp(f"{by} has begun to act", where="kind", accepts="end")


def check_act(combat: Combat, by: str, _: NoTerms) -> None:
    """A delayed action, by whoever delayed one."""
    _in_a_fight(combat)
    _able(combat, by)
    if not combat.conditions.has(by, DELAYING):
        raise no.NotYourTurn(f"{by} has delayed no action", where="by", accepts="delay first, in an Action Phase")


def check_act_first(combat: Combat, by: str, _: NoTerms) -> None:
    """Before anybody has acted in a phase in which one has a moment oneself, for a point of Moxie."""
    _in_a_fight(combat)
    _able(combat, by)
    if left(combat, by) < 1:
        raise no.CannotAct(f"{by} has no Moxie left", where="by", accepts="at least 1 point")
    if by not in combat.initiative.scores or speed(combat, by) < combat.clock.number or not combat.clock.number:
        raise no.NotYourTurn(
            f"{by} has no moment in this Action Phase", where="by", accepts="a phase within one's Speed"
        )
    begun = combat.turn.spent or combat.exchange.frames or combat.turn.who in (None, by) or combat.turn.outer
    others = [who for who in combat.turn.acted if combat.figures.of(who, "went first") != combat.clock.number]
    if begun or others or by in combat.turn.acted:
        raise no.NotYourTurn("somebody has acted in this phase already", where="by", accepts="the beginning of a phase")


def _in_a_fight(combat: Combat) -> None:
    if not combat.clock.fighting:
        raise no.NotFighting("no fight is going on", where="combat", accepts="begin one first")
