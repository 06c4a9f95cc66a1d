"""The attack that is being resolved, and the strike of it that is dealt with at present.

One attack can have several strikes: a miss that meets another target, a further round of a group, a blow that hits its
own attacker. Each strike has a number; its dice and figures are kept under that number.
"""

from collections.abc import Collection, Mapping

import msgspec

from ledger.key import role
from machines.contract.figure_names import FigureName
from machines.contract.refusals import ImpossibleFigure
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.gurps_3e.actions.terms import AttackTerms
from machines.gurps_3e.profile import profile
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import kind_of, location_named, type_of, weapons_of
from machines.gurps_3e.tables.rows import AttackKind, DamageType, HitLocation
from machines.gurps_3e.tables.tables import DAMAGE_TYPES, HIT_LOCATIONS
from projections.combat import Combat
from projections.exchange import Frame

NTH = FigureName("strike", int)
"""Figure of an attack: the number of its present strike."""
FOE = FigureName("foe", str)
OF = FigureName("struck by", str)
WITH = FigureName("with", str)
WHERE = FigureName("location", str)
TYPE = FigureName("damage type", str)
FACTOR = FigureName("factor", str)
DICE_OF = FigureName("dice", str)
"""Figures of a strike: its target, who deals it, the weapon, the location, the damage type, the factor, the dice."""
UNINTENDED = FigureName("unintended", str)
TORSO_ONLY = ""
"""The location that an unintended target is struck at: none named, which is the torso."""
WATCHING = FigureName("watching", str)
"""Figure of opportunity fire: the number of hexes watched."""
LEFT = FigureName("rounds left", int)
"""Figure of a group: rounds that hit and are not resolved yet."""
TO_HIT, DEFEND, DEFENSE, DAMAGE = "to-hit", "defend", "defense", "damage"
PAGE = "CII 48-51 Flowchart"


class Attack(msgspec.Struct, frozen=True):
    """An attack, at one of its strikes."""

    key: str
    by: str
    terms: AttackTerms
    name: str
    """Name of the attacker's weapon."""
    weapon: Weapon
    nth: int = 1
    foe: str = ""
    """The target of this strike: the intended one, or the one that the strike met."""
    unintended: bool = False
    place: str = ""
    """The key under which the figures of this strike are kept."""

    @property
    def kind(self) -> AttackKind:
        """The row of attack kinds of the weapon."""
        return kind_of(self.weapon)

    @property
    def hit(self) -> str:
        """The key of the roll to hit."""
        return self.role(TO_HIT)

    @property
    def first_hit(self) -> str:
        """The key of the roll to hit of the first strike."""
        return role(self.key, TO_HIT)

    def role(self, name: str) -> str:
        """Returns the key of a roll or choice of this strike."""
        return role(self.key, name, self.nth)


def attack(combat: Combat) -> Attack:
    """Returns the attack that is being resolved."""
    return attack_of(combat, frame(combat))


def location(combat: Combat, place: str) -> HitLocation:
    """Returns the location that a strike hits; the torso where none is recorded.

    Raises:
        ImpossibleFigure: The gamemaster overruled it with another word.
    """
    return location_named(word(combat, place, WHERE, HIT_LOCATIONS))


def word(combat: Combat, place: str, name: FigureName[str], words: Collection[str]) -> str:
    """Returns a figure that is one of a few words; empty where it was not recorded.

    Raises:
        ImpossibleFigure: The gamemaster overruled it with another word.
    """
    value = name.at(combat, place)
    if value and value not in words:
        raise ImpossibleFigure(f"{name.name} cannot be {value!r}", where=name.name, accepts=", ".join(words))
    return value


def attack_of(combat: Combat, now: Frame) -> Attack:
    """Returns the attack of a frame, at its present strike."""
    found = as_declared(combat, now.key, now.by, typed(now.terms, AttackTerms))
    nth = NTH.at(combat, now.key, 1)
    place = role(now.key, "blow", nth)
    foe = found.foe
    if FOE.is_at(combat, place):
        foe = word(combat, place, FOE, combat.roster.here()) or foe
    unintended = UNINTENDED.is_at(combat, place)
    return msgspec.structs.replace(found, nth=nth, place=place, foe=foe, unintended=unintended)


def as_declared(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """Returns an attack at its first strike, declared or not yet declared."""
    weapon = weapons_of(combat, by)[terms.using]
    return Attack(key, by, terms, terms.using, weapon, foe=terms.at, place=role(key, "blow"))


def next_strike(now: Attack, foe: str, why: str) -> Telling:
    """Begins the next strike of the same attack, against another target or the same one."""
    nth = now.nth + 1
    yield NTH.found(now.key, nth, "", PAGE)
    return (yield FOE.found(role(now.key, "blow", nth), foe, why, PAGE, who=foe))


# ------------------------------------------------------------------------------------------------ the blow


FACTORS = ("1/2", "1", "2", "3")
"""The factors by which a blow may be multiplied."""


class Blow(msgspec.Struct, frozen=True):
    """A blow that hit: the weapon, its owner, the target and the location."""

    place: str
    key: str
    """The key of its damage roll."""
    foe: str
    of: str
    weapon: Weapon
    where: HitLocation
    type: DamageType
    dice: str
    factor: str
    """The factor by which its damage is multiplied."""


def blow(combat: Combat) -> Blow:
    """Returns the blow that is being resolved, from box 28 on."""
    now = attack(combat)
    of, name = OF.at(combat, now.place, now.by), WITH.at(combat, now.place, now.name)
    weapon = weapons_of(combat, of)[name]
    kind = DAMAGE_TYPES[TYPE.at(combat, now.place, weapon.type)]
    where = location(combat, now.place)
    dice = six_sided(DICE_OF.at(combat, now.place, weapon.damage))
    factor = word(combat, now.place, FACTOR, FACTORS) or "1"
    return Blow(now.place, now.role(DAMAGE), now.foe, of, weapon, where, kind, dice, factor)


def six_sided(notation: str) -> str:
    """Returns dice of the books' notation with their sides: ``2d+1`` is ``2d6+1``.

    Source: B 8 Dice

    >>> six_sided("2d+1"), six_sided("1d6-3")
    ('2d6+1', '1d6-3')
    """
    count, _, adds = notation.partition("d")
    return f"{count}d6{adds.removeprefix('6')}"


def is_type(weapon: Weapon, words: tuple[str, ...]) -> bool:
    """Returns whether a weapon's blow is of one of these kinds: a damage type, thrust, swung, missile or bullet.

    Source: CII 53 Hit Locations
    """
    row = type_of(weapon)
    holds = {
        row.name: True,
        "bullet": row.bullet,
        "thrust": weapon.thrust,
        "swung": weapon.swung,
        "missile": kind_of(weapon).ranged,
    }
    return any(holds.get(word, False) for word in words)


def is_strict(combat: Combat) -> bool:
    """Returns whether declarations that state too little, or that can only fail, are refused.

    Ruling: G3-N34, G3-N35, G3-N40
    """
    return REFUSED[profile(combat).unclear_declarations]


REFUSED: Mapping[str, bool] = {"accepted": False, "refused": True}
"""Whether such declarations are refused, by the value of the profile's field."""
