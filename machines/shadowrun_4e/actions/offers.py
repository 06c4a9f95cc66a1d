"""What is worth offering: declarations, and words for their fields."""

from collections.abc import Iterator, Mapping

from ledger.commands import Declare
from machines.contract.offering import FindWords, Words, fitting_words, others
from machines.shadowrun_4e.actions.actions import is_shot
from machines.shadowrun_4e.actions.validation import spoiled_arms
from machines.shadowrun_4e.attack.attack_context import modes, suppressive
from machines.shadowrun_4e.attack.modifiers import PRONE
from machines.shadowrun_4e.sheet.sheet_access import DELAYING, UNABLE, arms, fits, sheet, spells
from machines.shadowrun_4e.success_tests.edge import left
from machines.shadowrun_4e.success_tests.pools import EDGE_SPENT, POOL, SUSTAINING
from machines.shadowrun_4e.tables import tables
from projections.combat import Combat


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """What somebody can do in their phase: each weapon and spell at each other, and everything else once."""
    if combat.conditions.has(who, PRONE):
        yield Declare("simple", who, {"what": "stands up", "stand": True})
    for condition in spoiled_arms(combat, who):
        yield Declare("simple", who, {"what": "sees to the weapon", "repair": condition})
    yield from _attacks(combat, who)
    yield from _spells(combat, who)
    yield Declare("full_defense", who)
    yield from _weapon_care(combat, who)
    for how in ("walk", "run"):
        yield Declare("move", who, {"how": how})
    yield Declare("delay", who)
    yield Declare("free", who, {"what": "does something quick"})
    yield Declare("simple", who, {"what": "does something simple"})
    yield Declare("complex", who, {"what": "does something that takes the whole phase"})
    for name in tables.PLANES:
        yield Declare("shift", who, {"plane": name})


def _attacks(combat: Combat, who: str) -> Iterator[Declare]:
    for at in others(combat, who, *UNABLE):
        for name, weapon in arms(combat, who).items():
            if fits(combat, who, weapon):
                yield Declare("attack", who, {"at": at, "using": name})


def _spells(combat: Combat, who: str) -> Iterator[Declare]:
    magic = sheet(combat, who).magic
    for name, spell in spells(combat, who).items() if magic else ():
        for at in others(combat, who, *UNABLE) if spell.effect != "other" else ("",):
            yield Declare("cast", who, {"spell": name, "force": magic, **({"at": at} if at else {})})


def _weapon_care(combat: Combat, who: str) -> Iterator[Declare]:
    mine = arms(combat, who)
    for at in others(combat, who, *UNABLE) if any(map(is_shot, mine.values())) else ():
        yield Declare("aim", who, {"at": at})
    for name, weapon in mine.items():
        magazine = combat.resources.resource(who, name)
        if magazine.left < magazine.of:
            yield Declare("reload", who, {"weapon": name})
        if set(weapon.modes) & set(suppressive().codes):
            yield Declare("suppress", who, {"using": name})


def interrupts(combat: Combat) -> Iterator[Declare]:
    """What somebody may break in with now."""
    for who in combat.roster.here():
        if combat.conditions.has(who, DELAYING):
            yield Declare("act", who)
        if combat.turn.who != who:
            yield Declare("full_defense", who)
        if left(combat, who):
            yield from (Declare(kind, who) for kind in ("go_first", "extra_pass"))
        mine = [rest.key for rest in combat.rests if rest.by == who and combat.figures.holds(rest.key, POOL)]
        for key in mine:
            which = {"roll": key} if len(mine) > 1 else {}
            yield Declare("buy", who, which)
            if left(combat, who) and not combat.figures.holds(key, EDGE_SPENT):
                yield Declare("edge", who, which)
        if combat.conditions.has(who, "suppressing"):
            for at in others(combat, who, *UNABLE):
                yield Declare("suppressed", who, {"at": at})


def words(combat: Combat, declared: Declare) -> Words:
    """For fields of a declaration, the words that fit."""
    whom = others(combat, declared.by, *UNABLE)
    common = {
        "at": whom,
        "who": whom,
        "against": whom,
        "roll": tuple(rest.key for rest in combat.rests if rest.dice),
        "skill": tuple(tables.SKILLS),
        "visibility": tuple(tables.VISIBILITY),
        "buys": ("true",),
    }
    return fitting_words(combat, declared, common, WORDS)


