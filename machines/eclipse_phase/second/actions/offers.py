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
from machines.eclipse_phase.second.actions.validation import burning, spoiled_arms
from machines.eclipse_phase.second.attack.attack import HANDS_LEFT
from machines.eclipse_phase.second.attack.modifiers import SHOT_AT
from machines.eclipse_phase.second.sheet.sheet_access import HELD, UNABLE, arms, sheet
from machines.eclipse_phase.second.success_tests.pools import fitting, purse
from machines.eclipse_phase.second.success_tests.success import LINKED, SPENT
from machines.eclipse_phase.second.tables.tables import (
    AMMUNITION,
    EXPERIENCES,
    HEALING_CONDITIONS,
    HEALING_RATES,
    POOLS,
    RANGES,
    SKILLS,
    WEAPONS,
)
from projections.combat import Combat


def offers(combat: Combat, who: str) -> Iterator[Declare]:
    """What somebody can do in their moment: each weapon at each other combatant, and everything else once."""
    yield from to_recover(combat, who, HELD)
    yield from _put_right(combat, who)
    yield from to_regain_wits(combat, who)
    if combat.conditions.has(who, "grappling"):
        yield from (Declare("hold", who, {"do": do} if do else {}) for do in ("", "choke", "damage", "knockdown"))
    yield from _attacks(combat, who)
    yield from at_any_time(combat, who, ("base", "full", "rush"), "does something that takes the whole turn")
    yield Declare("complex", who, {"what": "does something with the mind", "mental": True})


def _put_right(combat: Combat, who: str) -> Iterator[Declare]:
    """Flames to put out, weapons to pick up or mend."""
    if combat.conditions.has(who, "on_fire"):
        yield Declare("complex", who, {"what": "puts out the flames", "extinguish": who})
    for condition in spoiled_arms(combat, who):
        yield Declare("complex", who, {"what": "sees to the weapon", "repair": condition})


def _attacks(combat: Combat, who: str) -> Iterator[Declare]:
    """Each weapon at each other; of several fired at once, those that are left."""
    left = str(combat.figures.of(who, HANDS_LEFT) or "")
    names = tuple(name for name in left.split(", ") if name) or tuple(arms(combat, who))
    targets = (str(combat.figures.of(who, SHOT_AT)),) if left else others(combat, who, *UNABLE)
    for at in targets:
        for name in names:
            yield Declare("attack", who, {"at": at, "using": name})


def interrupts(combat: Combat) -> Iterator[Declare]:
    """What somebody may break in with now."""
    for who in combat.roster.here():
        if combat.conditions.has(who, DELAYING):
            yield Declare("act", who)
        for pool in purse(combat, who):
            if POOLS[pool].first:
                yield Declare("take_initiative", who, {"pool": pool})
        yield from _before_rolls(combat, who)
        if combat.conditions.has(who, "suppressing"):
            for at in others(combat, who, *UNABLE):
                yield Declare("suppressed", who, {"at": at})


def _before_rolls(combat: Combat, who: str) -> Iterator[Declare]:
    mine = [rest.key for rest in combat.rests if rest.by == who and combat.figures.holds(rest.key, LINKED)]
    for key in mine:
        if not combat.figures.holds(key, SPENT):
            hindered = any(part.value < 0 for part in combat.rolls.modifiers(key))
            for pool in fitting(combat, who, combat.figures.word(key, LINKED)):
                for use in ("bonus", "ignore") if hindered else ("bonus",):
                    which = {"roll": key} if len(mine) > 1 else {}
                    yield Declare("pool", who, {"use": use, "pool": pool, **which})


def words(combat: Combat, declared: Declare) -> Words:
    """For fields of a declaration, the words that fit."""
    pools = tuple(purse(combat, declared.by)) if declared.by in combat.roster else ()
    return fitting_words(combat, declared, {**common_words(combat, declared), "pool": pools}, WORDS)


def _of_attack(combat: Combat, declared: Declare) -> Words:
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    rounds = (row.name for row in AMMUNITION.values() if weapon is None or row.fits == weapon.fires)
    return {
        **words_of_attack(combat, declared),
        "ammunition": tuple(rounds),
        "push": ("range", "power", "penetration", "target"),
        **dict.fromkeys(("surprised", "blind", "aggressive", "strike", "perilous"), ("true",)),
    }


def _ways(combat: Combat, declared: Declare) -> Words:
    mine = tuple(sheet(combat, declared.by).movement) if declared.by in combat.roster else ()
    return {"how": ("base", "full", "rush", "other"), "way": mine}


def _of_complex(combat: Combat, declared: Declare) -> Words:
    mine = spoiled_arms(combat, declared.by) if declared.by in combat.roster else ()
    return {"regain": ("true",), "mental": ("true",), "repair": mine, "extinguish": burning(combat)}


WORDS: Mapping[str, FindWords] = {
    "attack": _of_attack,
    "reload": words_of_weapons,
    "suppress": words_of_weapons,
    "suppressed": lambda *_: {"range": tuple(RANGES)},
    "move": _ways,
    "aim": lambda *_: {"complex": ("true",)},
    "quick": lambda *_: {"stand": ("true",)},
    "complex": _of_complex,
    "full_defense": lambda *_: {"mental": ("true",)},
    "hold": lambda *_: {"do": ("choke", "damage", "knockdown", "move")},
    "break_free": lambda *_: {"using": ("melee", "som")},
    "pool": lambda *_: {"use": ("bonus", "ignore")},
    "ongoing": lambda *_: {"aptitude": ("cog", "int", "ref", "sav", "som", "wil")},
    "ignore": lambda *_: {"what": ("wound", "trauma")},
    "recharge": lambda *_: {"long": ("true",)},
    "stress": lambda *_: {"what": tuple(EXPERIENCES)},
    "explosion": lambda *_: {"weapon": tuple(WEAPONS), "area": ("centered", "uniform")},
    "rest": lambda *_: {
        "means": tuple(name for name, row in HEALING_RATES.items() if not row.natural),
        "conditions": tuple(HEALING_CONDITIONS),
    },
    "first_aid": lambda *_: {"skill": tuple(SKILLS)},
}
"""By kind of declaration."""
