"""What a combatant's sheet has; published by `affray rules eclipse_phase_1e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.family.sheets import Body

Aptitude = Annotated[int, msgspec.Meta(ge=1, le=50)]
Skill = Annotated[int, msgspec.Meta(ge=0, le=99)]
Damage = Annotated[
    str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?([+-][1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?)*(/[1-9])?$")
]
Points = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Armor = Annotated[int, msgspec.Meta(ge=0, description="Armor Value")]
WeaponName = Annotated[str, RowOf("weapons")]


class Aptitudes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The seven aptitudes; a fight needs SOM, minds need WIL, the others count where a skill is missing."""

    som: Aptitude
    cog: Aptitude | None = None
    coo: Aptitude | None = None
    int: Aptitude | None = None
    ref: Aptitude | None = None
    sav: Aptitude | None = None
    wil: Aptitude | None = None


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
    skill: Annotated[str, RowOf("skills", where="attacks")]
    damage: Damage
    """Damage Value, or Stress Value, as dice: ``2d10+5``, ``1d10/2``."""
    ap: Annotated[int, msgspec.Meta(le=0)] = 0
    """Armor Penetration as printed: 0, or below."""
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    """The kind of armor that counts against it."""
    harms: Literal["damage", "stress"] = "damage"
    """The track it fills."""
    modes: tuple[Annotated[str, RowOf("firing_modes")], ...] = ()
    """Firing modes, the usual one first; none for what is not fired."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """Shots it holds; left out, nobody counts them."""
    range_class: Annotated[str, RowOf("weapon_ranges")] = ""
    """For distances in meters."""
    smartlink: bool = False
    cone: bool = False
    area: Literal["", "blast", "uniform"] = ""
    radius: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Of a uniform blast, in meters."""
    beam: bool = False
    """A continuous beam, which can be swept and kept on."""
    shock: bool = False
    touch: bool = False
    """A sleight that needs the target touched first."""
    strain: Annotated[int, msgspec.Meta(ge=-10, le=10)] | None = None
    """A sleight's strain modifier; left out, it causes none."""
    two_handed: bool = False
    reach: bool = False
    no_som: bool = False
    """Does SOM / 10 not count, although the kind of attack adds it?"""


class Sheet(Body, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character or creature, as far as a fight needs it."""

    aptitudes: Aptitudes
    durability: Points
    init: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The INIT stat; left out, INT and REF by the printing's formula."""
    wound_threshold: Points | None = None
    """Left out: Durability / 5, rounded up."""
    death_rating: Points | None = None
    """Left out: Durability x 1.5, rounded up, or x 2 for a synthmorph."""
    lucidity: Points | None = None
    """Left out: WIL x 2."""
    trauma_threshold: Points | None = None
    """Left out: Lucidity / 5, rounded up."""
    insanity_rating: Points | None = None
    """Left out: Lucidity x 2."""
    speed: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    moxie: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    skills: dict[str, Skill] = {}
    specializations: dict[str, str] = {}
    """By skill: the field in which it is worth 10 more; for a weapon skill, a weapon or its range class."""
    armor: Worn = Worn()
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """By name: a weapon, or a row of the weapons table; a list has each row under its own name."""
    morph: Literal["biomorph", "pod", "synthmorph", "vehicle"] = "biomorph"
    """``vehicle`` stands for bots, too: what makes a Pilot Test where others would fall."""
    handling: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    """Of a bot or vehicle."""
    traits: tuple[Annotated[str, RowOf("traits")], ...] = ()
    """Traits, implants and gear with a figure in a fight."""
    movement: tuple[Points, Points] = (4, 20)
    """Meters in an Action Turn, walking and running."""

    crashes = ("vehicle",)


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
