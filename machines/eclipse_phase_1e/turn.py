"""The Action Turn: Initiative, Action Phases, and the actions of one combatant."""

from collections.abc import Iterator

from ledger.events import (
    ActionSpent,
    ChoiceRequested,
    ConditionGained,
    ConditionLost,
    Event,
    FigureFound,
    InitiativeScored,
    Option,
    OrderFixed,
    PassBegan,
    RollRequested,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from ledger.key import role
from ledger.modifier import total
from machines.chart import Deed
from machines.eclipse_phase_1e.profile import profile
from machines.eclipse_phase_1e.reading import UNABLE, attacks_left, sheet
from machines.eclipse_phase_1e.sheet import QuickTerms
from machines.ruleset import typed
from projections.combat import Combat

_INITIATIVE = "EP1 188 Initiative Order"
NEXT_PHASE = "their next Action Phase"
"""What ends a full defense."""
QUICK_ALONE, QUICK_BESIDE = 3, 1
"""Quick Actions in an Action Phase: without, and beside a Complex Action (EP1 189 Quick Actions)."""


def begin_turn(combat: Combat) -> Deed:
    """A new Action Turn of three seconds; what was to last until now ends.

    Source: EP1 188 Action Turns
    """
    combat = yield RoundBegan(combat.clock.round + 1)
    for who in combat.roster.who:
        for name, condition in combat.conditions.of(who).items():
            if combat.clock.has_come(condition.until):
                yield _fading(combat, who, name, condition.level)
            elif condition.until == NEXT_PHASE and combat.clock.round == 1:
                yield ConditionLost(who, name, "that was another fight")
    return None


def _fading(combat: Combat, who: str, name: str, level: int | None) -> Event:
    if level is not None and level > 10:
        source = "EP1 204 Shock Attacks"
        return ConditionGained(who, name, level - 10, combat.clock.ahead(1), "", "fades by 10", source)
    return ConditionLost(who, name, "its time is over")


def initiative_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Everybody rolls for Initiative in every Action Turn.

    Source: EP1 188 Initiative Order
    """
    for who in combat.roster.here():
        key = role(f"{combat.clock.period}/{who}", "initiative")
        yield RollRequested(key, who, profile(combat).initiative_dice, "initiative", "")


def read_initiative(combat: Combat) -> Deed:
    """INIT and the dice; the highest goes first.

    Source: EP1 188 Initiative Order; Ruling: EP1-C1, EP1-N6
    """
    rolled = {who: role(f"{combat.clock.period}/{who}", "initiative") for who in combat.roster.here()}
    for who, key in rolled.items():
        if combat.rolls[key].faces:  # whoever came while the others rolled waits for the next Action Turn
            faces, init, parts = sum(combat.rolls[key].faces), sheet(combat, who).init, combat.rolls.modifiers(key)
            why = " ".join([f"INIT {init} + {faces}", *(f"{part.value:+d} {part.why}" for part in parts)])
            combat = yield FigureFound(key, "score", init + faces + total(parts), why, _INITIATIVE, "exchange", who)
            score = combat.figures.number(key, "score")
            combat = yield InitiativeScored(who, score, key, why, _INITIATIVE)
    yield from in_order(combat)
    return None


def in_order(combat: Combat) -> Iterator[Event]:
    """The order of acting by the scores as they are.

    Source: EP1 188 Initiative Order; Ruling: EP1-N6
    """
    scores = [(who, combat.initiative.scores[who]) for who in combat.roster.here() if who in combat.initiative.scores]
    yield OrderFixed(tuple(sorted(scores, key=lambda one: (-one[1], -sheet(combat, one[0]).init))))


def begin_phase(combat: Combat) -> Deed:
    """The next Action Phase of this Action Turn.

    Source: EP1 188 Action Turns, 189 Speed
    """
    yield PassBegan(combat.clock.number + 1)
    return None


def next_up(combat: Combat) -> str:
    """Is anybody left to act in this phase, does another phase follow, or is the Action Turn over?

    Source: EP1 188 Action Turns, 189 Speed
    """
    if not combat.roster.here():
        return "nobody"
    if _waiting(combat, combat.clock.number):
        return "someone"
    return (
        "next_phase" if any(_waiting(combat, n, fresh=True) for n in range(combat.clock.number + 1, 5)) else "next_turn"
    )


def _waiting(combat: Combat, phase: int, *, fresh: bool = False) -> tuple[str, ...]:
    return tuple(
        who
        for who, _ in combat.initiative.order
        if sheet(combat, who).speed >= phase
        and (fresh or who not in combat.turn.acted)
        and not combat.conditions.has(who, *UNABLE)
    )


def begin_action_phase(combat: Combat) -> Deed:
    """It is the next combatant's moment; their full defense ends.

    Source: EP1 188 Action Turns, 198 Full Defense
    """
    who = _waiting(combat, combat.clock.number)[0]
    if combat.conditions.has(who, "full_defense"):
        yield ConditionLost(who, "full_defense", NEXT_PHASE)
    yield TurnBegan(who)
    return None


def offer_actions(combat: Combat) -> ChoiceRequested:
    """What may still be declared; ending the phase is the default.

    Source: EP1 189 Actions
    """
    who = combat.turn.who or ""
    acts = sum(count for name, count in combat.exchange.counts.items() if name.startswith(f"{who}/"))
    key = role(f"{combat.clock.period}/{who}/p{combat.clock.number}", "act", acts + 1)
    options = [Option("end", "end")]
    if not combat.conditions.has(who, *UNABLE):
        options = [*_possible(combat, who), *options]
    return ChoiceRequested(key, who, tuple(options), "end", "what to do")


def _possible(combat: Combat, who: str) -> Iterator[Option]:
    left = attacks_left(combat, who)
    free = complex_left(combat)
    if left:
        yield Option("attack", f"attack again ({left} left)")
    elif free:
        yield Option("attack", "attack")
    if free:
        yield Option("full_defense", "full defense")
        yield Option("complex", "Complex Action")
    if quick_left(combat) > 0:
        yield Option("quick", f"Quick Action ({quick_left(combat)} left)")


def complex_left(combat: Combat) -> bool:
    """Has whoever acts a Complex Action left? Not beside more Quick Actions than go with one.

    Source: EP1 189 Complex Actions, Quick Actions
    """
    quick = combat.turn.spent.get("quick", 0)
    return not combat.turn.spent.get("complex") and quick <= QUICK_BESIDE


def quick_left(combat: Combat) -> int:
    """Quick Actions that whoever acts still has.

    Source: EP1 189 Quick Actions
    """
    spent = combat.turn.spent
    return (QUICK_BESIDE if spent.get("complex") else QUICK_ALONE) - spent.get("quick", 0)


def act_quickly(combat: Combat) -> Deed:
    """A Quick Action; standing up is one.

    Source: EP1 189 Quick Actions
    """
    frame = combat.exchange.frame
    assert frame is not None
    yield ActionSpent(frame.by, "quick", 1)
    if typed(frame.terms, QuickTerms).stand and combat.conditions.has(frame.by, "prone"):
        yield ConditionLost(frame.by, "prone", "stands up")
    return None


def act_at_length(combat: Combat) -> Deed:
    """A Complex Action other than an attack.

    Source: EP1 189 Complex Actions
    """
    frame = combat.exchange.frame
    assert frame is not None
    yield ActionSpent(frame.by, "complex", 1)
    return None


def defend_fully(combat: Combat) -> Deed:
    """+30 to defense until the next Action Phase.

    Source: EP1 198 Full Defense
    """
    frame = combat.exchange.frame
    assert frame is not None
    yield ActionSpent(frame.by, "complex", 1)
    why, source = "full defense", "EP1 198 Full Defense"
    yield ConditionGained(frame.by, "full_defense", None, NEXT_PHASE, frame.key, why, source)
    return None


def end_action_phase(combat: Combat) -> Deed:
    """Their moment is over.

    Source: EP1 188 Action Turns
    """
    yield TurnEnded(combat.turn.who or "")
    return None
