"""What a combatant's sheet has; published by `affray rules eclipse_phase_2e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.family.sheets import Body

Aptitude = Annotated[int, msgspec.Meta(ge=0, le=60)]
Check = Annotated[int, msgspec.Meta(ge=0, le=150, description="The target number of an Aptitude Check")]
Skill = Annotated[int, msgspec.Meta(ge=0, le=150)]
_DICE = r"[1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?([+-][1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?)*(/[1-9])?"
Damage = Annotated[str, msgspec.Meta(pattern=f"^{_DICE}$")]
DamageOrNone = Annotated[str, msgspec.Meta(pattern=f"^({_DICE})?$", description="Dice; empty for none")]
Points = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Pool = Annotated[int, msgspec.Meta(ge=0, le=30)]
Armor = Annotated[int, msgspec.Meta(ge=0, description="Armor Value")]
WeaponName = Annotated[str, RowOf("weapons")]
Size = Literal["very small", "small", "medium", "large", "very large"]


class Aptitudes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The six aptitudes; a fight needs SOM, the others where something is rolled by them."""

    som: Aptitude
    cog: Aptitude | None = None
    int: Aptitude | None = None
    ref: Aptitude | None = None
    sav: Aptitude | None = None
    wil: Aptitude | None = None


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Aptitude Checks that are not the aptitude x 3."""

    som: Check | None = None
    cog: Check | None = None
    int: Check | None = None
    ref: Check | None = None
    sav: Check | None = None
    wil: Check | None = None


class Pools(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Points to spend; ``threat`` is the gamemaster's, and stands for each of the others."""

    insight: Pool = 0
    moxie: Pool = 0
    vigor: Pool = 0
    flex: Pool = 0
    threat: Pool = 0


class Worn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor: figures as they are, pieces of the armor table, or both added together."""

    energy: Armor = 0
    kinetic: Armor = 0
    mental: Armor = 0
    """Against psi."""
    name: str = ""
    worn: tuple[Annotated[str, RowOf("armor")], ...] = ()
    """Pieces of the armor table."""
    layers: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    """Layers beyond the first that the figures above stand for."""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon's line, or a sleight's."""

    kind: Annotated[str, RowOf("attack_kinds")]
    skill: str
    """Such as ``guns``, ``melee``, ``exotic: monowire garrote``."""
    damage: DamageOrNone = ""
    """Damage Value, or Stress Value, as dice: ``2d10+2``; empty where only its traits do something."""
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    """The kind of armor that counts against it."""
    harms: Literal["damage", "stress"] = "damage"
    """The track it fills."""
    modes: tuple[Annotated[str, RowOf("firing_modes")], ...] = ()
    """Firing modes, the usual one first; none for what is not fired."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """Shots it holds; left out, nobody counts them."""
    chamber: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Further rounds in the chamber: the ``+ 1`` of ``15 + 1``."""
    range: Points | None = None
    """Its range rating in meters; left out for what is thrown: SOM."""
    gravity: bool = True
    """Does gravity change its range? Not that of a beam."""
    area: Literal["", "cone", "centered", "uniform"] = ""
    radius: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Of a uniform blast, in meters."""
    within: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Meters from the center of a blast within which its traits work; 0: in all of it."""
    traits: tuple[Annotated[str, RowOf("weapon_traits")], ...] = ()
    fires: str = ""
    """What ammunition fits: a word of the ammunition table's ``fits``."""
    load: Annotated[str, RowOf("ammunition")] = ""
    """What it is loaded with where nothing else is said."""
    action: Literal["complex", "quick"] = "complex"
    """What an attack with it takes; a few sleights are quick."""
    infection: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """A sleight's infection modifier."""
    innate: bool = False
    """Is it part of the body, so that nobody is disarmed of it?"""


def half_up(value: int, divisor: int) -> int:
    """Divided and rounded to the nearest, halves up.

    Source: EP2 03/01 Dice Basics

    >>> half_up(61, 2), half_up(25 * 3, 2), half_up(31, 5)
    (31, 38, 6)
    """
    return (2 * value + divisor) // (2 * divisor)


class Sheet(Body, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character, bot or creature, as far as a fight needs it."""

    aptitudes: Aptitudes
    checks: Checks = Checks()
    durability: Points
    init: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    """Initiative; left out: (REF + INT) / 5."""
    wound_threshold: Points | None = None
    """Left out: Durability / 5."""
    death_rating: Points | None = None
    """Left out: Durability x 1.5, or x 2 without flesh."""
    lucidity: Points | None = None
    """Left out: WIL x 2."""
    trauma_threshold: Points | None = None
    """Left out: Lucidity / 5."""
    insanity_rating: Points | None = None
    """Left out: Lucidity x 2."""
    stress: bool = True
    """Can it suffer stress? Many threats cannot."""
    pools: Pools = Pools()
    group: str = ""
    """Whoever acts as one: with one roll for Initiative, and one Threat pool, that of the first who has one."""
    skills: dict[str, Skill] = {}
    specializations: dict[str, str] = {}
    """By skill: the field in which it is worth 10 more; a weapon's name or one of its specialties."""
    armor: Worn = Worn()
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """By name: a weapon, or a row of the weapons table; a list has each row under its own name."""
    morph: Literal["biomorph", "pod", "synthmorph", "bot", "vehicle"] = "biomorph"
    """``bot`` and ``vehicle`` make an Athletics or Pilot Test where others would fall."""
    biomods: bool = True
    """Basic biomods, of flesh only: they set how fast it heals by itself."""
    size: Size = "medium"
    limbs: Annotated[int, msgspec.Meta(ge=0, le=100)] = 4
    traits: tuple[Annotated[str, RowOf("traits")], ...] = ()
    """Traits, ware and gear with a figure in a fight."""
    movement: dict[Annotated[str, RowOf("movement")], tuple[Points, Points]] = msgspec.field(
        default_factory=lambda: {"walker": (4, 20)}
    )
    """By type of movement: base and full move in meters."""
    psi: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Level of the Psi trait; an async's Infection Rating begins at ten times that."""
    threat_level: Literal["", "yellow", "orange", "red", "ultraviolet"] = ""
    minimum_damage: tuple[Literal["kinetic", "energy"], ...] = ()
    """Kinds of attack from which it takes no more than if each die had shown a 1."""

    rounded = staticmethod(half_up)
    crashes = ("bot", "vehicle")

    @property
    def shakable(self) -> bool:
        """Has it a mind that stress does something to? Many threats have none.

        Source: EP2 18/05 NPCs/Threats and Stress
        """
        return self.stress


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What may be said when a fight begins."""

    place: str = ""
    ambushers: tuple[str, ...] = ()
    """Who attacks out of hiding; everybody else may be surprised."""
    alert: tuple[str, ...] = ()
    """Who expects an ambush, and so notices without the distraction modifier."""
    gravity: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 100
    """In percent of Earth's."""
    acclimated: tuple[str, ...] = ()
    """Who is used to a higher gravity."""
    vacuum: bool = False
