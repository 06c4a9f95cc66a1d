"""Tiny d20: a complete game in a module and two tables. 1d20 + bonus must reach a defense; a hit costs hit points."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from ledger import events as e
from ledger.modifier import total
from machines.contract.action import Action, Line, menu
from machines.contract.chart import HERE, Chart, Deed, Do, End, Roll
from machines.contract.figure_names import FigureName
from machines.contract.figures import Number, bounds_by_name
from machines.contract.offering import next_action, others
from machines.contract.row_fields import RowOf
from machines.contract.ruleset import Ruleset, typed
from machines.contract.tables import Book, Row, load
from machines.contract.toolkit import check_another, counted, down, frame, key_of, modified, thrown
from machines.secrecy.part_sources import of_sheet, of_wounds
from projections.combat import Combat
from projections.vocabulary import Outcome, Sums, Vocabulary

HIT_POINTS, DOWN, WOUNDS = "hit points", "down", "wounds"
BASE = FigureName("skill", int)
BONUS = FigureName("bonus", int)
DEFENSE = FigureName("defense", int)
FIGURES = bounds_by_name(dict.fromkeys((BASE, BONUS, DEFENSE), Number(-100, 100)))
CRITICAL, HIT, MISS = "critical", "hit", "miss"


class Weapon(Row, frozen=True):
    """A row of the weapon table."""

    name: str
    to_hit: int
    damage: str


class Situation(Row, frozen=True):
    """A row of the table of situations."""

    name: str
    modifier: int


WEAPONS = {row.name: row for row in load(__name__, "weapons.toml", Weapon)}
SITUATIONS = {row.name: row for row in load(__name__, "situations.toml", Situation)}


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of the game."""

    name: str
    source: str
    wound_at: int = 5
    """The damage of one blow from which it wounds."""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter."""

    skill: int
    defense: int = 10
    initiative: int = 0
    hit_points: int = 10
    weapon: Annotated[str, RowOf("weapons")] = "sword"


class Blow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of an attack."""

    at: str
    situation: Annotated[str, RowOf("situations")] = ""


def sheet_of(combat: Combat, who: str) -> Sheet:
    """Returns the sheet of a combatant."""
    return typed(combat.roster[who].sheet, Sheet)


def open_sheet(combat: Combat, who: str) -> Iterator[e.Event]:
    """Opens the hit points. Source: TD 1 Fighters."""
    yield e.TrackOpened(who, HIT_POINTS, sheet_of(combat, who).hit_points)


# ------------------------------------------------------------------------------------------------ the round


def standing(combat: Combat) -> list[str]:
    """Returns the fighters who are not down, in order. Source: TD 1 Rounds."""
    return [who for who, _ in combat.initiative.order if not combat.conditions.has(who, DOWN)]


def begin_round(combat: Combat) -> Deed:
    """Begins a round."""
    yield e.RoundBegan(combat.clock.round + 1)
    return None


def ask_initiative(combat: Combat) -> Iterator[e.RollRequested]:
    """Requests 1d20 for each fighter, once in a fight."""
    for who in combat.roster.here() if combat.clock.round == 1 else ():
        yield e.RollRequested(f"{combat.clock.period}/{who}/initiative", who, "1d20", "initiative", "")


def read_initiative(combat: Combat) -> Deed:
    """Adds the bonus to the die."""
    for who in combat.roster.here():
        key, more = f"{combat.clock.period}/{who}/initiative", sheet_of(combat, who).initiative
        if combat.rolls[key].faces:
            rolled, why = counted(combat, key, "1d20", down)
            combat = yield e.InitiativeScored(who, rolled + more, key, f"{why}, initiative {more:+d}", HERE)
    yield from in_order(combat)
    return None


def in_order(combat: Combat) -> Iterator[e.Event]:
    """Fixes the order, highest first. Source: TD 1 Rounds."""
    scores = {who: score for who, score in combat.initiative.scores.items() if who in combat.roster.here()}
    yield e.OrderFixed(tuple(sorted(scores.items(), key=lambda pair: -pair[1])))