def _of_attack(combat: Combat, declared: Declare) -> Words:
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    lines = {**tables.RANGED_MODIFIERS, **tables.MELEE_MODIFIERS}
    theirs = {**tables.DEFENSE_MODIFIERS, **tables.MELEE_MODIFIERS}
    return {
        "using": tuple(mine),
        "also": tuple(mine),
        "mode": modes(weapon) if weapon else (),
        "modifiers": tuple(name for name, row in lines.items() if row.declared),
        "theirs": tuple(name for name, row in theirs.items() if row.declared),
        "called": tuple(tables.CALLED_SHOTS),
        "ammunition": tuple(tables.AMMUNITION),
        "grenade": tuple(tables.GRENADES),
        "reach": ("attacker", "defender"),
        "harms": ("physical", "stun"),
        "through": tuple(who for who, one in combat.roster.who.items() if one.thing),
        **dict.fromkeys(("wide", "charge", "unaware"), ("true",)),
    }


def _of_cast(combat: Combat, declared: Declare) -> Words:
    mine = tuple(spells(combat, declared.by)) if declared.by in combat.roster else ()
    cover = tuple(name for name, row in tables.RANGED_MODIFIERS.items() if row.declared)
    resistance = tuple(tables.OBJECT_RESISTANCE)
    return {"spell": mine, "modifiers": cover, "object_resistance": resistance, "sustain": ("true",)}


def _weapons(combat: Combat, declared: Declare) -> Words:
    mine = tuple(arms(combat, declared.by)) if declared.by in combat.roster else ()
    return {"weapon": mine, "using": mine}


def _of_simple(combat: Combat, declared: Declare) -> Words:
    return {"stand": ("true",), "repair": spoiled_arms(combat, declared.by) if declared.by in combat.roster else ()}


def _kept(combat: Combat, declared: Declare) -> Words:
    mine = combat.conditions.of(declared.by)
    return {"spell": tuple(name.removeprefix(SUSTAINING) for name in mine if name.startswith(SUSTAINING))}


def _items(*_: object) -> Words:
    return {"item": tuple(word for row in tables.CONCEALABILITY.values() for word in row.examples)}


WORDS: Mapping[str, FindWords] = {
    "attack": _of_attack,
    "cast": _of_cast,
    "aim": _weapons,
    "reload": _weapons,
    "suppress": _weapons,
    "simple": _of_simple,
    "drop": _kept,
    "conceal": _items,
    "free": lambda *_: {"prone": ("true",)},
    "move": lambda *_: {"how": ("walk", "run")},
    "shift": lambda *_: {"plane": tuple(tables.PLANES)},
    "burn": lambda *_: {"use": ("critical", "survive")},
    "counterspell": lambda combat, _: {"protects": combat.roster.here()},
    "explosion": lambda *_: {"grenade": tuple(tables.GRENADES)},
    "test": lambda *_: {"difficulty": tuple(tables.DIFFICULTIES), "their_skill": tuple(tables.SKILLS)},
    "extended": lambda *_: {
        "difficulty": tuple(tables.EXTENDED_THRESHOLDS),
        "interval": tuple(tables.EXTENDED_INTERVALS),
    },
    "perception": lambda *_: {
        "noticing": tuple(tables.PERCEPTION_THRESHOLDS),
        "modifiers": tuple(tables.PERCEPTION_MODIFIERS),
    },
    "social": lambda *_: {"test": tuple(tables.SOCIAL)},
    "knowledge": lambda *_: {"knowledge": tuple(tables.KNOWLEDGE)},
    "search": lambda *_: {"difficulty": tuple(tables.SEARCH_THRESHOLDS), "area": tuple(tables.SEARCH_AREAS)},
    "build": lambda *_: {
        "item": tuple(tables.BUILD_THRESHOLDS),
        "modifiers": tuple(tables.BUILD_MODIFIERS),
        "interval": tuple(tables.EXTENDED_INTERVALS),
    },
    "device": lambda *_: {"device": tuple(tables.DEVICES), "difficulty": tuple(tables.DIFFICULTIES)},
    "sensor": lambda *_: {"signature": tuple(tables.SIGNATURE)},
    "drive": lambda *_: {
        "difficulty": tuple(tables.VEHICLE_THRESHOLDS),
        "terrain": tuple(tables.TERRAIN),
        "vehicle": tuple(tables.HANDLING),
    },
    "track": lambda *_: {"spirit": tuple(row.name for row in tables.TRACKING.values() if row.group)},
    "rest": lambda *_: {"track": ("stun", "physical")},
}
"""By kind of declaration."""
