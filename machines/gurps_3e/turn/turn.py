"""The combat turn: the order of acting, and what begins and ends a combatant's turn."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ConditionGained,
    ConditionLost,
    Event,
    InitiativeScored,
    OrderFixed,
    RollRequested,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import BadSituation
from machines.contract.toolkit import Telling, emit
from machines.gurps_3e.attack.aiming import AIMED_IN, AIMING
from machines.gurps_3e.attack.critical import ONLY_DEFENDS
from machines.gurps_3e.defense.active_defense import feinted_by, feinted_in
from machines.gurps_3e.harm.dying import CONSCIOUSNESS, faint, prepare_consciousness
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.postures import take_posture
from machines.gurps_3e.sheet.sheet_access import (
    NEXT_TURN,
    SHOCK,
    STUNNED,
    THIS_TURN,
    UNABLE,
    health,
    hits_left,
    move,
    sheet,
    situation,
)
from machines.gurps_3e.success_rolls.success import passed, prepare, request_roll, resolve_rolls
from projections.combat import Combat

RECOVER = "recover"
ORDER = "B 95 Turn Sequence"


# ------------------------------------------------------------------------------------------------ the order


def begin_round(combat: Combat) -> Deed:
    """Begins a turn of one second for all combatants, in order of Move.

    Ruling: G3-N1
    """
    combat = yield RoundBegan(combat.clock.round + 1)
    for who in combat.roster.who:
        combat = yield from emit(combat, _endings(combat, who))
    if combat.clock.round == 1:
        combat = yield from _take_places(combat)
    for who in combat.roster.here():
        score = SCORES[profile(combat).acting_order](combat, who)
        combat = yield InitiativeScored(who, score, f"{combat.clock.period}/{who}/initiative", f"Move {score}", HERE)
    yield from in_order(combat)
    return None


SCORES: Mapping[str, Callable[[Combat, str], int]] = {
    "anew": move,
    "fixed": lambda combat, who: sheet(combat, who).full_move,
}
"""The Move that the order of acting goes by, by the value of the profile's field."""


def _take_places(combat: Combat) -> Telling:
    """Applies the postures with which the fight begins."""
    here = combat.roster.here()
    for who, name in situation(combat).postures.items():
        if who not in here:
            where = f"begin.postures.{who}"
            raise BadSituation(f"there is no {who!r} here", where=where, accepts=", ".join(here))
        combat = yield from take_posture(
            combat, who, name, combat.clock.period, "from the beginning", "B 203 Positions"
        )
    return combat


def _endings(combat: Combat, who: str) -> Iterator[Event]:
    for name, condition in combat.conditions.of(who).items():
        another = combat.clock.round == 1 and condition.until in FLEETING
        if another or combat.clock.has_come(condition.until):
            yield ConditionLost(who, name, "that was another fight" if another else "its time is over")


FLEETING = (NEXT_TURN, THIS_TURN, "another maneuver", "the end of the fight", "the end of their next turn")
"""Ends of conditions that do not outlast a fight."""


def in_order(combat: Combat) -> Iterator[Event]:
    """Yields the order of acting: Move, then Basic Speed, then DX.

    Source: B 95 Turn Sequence; Ruling: G3-N1
    """
    scores = combat.initiative.scores
    here = [who for who in combat.roster.here() if who in scores]

    def place(who: str) -> tuple[int, int, int]:
        return -scores[who], -sheet(combat, who).basic_speed, -sheet(combat, who).dx

    yield OrderFixed(tuple((who, scores[who]) for who in sorted(here, key=place)))


