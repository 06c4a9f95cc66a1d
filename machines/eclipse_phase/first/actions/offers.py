"""What is worth offering: declarations, and words for their fields."""

from collections.abc import Iterator, Mapping

from ledger.commands import Declare
from machines.contract.offering import FindWords, Words, fitting_words, others
from machines.eclipse_phase.family.actions import (
    DELAYING,
    at_any_time,
    common_words,
    to_recover,
    to_regain_wits,
    words_of_attack,
    words_of_weapons,
)
from machines.eclipse_phase.first.attack.attack_context import attacks_left
from machines.eclipse_phase.first.sheet.sheet_access import HELD, UNABLE, arms
from machines.eclipse_phase.first.success_tests.moxie import left
from machines.eclipse_phase.first.tables.tables import (
    AMMUNITION,
    EXPERIENCES,
    HEALING_CONDITIONS,
    HEALING_RATES,
    RANGES,
    SKILLS,
    WEAPONS,
)
from projections.combat import Combat

DOWN = ("dead", "incapacitated", "unconscious")
"""Conditions of those who are offered last."""


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """What somebody can do in their moment: each weapon at each other combatant, and everything else once."""
    yield from to_recover(combat, who, (HELD,))
    yield from to_regain_wits(combat, who)
    yield from _attacks(combat, who)
    yield from at_any_time(combat, who, ("walk", "run", "sprint"), "does something that takes the whole phase")


def _attacks(combat: Combat, who: str) -> Iterator[Declare]:
    """Each weapon at each other; what is left of a Complex Action only as it was begun, the same target first."""
    before = combat.figures.of(who, "shot at") if attacks_left(combat, who) else None
    for other in sorted(
        others(combat, who, *DOWN), key=lambda other: (combat.conditions.has(other, *UNABLE), other != before)
    ):
        for using in _ways(combat, who):
            yield Declare("attack", who, {"at": other, **using})


def _ways(combat: Combat, who: str) -> Iterator[dict[str, str]]:
    """The weapons, in their usual mode; or the weapon and mode that an action was begun with."""
    mine = arms(combat, who)
    if not attacks_left(combat, who):
        yield from ({"using": name} for name in mine)
        return
    begun = str(combat.figures.of(who, "attacks with"))
    name, _, mode = begun.rpartition(", ")
    if name in mine and mode in mine[name].modes:
        yield {"using": name, "mode": mode}
    else:
        yield from ({"using": each} for each in begun.split(", ") if each in mine)


def interrupts(combat: Combat) -> Iterator[Declare]:
    """What somebody may break in with now."""
    for who in combat.roster.here():
        if combat.conditions.has(who, DELAYING):
            yield Declare("act", who)
        if left(combat, who):
            yield Declare("act_first", who)
            for rest in combat.rests:
                if rest.by == who and combat.figures.holds(rest.key, "target"):
                    yield Declare("moxie", who, {"roll": rest.key})
        if combat.conditions.has(who, "suppressing"):
            for other in others(combat, who, *DOWN):
                yield Declare("suppressed", who, {"at": other})


def words(combat: Combat, declared: Declare) -> Words:
    """For fields of a declaration, the words that fit."""
    return fitting_words(combat, declared, common_words(combat, declared), WORDS)


def _of_attack(combat: Combat, declared: Declare) -> Words:
    own = {"ammunition": tuple(AMMUNITION), "surprised": ("true",), "blind": ("true",)}
    return {**words_of_attack(combat, declared), **own}


def _of_reloading(combat: Combat, declared: Declare) -> Words:
    return {**words_of_weapons(combat, declared), "quick": ("true",)}


WORDS: Mapping[str, FindWords] = {
    "attack": _of_attack,
    "reload": _of_reloading,
    "suppress": _of_reloading,
    "suppressed": lambda *_: {"range": tuple(RANGES)},
    "move": lambda *_: {"how": ("walk", "run", "sprint", "crawl", "swim")},
    "aim": lambda *_: {"complex": ("true",)},
    "quick": lambda *_: {"stand": ("true",)},
    "complex": lambda *_: {"regain": ("true",)},
    "full_defense": lambda *_: {"mental": ("true",)},
    "break_free": lambda *_: {"by": ("unarmed combat", "som")},
    "stress": lambda *_: {"what": tuple(EXPERIENCES)},
    "explosion": lambda *_: {"weapon": tuple(WEAPONS), "area": ("blast", "uniform")},
    "rest": lambda *_: {"means": tuple(HEALING_RATES), "conditions": tuple(HEALING_CONDITIONS)},
    "therapy": lambda *_: {"skill": tuple(SKILLS)},
}
"""By kind of declaration."""
