"""Initiative: rolls, wounds, and the order of acting."""

from collections.abc import Callable, Iterator, Mapping

from ledger.dice import parse
from ledger.events import ConditionLost, Event, InitiativeScored, ModifierApplied, OrderFixed
from ledger.modifier import listed, total
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.ambush import AMBUSHED
from machines.eclipse_phase.family.d100 import is_double
from machines.eclipse_phase.family.edition import SCORE
from machines.eclipse_phase.family.success import counted, weight
from machines.eclipse_phase.family.turn import PER, initiative_key
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, sheet, traits
from projections.combat import Combat

_INITIATIVE = "EP1 188 Initiative Order"


def stat(combat: Combat, who: str) -> int:
    """Returns INIT: stated, or from INT and REF by the printing's formula, plus traits.

    Source: EP1 123 Initiative; Ruling: EP1-C1
    """
    owner = sheet(combat, who)
    more = TRAITS_ADD[profile(combat).initiative_stat](sum(trait.initiative for trait in traits(combat, who)))
    if owner.init is not None:
        return owner.init + more
    both = aptitude(combat, who, "int") + aptitude(combat, who, "ref")
    return INIT[profile(combat).initiative_stat](both) + more


INIT: Mapping[str, Callable[[int], int]] = {
    "twice": lambda both: both * 2,
    "fifth": lambda both: -(-both // 5),
}
"""INIT from the sum of INT and REF, by the profile's field."""


TRAITS_ADD: Mapping[str, Callable[[int], int]] = {
    "twice": lambda more: more,
    "fifth": lambda more: more // 10,
}
"""INIT that traits add, from their d100 values, by the profile's field."""


def rolling(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants who roll in an Action Turn that begins now.

    Source: EP1 188 Initiative Order, Simplifying Initiative
    """
    alive = (who for who in combat.roster.here() if not combat.conditions.has(who, "dead", "mind_lost"))
    return tuple(who for who in alive if ROLLS[profile(combat).initiative_rolled](combat, who))


ROLLS: Mapping[str, Callable[[Combat, str], bool]] = {
    "every_turn": lambda *_: True,
    "once": lambda combat, who: who not in combat.initiative.scores,
}
"""Whether a combatant rolls in this Action Turn, by the profile's field."""


def handicaps(combat: Combat, who: str) -> Iterator[Event]:
    """Yields what wounds, traumas, gravity and an ambush subtract from the coming score."""
    for (one, several), count, kind in (
        (("wound", "wounds"), counted(combat, who, "wounds"), "wounds"),
        (("trauma", "traumas"), counted(combat, who, "traumas"), "traumas"),
        (("wound's weight", "wounds' weight"), weight(combat, who), "wounds"),
    ):
        less = count * each_lowers(combat, kind)
        if less:
            why = f"{count} {one if count == 1 else several}"
            yield ModifierApplied(initiative_key(combat, who), -less, why, "EP1 188 Initiative and Damage")
    if combat.conditions.has(who, AMBUSHED):
        yield ModifierApplied(
            initiative_key(combat, who), -profile(combat).surprise_initiative, "ambushed", "EP1 204 Surprise"
        )


def read_initiative(combat: Combat) -> Deed:
    """Computes the scores and the order: highest first, after those who rolled a critical.

    Ruling: EP1-C1, EP1-N6
    """
    for who in combat.roster.here():
        key = initiative_key(combat, who)
        if combat.rolls[key].faces:  # combatants who joined during the rolls wait for the next Action Turn
            combat = yield from _score(combat, who, key)
            if combat.conditions.has(who, AMBUSHED):
                combat = yield ConditionLost(who, AMBUSHED, "Initiative is rolled")
    yield from in_order(combat)
    return None


def _score(combat: Combat, who: str, key: str) -> Telling:
    roll, init, parts = combat.rolls[key], stat(combat, who), combat.rolls.modifiers(key)
    faces = sum(roll.faces) + parse(roll.dice).add
    why = f"INIT {init} + {faces}{listed(parts)}"
    combat = yield SCORE.found(key, init + faces + total(parts), why, _INITIATIVE, who=who)
    if parse(roll.dice).sides == (100,) and is_double(faces):
        source = "EP1 188 Initiative, Moxie and Criticals"
        first, number = FIRST[profile(combat).initiative_rolled], combat.clock.combat
        combat = yield first.found(key, number, f"critical ({faces:02d})", source, who=who)
    return (yield InitiativeScored(who, SCORE.at(combat, key), key, why, _INITIATIVE))


FIRST: Mapping[str, FigureName[int]] = {
    "every_turn": FigureName("acts first in fight", int, scope="round"),
    "once": FigureName("acts first in fight", int, scope="combatant"),
}
"""The number of the fight in which a critical was rolled for Initiative, by the profile's field: it holds as long as
the roll itself."""


def goes_first(combat: Combat, who: str) -> bool:
    """Returns whether a combatant goes first because of a critical Initiative roll.

    Source: EP1 188 Initiative, Moxie and Criticals
    """
    return FIRST[profile(combat).initiative_rolled].of(combat, who) == combat.clock.combat


def in_order(combat: Combat) -> Iterator[Event]:
    """Yields the order of acting by the present scores.

    Source: EP1 188 Initiative Order, Initiative, Moxie and Criticals; Ruling: EP1-N6
    """
    scores = [(who, combat.initiative.scores[who]) for who in combat.roster.here() if who in combat.initiative.scores]

    def place(one: tuple[str, int]) -> tuple[bool, int, int]:
        return not goes_first(combat, one[0]), -one[1], -stat(combat, one[0])

    yield OrderFixed(tuple(sorted(scores, key=place)))


def each_lowers(combat: Combat, kind: str) -> int:
    """Returns the Initiative lost for each wound or trauma; 0 if Initiative is rolled once.

    Source: EP1 188 Initiative and Damage, Simplifying Initiative
    """
    return LOWERS[profile(combat).initiative_rolled] * PER[kind](profile(combat))


LOWERS: Mapping[str, int] = {"every_turn": 1, "once": 0}
"""Factor on Initiative lost to wounds, by the profile's field."""
