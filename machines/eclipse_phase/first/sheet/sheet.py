"""Fields of a combatant's sheet; published by `affray rules eclipse_phase_1e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.family.sheets import SheetBody

Aptitude = Annotated[int, msgspec.Meta(ge=1, le=50, examples=[15])]
Skill = Annotated[int, msgspec.Meta(ge=0, le=99, examples=[40])]
Damage = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?([+-][1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?)*(/[1-9])?$",
        description="Dice: 2d10+5, 1d10/2",
        examples=["2d10+5"],
    ),
]
Points = Annotated[int, msgspec.Meta(ge=1, le=1000, examples=[30])]
Armor = Annotated[int, msgspec.Meta(ge=0, description="Armor Value")]
WeaponName = Annotated[str, RowOf("weapons")]


class Aptitudes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The seven aptitudes. A fight requires SOM and minds require WIL; the others replace missing skills."""

    som: Aptitude
    """Somatics."""
    cog: Aptitude | None = None
    """Cognition."""
    coo: Aptitude | None = None
    """Coordination."""
    int: Aptitude | None = None
    """Intuition."""
    ref: Aptitude | None = None
    """Reflexes."""
    sav: Aptitude | None = None
    """Savvy."""
    wil: Aptitude | None = None
    """Willpower."""


class Worn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor: stated values, pieces of the armor table, or both added."""

    energy: Armor = 0
    """Armor against energy weapons."""
    kinetic: Armor = 0
    """Armor against kinetic weapons."""
    mental: Armor = 0
    """Mental armor, against psi."""
    name: str = ""
    """Name of the armor, for people."""
    worn: tuple[Annotated[str, RowOf("armor")], ...] = ()
    """Pieces of the armor table."""
    layers: Annotated[int, msgspec.Meta(ge=0, le=5, description="Layers beyond the first")] = 0
    """Layers beyond the first that the stated values include."""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon or a sleight."""

    kind: Annotated[str, RowOf("attack_kinds")]
    """How it attacks: a row of the table of attack kinds."""
    name: str = ""
    """Name of a weapon that is declared with its figures; empty for its skill and damage."""
    skill: Annotated[str, RowOf("skills", where="attacks")]
    """Skill that it is used with."""
    damage: Damage
    """Damage Value or Stress Value as dice: ``2d10+5``, ``1d10/2``."""
    ap: Annotated[int, msgspec.Meta(le=0)] = 0
    """Armor Penetration as printed: 0 or negative."""
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    """Kind of armor that counts against it."""
    harms: Literal["damage", "stress"] = "damage"
    """Track that it fills."""
    modes: tuple[Annotated[str, RowOf("firing_modes")], ...] = ()
    """Firing modes, the default first; empty for weapons that are not fired."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """Shots it holds. Default: shots are not counted."""
    range_class: Annotated[str, RowOf("weapon_ranges")] = ""
    """Row of the weapon ranges, for distances in meters."""
    smartlink: bool = False
    """Whether it has a smartlink."""
    cone: bool = False
    """Whether it strikes all in a cone."""
    area: Literal["", "blast", "uniform"] = ""
    """How its damage falls off in a blast; empty for no blast."""
    radius: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Radius of a uniform blast in meters."""
    beam: bool = False
    """Whether it is a continuous beam, which can be swept and kept on."""
    shock: bool = False
    """Whether a hit shocks living bodies."""
    touch: bool = False
    """Whether it is a sleight that requires a touch first."""
    strain: Annotated[int, msgspec.Meta(ge=-10, le=10)] | None = None
    """Strain modifier of a sleight. Default: no strain."""
    two_handed: bool = False
    """Whether it takes two hands."""
    reach: bool = False
    """Whether it has reach."""
    no_som: bool = False
    """Whether SOM / 10 is not added although the kind of attack adds it."""
    adds_wil: bool = False
    """Whether it is a sleight that adds WIL / 10, rounded up, to the damage."""


class Sheet(SheetBody, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character or creature, as far as a fight needs it."""

    aptitudes: Aptitudes
    """Aptitudes; tests without a skill use them."""
    durability: Points
    """Durability: the damage that the body can take."""
    init: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """INIT stat. Default: by the printing's formula from INT and REF, which are then required."""
    wound_threshold: Points | None = None
    """Wound Threshold. Default: Durability / 5, rounded up."""
    death_rating: Points | None = None
    """Death Rating. Default: Durability x 1.5, rounded up, or x 2 for a synthmorph."""
    lucidity: Points | None = None
    """Lucidity. Default: WIL x 2."""
    trauma_threshold: Points | None = None
    """Trauma Threshold. Default: Lucidity / 5, rounded up."""
    insanity_rating: Points | None = None
    """Insanity Rating. Default: Lucidity x 2."""
    speed: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Speed: Action Phases in a turn."""
    moxie: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Points of Moxie to spend."""
    skills: dict[Annotated[str, RowOf("skills")], Skill] = {}
    """Skill values by name."""
    specializations: dict[Annotated[str, RowOf("skills")], str] = {}
    """Specialization of a skill, worth +10: for a weapon skill, a weapon or its range class."""
    armor: Worn = Worn()
    """Armor that is worn."""
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """Weapons or rows of the weapons table by name; a list of rows uses their own names."""
    morph: Literal["biomorph", "pod", "synthmorph", "vehicle"] = "biomorph"
    """``vehicle`` includes bots: it makes a Pilot Test instead of falling."""
    handling: Annotated[int, msgspec.Meta(ge=-60, le=60)] = 0
    """Handling of a bot or vehicle."""
    traits: tuple[Annotated[str, RowOf("traits")], ...] = ()
    """Traits, implants and gear with an effect in a fight."""
    movement: tuple[Points, Points] = (4, 20)
    """Meters in an Action Turn, walking and running."""

    crashes = ("vehicle",)


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The situation when a fight begins."""

    place: str = ""
    ambushers: tuple[str, ...] = ()
    """Combatants who attack out of hiding; all others may be surprised."""
    alert: tuple[str, ...] = ()
    """Combatants who expect an ambush and notice without the distraction modifier."""
    gravity: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 100
    """Gravity in percent of Earth's."""
    acclimated: tuple[str, ...] = ()
    """Combatants used to a higher gravity."""