def next_turn(combat: Combat) -> Deed:
    """Begins the turn of the next fighter, while two are standing."""
    waiting = [who for who in standing(combat) if who not in combat.turn.acted]
    if len(standing(combat)) < 2:
        return "over"
    if not waiting:
        return "all"
    yield e.TurnBegan(waiting[0])
    return "someone"


def ask_act(combat: Combat, options: Iterable[e.Option]) -> e.ChoiceRequested:
    """Requests the next action; a turn has one attack."""
    return next_action(combat, options)


def has_not_struck(combat: Combat, who: str) -> bool:
    """Returns whether the attack of this turn is left."""
    return not combat.exchange.counts.get(f"{who}/attack")


def end_turn(combat: Combat) -> Deed:
    """Ends the turn."""
    yield e.TurnEnded(combat.turn.who or "")
    return None


# ------------------------------------------------------------------------------------------------ an attack


def blow_of(combat: Combat) -> Blow:
    """Returns the declared terms."""
    return typed(frame(combat).terms, Blow)


def check_attack(combat: Combat, by: str, blow: Blow) -> None:
    """Checks that the target is another fighter. Source: TD 2 Attacks."""
    check_another(combat, by, blow.at)


def prepare_attack(combat: Combat) -> Deed:
    """Applies weapon, situation and wounds to the skill, and finds the defense to reach."""
    by, blow, key = frame(combat).by, blow_of(combat), key_of(combat, TO_HIT)
    mine, weapon = sheet_of(combat, by), WEAPONS[sheet_of(combat, by).weapon]
    combat = yield BASE.found(key, mine.skill, f"skill {mine.skill}", HERE, who=by)
    for event in modified(key, weapon.to_hit, weapon.name, weapon.source):
        combat = yield event
    if blow.situation:
        row = SITUATIONS[blow.situation]
        combat = yield e.ModifierApplied(key, row.modifier, row.name, row.source)
    for event in of_wounds(combat, by, WOUNDS, modified(key, -combat.wounds.count(by, WOUNDS), WOUNDS, "TD 3 Wounds")):
        combat = yield event
    theirs = sheet_of(combat, blow.at).defense
    yield from of_sheet(
        combat, blow.at, [DEFENSE.found(key, theirs, f"their defense {theirs}", "TD 1 Fighters", who=by)]
    )
    yield bonus(combat, key, by)
    return None


def bonus(combat: Combat, key: str, who: str) -> e.FigureFound:
    """Returns the bonus to the die. Source: TD 2 Attacks."""
    base, parts = BASE.at(combat, key), combat.rolls.modifiers(key)
    why = " ".join([str(base), *(f"{part.value:+d}" for part in parts)])
    return BONUS.found(key, base + total(parts), why, "TD 2 Attacks", who=who)


def retarget(combat: Combat, key: str) -> Deed:
    """Finds the bonus again after a later modifier. Source: TD 2 Attacks."""
    if BONUS.is_at(combat, key):
        yield bonus(combat, key, combat.rolls[key].by)
    return None


def ask_to_hit(combat: Combat) -> Iterator[e.RollRequested]:
    """Requests 1d20."""
    yield from thrown(combat, key_of(combat, TO_HIT), frame(combat).by, "1d20", "hit")


def read_to_hit(combat: Combat) -> Deed:
    """Compares die and bonus with the defense; 20 is critical, and 1 misses."""
    key = key_of(combat, TO_HIT)
    face, more, defense = combat.rolls[key].faces[0], BONUS.at(combat, key), DEFENSE.at(combat, key)
    outcome = CRITICAL if face == 20 else HIT if face > 1 and face + more >= defense else MISS
    base = BASE.at(combat, key)
    combat = yield e.TestResolved(key, base, defense, face + more, face + more - defense, outcome, HERE)
    return "missed" if combat.rolls[key].outcome == MISS else "struck"


def ask_damage(combat: Combat) -> Iterator[e.RollRequested]:
    """Requests the weapon's dice."""
    by = frame(combat).by
    yield from thrown(combat, key_of(combat, DAMAGE), by, WEAPONS[sheet_of(combat, by).weapon].damage, "damage")


