"""Who acts when: Initiative rolled, lowered by wounds, and put in order."""

from collections.abc import Callable, Iterator, Mapping

from ledger.dice import parse
from ledger.events import ConditionLost, Event, InitiativeScored, ModifierApplied, OrderFixed
from ledger.modifier import listed, total
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.ambush import AMBUSHED
from machines.eclipse_phase.family.d100 import is_double
from machines.eclipse_phase.family.figure_names import SCORE
from machines.eclipse_phase.family.success import counted, weight
from machines.eclipse_phase.family.turn import PER, initiative_key
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import aptitude, sheet, traits
from projections.combat import Combat

_INITIATIVE = "EP1 188 Initiative Order"


def stat(combat: Combat, who: str) -> int:
    """INIT: as on the sheet, or from INT and REF by the printing's formula, and what traits add.

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
"""What traits, whose figures are those of the d100, add to INIT, by the profile's field."""


def rolling(combat: Combat) -> tuple[str, ...]:
    """Those who roll in an Action Turn that begins now.

    Source: EP1 188 Initiative Order, Simplifying Initiative
    """
    alive = (who for who in combat.roster.here() if not combat.conditions.has(who, "dead", "mind_lost"))
    return tuple(who for who in alive if ROLLS[profile(combat).initiative_rolled](combat, who))


ROLLS: Mapping[str, Callable[[Combat, str], bool]] = {
    "every_turn": lambda *_: True,
    "once": lambda combat, who: who not in combat.initiative.scores,
}
"""Does somebody roll in this Action Turn, by the profile's field?"""


def handicaps(combat: Combat, who: str) -> Iterator[Event]:
    """What wounds, traumas, weight and an ambush take from the score to come."""
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
    """INIT and the dice; the highest goes first, and before them whoever rolled a critical.

    Ruling: EP1-C1, EP1-N6
    """
    for who in combat.roster.here():
        key = initiative_key(combat, who)
        if combat.rolls[key].faces:  # whoever came while the others rolled waits for the next Action Turn
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
    """Did somebody roll a critical for Initiative, so that they go before everybody else?

    Source: EP1 188 Initiative, Moxie and Criticals
    """
    return FIRST[profile(combat).initiative_rolled].of(combat, who) == combat.clock.combat


def in_order(combat: Combat) -> Iterator[Event]:
    """The order of acting by the scores as they are.

    Source: EP1 188 Initiative Order, Initiative, Moxie and Criticals; Ruling: EP1-N6
    """
    scores = [(who, combat.initiative.scores[who]) for who in combat.roster.here() if who in combat.initiative.scores]

    def place(one: tuple[str, int]) -> tuple[bool, int, int]:
        return not goes_first(combat, one[0]), -one[1], -stat(combat, one[0])

    yield OrderFixed(tuple(sorted(scores, key=place)))


def each_lowers(combat: Combat, kind: str) -> int:
    """What one wound, or trauma, takes: nothing where Initiative is rolled once for the scene.

    Source: EP1 188 Initiative and Damage, Simplifying Initiative
    """
    return LOWERS[profile(combat).initiative_rolled] * PER[kind](profile(combat))


LOWERS: Mapping[str, int] = {"every_turn": 1, "once": 0}
"""Do wounds lower Initiative, by the profile's field?"""
