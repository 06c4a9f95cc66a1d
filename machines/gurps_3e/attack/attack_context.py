"""The attack on the table: who, whom, with what; and the strike of it that is dealt with.

One attack may be several strikes: at somebody else when it misses, a further round of a group, a blow that strikes
whoever dealt it. Each strike has a number, under which its dice and figures are kept.
"""

from collections.abc import Collection

import msgspec

from ledger.key import role
from machines.contract import refusals as no
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.gurps_3e.actions.terms import AttackTerms
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import arms, kind_of, location_named, type_of
from machines.gurps_3e.tables.rows import AttackKind, DamageType, HitLocation
from machines.gurps_3e.tables.tables import DAMAGE_TYPES, HIT_LOCATIONS
from projections.combat import Combat
from projections.exchange import Frame

NTH = FigureName("strike", int)
"""The figure that says which strike is dealt with."""
FOE = FigureName("foe", str)
OF = FigureName("struck by", str)
WITH = FigureName("with", str)
WHERE = FigureName("location", str)
TYPE = FigureName("damage type", str)
FACTOR = FigureName("factor", str)
DICE_OF = FigureName("dice", str)
"""Figures of a strike: whom it strikes, who deals it with what, where, and how hard."""
UNINTENDED = FigureName("unintended", str)
TORSO_ONLY = ""
"""Where whoever was not meant is struck: as where nothing is said."""
WATCHING = FigureName("watching", str)
"""The figure of opportunity fire: hexes watched."""
LEFT = FigureName("rounds left", int)
"""Of a group: rounds that hit and are still to be dealt with."""
TO_HIT, DEFEND, DEFENSE, DAMAGE = "to-hit", "defend", "defense", "damage"
PAGE = "CII 48-51 Flowchart"


class Attack(msgspec.Struct, frozen=True):
    """An attack at one of its strikes."""

    key: str
    by: str
    terms: AttackTerms
    name: str
    """The attacker's weapon."""
    weapon: Weapon
    nth: int = 1
    foe: str = ""
    """Whom this strike is meant for, or what it has come to."""
    unintended: bool = False
    place: str = ""
    """The key under which the figures of this strike are kept."""

    @property
    def kind(self) -> AttackKind:
        """How its weapon attacks."""
        return kind_of(self.weapon)

    @property
    def hit(self) -> str:
        """The key of the roll to hit."""
        return self.role(TO_HIT)

    def role(self, name: str) -> str:
        """The key of a roll or choice of this strike."""
        return role(self.key, name, self.nth)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
    return attack_of(combat, frame(combat))


def location(combat: Combat, place: str) -> HitLocation:
    """Where a strike lands; the torso where nothing was said.

    Raises:
        ImpossibleFigure: The gamemaster's word is no place.
    """
    return location_named(word(combat, place, WHERE, HIT_LOCATIONS))


def word(combat: Combat, place: str, name: FigureName[str], words: Collection[str]) -> str:
    """A figure that is one of a few words; empty where it was not found.

    Raises:
        ImpossibleFigure: The gamemaster's word is none of them.
    """
    said = name.at(combat, place)
    if said and said not in words:
        raise no.ImpossibleFigure(f"{name.name} cannot be {said!r}", where=name.name, accepts=", ".join(words))
    return said


def attack_of(combat: Combat, now: Frame) -> Attack:
    """The attack that a frame is."""
    found = as_declared(combat, now.key, now.by, typed(now.terms, AttackTerms))
    nth = NTH.at(combat, now.key, 1)
    place = role(now.key, "blow", nth)
    foe = word(combat, place, FOE, combat.roster.here()) or found.foe
    unintended = UNINTENDED.is_at(combat, place)
    return msgspec.structs.replace(found, nth=nth, place=place, foe=foe, unintended=unintended)


def as_declared(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared."""
    weapon = arms(combat, by)[terms.using]
    return Attack(key, by, terms, terms.using, weapon, foe=terms.at, place=role(key, "blow"))


def next_strike(now: Attack, foe: str, why: str) -> Telling:
    """The next strike of the same attack, at whomever it comes to."""
    nth = now.nth + 1
    yield NTH.found(now.key, nth, "", PAGE)
    return (yield FOE.found(role(now.key, "blow", nth), foe, why, PAGE, who=foe))


# ------------------------------------------------------------------------------------------------ the blow


FACTORS = ("1/2", "1", "2", "3")
"""By what a blow may be multiplied."""


class Blow(msgspec.Struct, frozen=True):
    """What strikes, where: the attacker's weapon, or that of whoever strikes themselves."""

    place: str
    key: str
    """Of its damage roll."""
    foe: str
    of: str
    weapon: Weapon
    where: HitLocation
    type: DamageType
    dice: str
    factor: str
    """By how much its damage is multiplied."""


def blow(combat: Combat) -> Blow:
    """The blow that is dealt with, from box 28 on."""
    now = attack(combat)
    of, name = OF.at(combat, now.place, now.by), WITH.at(combat, now.place, now.name)
    weapon = arms(combat, of)[name]
    kind = DAMAGE_TYPES[TYPE.at(combat, now.place, weapon.type)]
    where = location(combat, now.place)
    dice = six_sided(DICE_OF.at(combat, now.place, weapon.damage))
    factor = word(combat, now.place, FACTOR, FACTORS) or "1"
    return Blow(now.place, now.role(DAMAGE), now.foe, of, weapon, where, kind, dice, factor)


def six_sided(notation: str) -> str:
    """Dice as the books of this game write them, with their sides.

    Source: B 8 Dice

    >>> six_sided("2d+1"), six_sided("1d6-3")
    ('2d6+1', '1d6-3')
    """
    count, _, adds = notation.partition("d")
    return f"{count}d6{adds.removeprefix('6')}"


def is_type(weapon: Weapon, words: tuple[str, ...]) -> bool:
    """Is a blow of this weapon of one of these kinds: a type of damage, a thrust, a swing, a missile, a bullet?

    Source: CII 53 Hit Locations
    """
    row = type_of(weapon)
    said = {
        row.name: True,
        "bullet": row.bullet,
        "thrust": weapon.thrust,
        "swung": weapon.swung,
        "missile": kind_of(weapon).ranged,
    }
    return any(said.get(word, False) for word in words)
