"""Initiative: rolled once for the fight, lowered by wounds, and the order of acting."""

from collections.abc import Iterator, Mapping

from ledger.dice import parse
from ledger.events import ConditionLost, Event, InitiativeScored, ModifierApplied, OrderFixed, RollRequested
from ledger.key import role
from ledger.modifier import listed, total
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.ambush import AMBUSHED
from machines.eclipse_phase.family.edition import SCORE
from machines.eclipse_phase.family.success import counted, weight
from machines.eclipse_phase.family.turn import PER, initiative_key
from machines.eclipse_phase.second.figure_names import ROLL_OFFS
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import aptitude, sheet, states, traits
from machines.eclipse_phase.second.success_tests.pools import group
from projections.combat import Combat

_INITIATIVE = "EP2 03/04 Initiative Order"


TIE = FigureName("tie", int, scope="combatant")
"""Figure that orders combatants of equal Initiative, the higher first."""
ROLL_OFF = FigureName("roll-off", int, scope="combatant")


def stat(combat: Combat, who: str) -> int:
    """Returns Initiative: stated, or (REF + INT) / 5, plus traits.

    Source: EP2 04/01 Derived Stat Formulas
    """
    owner = sheet(combat, who)
    more = sum(trait.initiative for trait in traits(combat, who))
    if owner.init is not None:
        return owner.init + more
    return half_up(aptitude(combat, who, "ref") + aptitude(combat, who, "int"), 5) + more


# ------------------------------------------------------------------------------------------------ rolling


def have_all_rolled(combat: Combat) -> bool:
    """Returns whether every combatant has a score."""
    return not newcomers(combat)