def waiting_for_turn(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants whose turn is still to come, in order.

    Source: B 95 Turn Sequence
    """
    order = (who for who, _ in combat.initiative.order)
    return tuple(who for who in order if who not in combat.turn.acted and not combat.conditions.has(who, *UNABLE))


def who_is_next(combat: Combat) -> str:
    """Returns whether a combatant has a turn left, all have acted, or none can act any more."""
    if waiting_for_turn(combat):
        return "someone"
    able = any(not combat.conditions.has(who, *UNABLE) for who in combat.roster.here())
    return "next_turn" if able else "nobody"


# ------------------------------------------------------------------------------------------------ one's own turn


def begin_turn(combat: Combat) -> Deed:
    """Begins a combatant's turn: conditions that lasted until now end, and shock is felt."""
    who = waiting_for_turn(combat)[0]
    combat = yield from emit(combat, what_ends_now(combat, who))
    yield TurnBegan(who)
    return None


def what_ends_now(combat: Combat, who: str) -> Iterator[Event]:
    """Yields the end of conditions that last until this turn; shock carries over into it.

    Source: B 126 Shock, 105 All-Out Attack, 105 Feint
    """
    for name, condition in combat.conditions.of(who).items():
        if name == SHOCK and condition.until == NEXT_TURN:
            key = f"{combat.clock.period}/{who}"
            yield ConditionGained(
                who, SHOCK, condition.level, THIS_TURN, key, "wounds since the last turn", "B 126 Shock"
            )
        elif condition.until == NEXT_TURN:
            yield ConditionLost(who, name, condition.until)


def is_at_nothing(combat: Combat) -> Deed:
    """Prepares the HT roll of a combatant at 0 hit points or fewer."""
    who = combat.turn.who or ""
    if hits_left(combat, who) > 0:
        return "no"
    yield from prepare_consciousness(combat, turn_key(combat, CONSCIOUSNESS), who)
    return "yes"


def turn_key(combat: Combat, name: str) -> str:
    """Returns the key of a roll at the beginning of the turn."""
    return role(f"{combat.clock.period}/{combat.turn.who}", name)


def consciousness_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT with Will."""
    yield request_roll(combat, turn_key(combat, CONSCIOUSNESS), combat.turn.who or "", "stay conscious")


def read_consciousness(combat: Combat) -> Deed:
    """Reads the roll: acts, or is unconscious."""
    who = combat.turn.who or ""
    combat = yield from faint(combat, turn_key(combat, CONSCIOUSNESS), who)
    return "out" if combat.conditions.has(who, *UNABLE) else "acts"


def is_stunned(combat: Combat) -> Deed:
    """Prepares the recovery roll of a stunned combatant."""
    who = combat.turn.who or ""
    if not combat.conditions.has(who, STUNNED):
        return "no"
    ht = health(combat, who)
    yield from prepare(combat, turn_key(combat, RECOVER), who, ht, f"HT {ht}", HERE)
    return "yes"


def recovery_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT."""
    yield request_roll(combat, turn_key(combat, RECOVER), combat.turn.who or "", "recover from being stunned")


def read_recovery(combat: Combat) -> Deed:
    """Reads the roll: recovered, or no action in this turn."""
    who, key = combat.turn.who or "", turn_key(combat, RECOVER)
    combat = yield from resolve_rolls(combat, key)
    if not passed(combat, key):
        return "stunned"
    yield ConditionLost(who, STUNNED, "recovered")
    return "acts"


def end_turn(combat: Combat) -> Deed:
    """Ends a combatant's turn: shock, an aim that was not kept up, and unused feints end."""
    who = combat.turn.who or ""
    for name, condition in combat.conditions.of(who).items():
        if condition.until == THIS_TURN or (name == ONLY_DEFENDS):
            combat = yield ConditionLost(who, name, THIS_TURN)
    if combat.conditions.has(who, AIMING) and AIMED_IN.of(combat, who) != combat.clock.period:
        combat = yield ConditionLost(who, AIMING, "not kept up")
    name = feinted_by(who)
    for other in combat.roster.who:
        since = feinted_in(who).of(combat, other)
        if combat.conditions.has(other, name) and since != combat.clock.period:
            combat = yield ConditionLost(other, name, f"{who}'s next turn is over")
    yield TurnEnded(who)
    return None