def read_damage(combat: Combat) -> Deed:
    """Takes hit points, twice as many for a critical; a hard blow wounds; at 0 hit points the fighter is down."""
    key, at = key_of(combat, DAMAGE), blow_of(combat).at
    rolled, why = counted(combat, key, WEAPONS[sheet_of(combat, frame(combat).by).weapon].damage, down)
    twice = combat.rolls[key_of(combat, TO_HIT)].outcome == CRITICAL
    harm, why = (2 * rolled, f"{why}, x 2") if twice else (rolled, why)
    combat = yield e.DamageTaken(at, HIT_POINTS, harm, key, why, HERE)
    if harm >= typed(combat.session.rules, Profile).wound_at:
        combat = yield e.WoundSuffered(at, HIT_POINTS, 1, WOUNDS, key, "a hard blow", HERE)
    taken = combat.health.track(at, HIT_POINTS)
    if taken.taken >= taken.capacity and not combat.conditions.has(at, DOWN):
        yield e.ConditionGained(at, DOWN, None, "", key, "no hit points left", HERE)
    return None


def at_others(combat: Combat, who: str) -> Iterator[e.Json]:
    """Offers attacks on all other fighters. Source: TD 2 Attacks."""
    yield from ({"at": at} for at in others(combat, who, DOWN))


# ------------------------------------------------------------------------------------------------ the charts

TO_HIT, DAMAGE = "to-hit", "damage"
# fmt: off
ATTACK = Chart(
    "attack", "An attack",
    Do    ("1", "What counts",  prepare_attack, goto="2", see="TD 2 Attacks"),
    Roll  ("2", "To hit",       ask=ask_to_hit, read=read_to_hit, struck="3", missed="5", see="TD 2 Attacks"),
    Roll  ("3", "Damage",       ask=ask_damage, read=read_damage, goto="4", see="TD 3 Wounds, 2 Weapons"),
    End   ("4", "It hits",      outcome="it hits"),
    End   ("5", "It misses",    outcome="it misses"),
    source="TD 2 Attacks",
)
ACTIONS = {
    "attack": Action(
        title="attack", chart=ATTACK, terms=Blow, check=check_attack, offers=at_others,
        line=Line(number="5", title="An attack", see="TD 2 Attacks", possible=has_not_struck),
    ),
}
FIGHT = Chart(
    "fight", "A fight",
    Do    ("1", "A round",      begin_round, goto="2", see="TD 1 Rounds"),
    Roll  ("2", "Initiative",   ask=ask_initiative, read=read_initiative, goto="3", see="TD 1 Rounds"),
    Do    ("3", "Who is next?", next_turn, someone="4", all="1", over="7", see="TD 1 Rounds"),
    *menu ("4", "What to do",   ask_act, ACTIONS, end="6", see="TD 1 Rounds"),
    Do    ("6", "Turn's end",   end_turn, goto="3", see="TD 1 Rounds"),
    End   ("7", "Only one stands"),
    source="TD 1 Rounds",
)
# fmt: on
RULESET = Ruleset(
    name="tiny_d20",
    title="Tiny d20",
    version=1,
    books=(Book(code="TD", title="Tiny d20"),),
    profile=Profile,
    profiles=(Profile(name="standard", source="TD 3 Wounds"),),
    sheet=Sheet,
    sheets={"guard": {"skill": 3, "defense": 13}, "ogre": {"skill": 5, "hit_points": 16, "weapon": "axe"}},
    turn=FIGHT,
    kinds=ACTIONS,
    tables={"weapons": tuple(WEAPONS.values()), "situations": tuple(SITUATIONS.values())},
    rulings=(),
    conditions=(DOWN,),
    open_sheet=open_sheet,
    retarget=retarget,
    summed=bonus,
    own_figures=tuple(FIGURES),
    reorder=in_order,
    perceived={"attack": "attacks"},
    endings={"it misses": "misses {other}"},
    figures=FIGURES,
    vocabulary=Vocabulary(
        outcomes=(Outcome(CRITICAL, is_success=True), Outcome(HIT, is_success=True), Outcome(MISS)),
        counters=(WOUNDS,),
        sums=Sums(start=BASE.name, total=BONUS.name, against=DEFENSE.name, is_added=True),
    ),
)