def newcomers(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants without a place in the order: all when the fight begins, later those who join.

    Source: EP2 03/04 Initiative Order
    """
    alive = (who for who in combat.roster.here() if not combat.conditions.has(who, "dead", "mind_lost"))
    placed = {who for who, _ in combat.initiative.order}
    return tuple(who for who in alive if who not in placed)


def rollers(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants who roll; the first of a group rolls for all.

    Source: EP2 03/04 Initiative Order, 12/01 Resolving Combat; Ruling: EP2-N10
    """
    new = newcomers(combat)
    return tuple(who for who in new if who == next(one for one in group(combat, who) if one in new))


def handicaps(combat: Combat, who: str) -> Iterator[Event]:
    """Yields what wounds, traumas, conditions and an ambush subtract from the coming score."""
    key, row = initiative_key(combat, who), profile(combat)
    for name, count, each in (
        ("wounds", counted(combat, who, "wounds") + weight(combat, who), row.initiative_per_wound),
        ("traumas", counted(combat, who, "traumas"), row.initiative_per_trauma),
    ):
        if count * each:
            yield ModifierApplied(key, -count * each, f"{count} {name}", "EP2 12/16 Wound Effects")
    for state in states(combat, who):
        if state.initiative:
            yield ModifierApplied(key, state.initiative, state.name, state.source)
    if combat.conditions.has(who, AMBUSHED):
        yield ModifierApplied(key, -row.surprise_initiative, "ambushed", "EP2 12/21 Surprise")


def read_initiative(combat: Combat) -> Deed:
    """Computes the scores and the order, the highest first.

    Ruling: EP2-N10
    """
    for who in rollers(combat):
        if combat.rolls[initiative_key(combat, who)].faces:
            for one in (each for each in group(combat, who) if each in newcomers(combat)):
                combat = yield from _score(combat, one, initiative_key(combat, who))
    yield from in_order(combat)
    return None


def _score(combat: Combat, who: str, key: str) -> Telling:
    roll, parts, mine = (
        combat.rolls[key],
        combat.rolls.modifiers(initiative_key(combat, who)),
        initiative_key(combat, who),
    )
    init = max(stat(combat, one) for one in group(combat, who))
    faces = sum(roll.faces) + parse(roll.dice).add
    why = f"Initiative {init} + {faces}{listed(parts)}"
    combat = yield SCORE.found(mine, init + faces + total(parts), why, _INITIATIVE, who=who)
    tie = sheet(combat, who).aptitudes.ref or 0
    for name, value in ((TIE, tie), (ROLL_OFF, 0)):
        combat = yield name.found(mine, value, "", _INITIATIVE, who=who)
    if combat.conditions.has(who, AMBUSHED):
        combat = yield ConditionLost(who, AMBUSHED, "Initiative is rolled")
    return (yield InitiativeScored(who, SCORE.at(combat, mine), key, why, _INITIATIVE))


# ------------------------------------------------------------------------------------------------ ties


def is_tied(combat: Combat) -> bool:
    """Returns whether there are ties to roll off."""
    return ROLLS_OFF[profile(combat).initiative_ties] and bool(_tied(combat))


ROLLS_OFF: Mapping[str, bool] = {"reflexes": False, "roll_off": True}
"""Whether ties are rolled off, by the profile's field."""


def _tied(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants with equal scores, including a new one, that no roll-off has separated."""
    places: dict[tuple[int, int], list[str]] = {}
    for who in combat.roster.here():
        if who in combat.initiative.scores and group(combat, who)[0] == who:
            places.setdefault((combat.initiative.scores[who], _rolled_off(combat, who)), []).append(who)
    return tuple(who for tied in places.values() if len(tied) > 1 and _fresh(combat, tied) for who in tied)


def _fresh(combat: Combat, tied: list[str]) -> bool:
    return any(combat.rolls[initiative_key(combat, who)].faces for who in tied)


def _rolled_off(combat: Combat, who: str) -> int:
    """Returns the combined value of earlier roll-offs; each later one decides less."""
    return ROLL_OFF.of(combat, who)


def roll_offs(combat: Combat) -> Iterator[RollRequested]:
    """Requests the roll-offs of tied combatants."""
    for who in _tied(combat):
        yield RollRequested(_off_key(combat, who), who, profile(combat).initiative_dice, "roll-off", "")


def _off_key(combat: Combat, who: str) -> str:
    nth = ROLL_OFFS.of(combat, who) + 1
    return role(f"{combat.clock.period}/{who}", ROLL_OFF.name, nth)


def read_roll_offs(combat: Combat) -> Deed:
    """Reads the roll-offs: the higher goes first, equal ones roll again."""
    for who in _tied(combat):
        key, nth = _off_key(combat, who), ROLL_OFFS.of(combat, who) + 1
        value = _rolled_off(combat, who) * 10 + combat.rolls[key].total
        why = f"{combat.rolls[key].total} in a roll-off"
        combat = yield ROLL_OFFS.found(key, nth, "", HERE, who=who)
        for one in group(combat, who):
            combat = yield ROLL_OFF.found(f"{key}/{one}", value, why, HERE, who=one)
    yield from in_order(combat)
    return None


# ------------------------------------------------------------------------------------------------ order


def in_order(combat: Combat) -> Iterator[Event]:
    """Yields the order of acting by the present scores; ties go by roll-off, REF, or place of a delayed action.

    Source: EP2 03/04 Initiative Order, Delaying Actions
    """
    here = [who for who in combat.roster.here() if who in combat.initiative.scores]

    def place(who: str) -> tuple[int, int, int]:
        return -combat.initiative.scores[who], -_rolled_off(combat, who), -TIE.of(combat, who)

    yield OrderFixed(tuple((who, combat.initiative.scores[who]) for who in sorted(here, key=place)))


def steps_in(combat: Combat, who: str, before: str, key: str) -> Telling:
    """Moves a combatant to the place in the order at which they took their delayed action.

    Source: EP2 03/04 Delaying Actions
    """
    source = "EP2 03/04 Delaying Actions"
    score = combat.initiative.scores.get(before)
    if score is None or before == who:
        return combat
    tie = TIE.of(combat, before) + 1
    for name, value in ((TIE, tie), (ROLL_OFF, _rolled_off(combat, before))):
        combat = yield name.found(key, value, "", source, who=who)
    why = f"acts before {before}"
    combat = yield InitiativeScored(who, score, key, why, source)
    combat = yield from emit(combat, in_order(combat))
    return combat


def each_lowers(combat: Combat, kind: str) -> int:
    """Returns the Initiative lost for each wound or trauma.

    Source: EP2 12/16 Wound Effects, 12/18 Trauma Effects
    """
    return PER[kind](profile(combat))
