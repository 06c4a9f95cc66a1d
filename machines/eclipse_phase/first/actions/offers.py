"""What is worth offering: declarations, and words for their fields."""

from collections.abc import Iterator, Mapping

from ledger.commands import Declare
from machines.contract.offering import FindWords, Words, fitting_words, others
from machines.eclipse_phase.first.actions.actions import DELAYING, automatic
from machines.eclipse_phase.first.attack.attack_context import attacks_left
from machines.eclipse_phase.first.sheet.sheet_access import HELD, UNABLE, arms
from machines.eclipse_phase.first.success_tests.moxie import left
from machines.eclipse_phase.first.tables.tables import (
    AMMUNITION,
    CALLED_SHOTS,
    EXPERIENCES,
    HEALING_CONDITIONS,
    HEALING_RATES,
    RANGES,
    SITUATIONS,
    SKILLS,
    WEAPONS,
)
from projections.combat import Combat

DOWN = ("dead", "incapacitated", "unconscious")
"""Conditions of those who are offered last."""


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """What somebody can do in their moment: each weapon at each other combatant, and everything else once."""
    if combat.conditions.has(who, "prone"):
        yield Declare("quick", who, {"what": "stands up", "stand": True})
    if combat.conditions.has(who, HELD):
        yield Declare("break_free", who)
        yield Declare("full_defense", who, {"mental": True})
    if combat.conditions.has(who, "disoriented"):
        yield Declare("complex", who, {"what": "regains their wits", "regain": True})
    yield from _attacks(combat, who)
    yield Declare("full_defense", who)
    yield from _weapon_care(combat, who)
    for how in ("walk", "run", "sprint"):
        yield Declare("move", who, {"how": how})
    yield Declare("delay", who)
    yield Declare("quick", who, {"what": "does something quick"})
    yield Declare("complex", who, {"what": "does something that takes the whole phase"})


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


def _weapon_care(combat: Combat, who: str) -> Iterator[Declare]:
    for other in others(combat, who, *DOWN) if any(each.modes for each in arms(combat, who).values()) else ():
        yield Declare("aim", who, {"at": other})
    for name in arms(combat, who):
        magazine = combat.resources.resource(who, name)
        if magazine.of and magazine.left < magazine.of:
            yield Declare("reload", who, {"weapon": name})
    for name in automatic(combat, who):
        yield Declare("suppress", who, {"using": name})


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
    common = {
        "at": others(combat, declared.by, *DOWN),
        "who": combat.roster.here(),
        "roll": tuple(rest.key for rest in combat.rests if rest.dice),
    }
    return fitting_words(combat, declared, common, WORDS)


def _of_attack(combat: Combat, declared: Declare) -> Words:
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    kind = weapon.kind if weapon else ""
    fits = (row.name for row in SITUATIONS.values() if not row.automatic and (not kind or kind in row.kinds))
    called = (name for name, row in CALLED_SHOTS.items() if not kind or kind in row.kinds)
    return {
        "using": tuple(mine),
        "also": tuple(mine),
        "mode": weapon.modes if weapon else (),
        "range": tuple(RANGES),
        "modifiers": tuple(fits),
        "called": tuple(called),
        "bonus": ("damage", "aim"),
        "ammunition": tuple(AMMUNITION),
        "surprised": ("true",),
        "blind": ("true",),
    }


def _weapons(combat: Combat, declared: Declare) -> Words:
    mine = tuple(arms(combat, declared.by)) if declared.by in combat.roster else ()
    return {"weapon": mine, "using": mine, "quick": ("true",)}


WORDS: Mapping[str, FindWords] = {
    "attack": _of_attack,
    "reload": _weapons,
    "suppress": _weapons,
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
