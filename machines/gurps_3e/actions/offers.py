"""What is worth offering: declarations, and words for their fields."""

from collections.abc import Iterator, Mapping

from ledger.commands import Declare
from machines.contract.offering import FindWords, Words, fitting_words, others
from machines.gurps_3e.actions.validation import reloads, repairs
from machines.gurps_3e.attack.firing import GROUP
from machines.gurps_3e.attack.spending import WAITING
from machines.gurps_3e.attack.targeting import aims_at
from machines.gurps_3e.sheet.sheet_access import STANDING, UNABLE, UNCONSCIOUS, arms, kind_of, posture
from machines.gurps_3e.tables import tables
from projections.combat import Combat


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """What somebody can do in their turn: each weapon at each other, and every other maneuver."""
    for condition in repairs(combat, who):
        yield Declare("ready", who, {"repair": condition})
    if posture(combat, who).name != STANDING:
        yield from (Declare("posture", who, {"to": name}) for name in posture(combat, who).to[:2])
    yield from _attacks(combat, who)
    for at in others(combat, who, *UNABLE):
        for name, weapon in arms(combat, who).items():
            yield Declare("aim" if kind_of(weapon).ranged else "feint", who, {"at": at, "using": name})
    for name in reloads(combat, who):
        yield Declare("ready", who, {"reload": name})
    yield Declare("all_out_defense", who)
    yield Declare("move", who)
    yield Declare("wait", who)
    yield Declare("ready", who, {"what": "readies something"})
    yield Declare("concentrate", who)
    yield Declare("posture", who, {"to": posture(combat, who).to[-1]})


def _attacks(combat: Combat, who: str) -> Iterator[Declare]:
    for at in others(combat, who, *UNABLE):
        for name in arms(combat, who):
            yield Declare("attack", who, {"at": at, "using": name})


def interrupts(combat: Combat) -> Iterator[Declare]:
    """What somebody may break in with now."""
    for who in combat.roster.here():
        if combat.conditions.has(who, WAITING) and combat.turn.who not in (None, who):
            for name in arms(combat, who):
                yield Declare("opportunity", who, {"at": combat.turn.who or "", "using": name})
        if combat.conditions.has(who, UNCONSCIOUS) and not combat.clock.fighting:
            yield Declare("come_round", who)


def words(combat: Combat, declared: Declare) -> Words:
    """For fields of a declaration, the words that fit."""
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    common = {"at": others(combat, declared.by, *UNABLE), "using": tuple(mine)}
    return fitting_words(combat, declared, common, WORDS)


def _of_attack(combat: Combat, declared: Declare) -> Words:
    whom = others(combat, declared.by, *UNABLE)
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    ranged = weapon is not None and kind_of(weapon).ranged
    places = tuple(name for name, row in tables.HIT_LOCATIONS.items() if weapon is None or aims_at(weapon, row))
    lines = tables.ATTACK_MODIFIERS.items()
    return {
        "location": places,
        "all_out": ("to_hit", "damage") if ranged else ("to_hit", "damage", "two_attacks"),
        "modifiers": tuple(name for name, row in lines if not (row.melee if ranged else row.ranged)),
        "rounds": tuple(map(str, range(1, GROUP + 1))) if weapon is not None and weapon.automatic else (),
        **dict.fromkeys(("behind", "near", "melee"), whom),
    }


def _of_ready(combat: Combat, declared: Declare) -> Words:
    here = declared.by in combat.roster
    return {
        "repair": repairs(combat, declared.by) if here else (),
        "reload": reloads(combat, declared.by) if here else (),
    }


WORDS: Mapping[str, FindWords] = {
    "attack": _of_attack,
    "opportunity": _of_attack,
    "ready": _of_ready,
    "posture": lambda combat, declared: {
        "to": posture(combat, declared.by).to if declared.by in combat.roster else tuple(tables.POSTURES)
    },
    "wait": lambda *_: {"watching": ("1", "2", "3", "line")},
}
"""By kind of declaration."""
