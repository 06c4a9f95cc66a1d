"""Fields of a combatant's sheet; published by `affray rules eclipse_phase_2e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.eclipse_phase.family.sheets import SheetBody

Aptitude = Annotated[int, msgspec.Meta(ge=0, le=60, examples=[15])]
Check = Annotated[int, msgspec.Meta(ge=0, le=150, description="The target number of an Aptitude Check", examples=[45])]
Skill = Annotated[int, msgspec.Meta(ge=0, le=150, examples=[40])]
_DICE = r"[1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?([+-][1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?)*(/[1-9])?"
Damage = Annotated[str, msgspec.Meta(pattern=f"^{_DICE}$", description="Dice: 2d10+2, 1d6", examples=["2d10"])]
DamageOrNone = Annotated[
    str, msgspec.Meta(pattern=f"^({_DICE})?$", description="Dice: 2d10+2, 1d6; empty for none", examples=["2d10"])
]
Points = Annotated[int, msgspec.Meta(ge=1, le=1000, examples=[30])]
Pool = Annotated[int, msgspec.Meta(ge=0, le=30, examples=[2])]
Armor = Annotated[int, msgspec.Meta(ge=0, description="Armor Value")]
WeaponName = Annotated[str, RowOf("weapons")]
Size = Literal["very small", "small", "medium", "large", "very large"]


class Aptitudes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The six aptitudes. A fight requires SOM; the others are needed for tests that use them."""

    som: Aptitude
    """Somatics."""
    cog: Aptitude | None = None
    """Cognition."""
    int: Aptitude | None = None
    """Intuition."""
    ref: Aptitude | None = None
    """Reflexes."""
    sav: Aptitude | None = None
    """Savvy."""
    wil: Aptitude | None = None
    """Willpower."""


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Aptitude Checks that differ from the aptitude x 3."""

    som: Check | None = None
    """SOM Check."""
    cog: Check | None = None
    """COG Check."""
    int: Check | None = None
    """INT Check."""
    ref: Check | None = None
    """REF Check."""
    sav: Check | None = None
    """SAV Check."""
    wil: Check | None = None
    """WIL Check."""


class Pools(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Points to spend; ``threat`` is the gamemaster's and serves as any of the others."""

    insight: Pool = 0
    """Insight."""
    moxie: Pool = 0
    """Moxie."""
    vigor: Pool = 0
    """Vigor."""
    flex: Pool = 0
    """Flex."""
    threat: Pool = 0
    """Threat, the gamemaster's pool."""


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
    skill: Annotated[str, RowOf("skills", where="attacks", fields="name")]
    """Skill, such as ``guns``, ``melee``, ``exotic: monowire garrote``."""
    damage: DamageOrNone = ""
    """Damage Value or Stress Value as dice: ``2d10+2``; empty if only its traits have an effect."""
    armor: Literal["kinetic", "energy", "mental", "none"] = "kinetic"
    """Kind of armor that counts against it."""
    harms: Literal["damage", "stress"] = "damage"
    """Track that it fills."""
    modes: tuple[Annotated[str, RowOf("firing_modes")], ...] = ()
    """Firing modes, the default first; empty for weapons that are not fired."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """Shots it holds. Default: shots are not counted."""
    chamber: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Further rounds in the chamber: the ``+ 1`` of ``15 + 1``."""
    range: Points | None = None
    """Range rating in meters. Default: that of a thrown weapon, by SOM."""
    gravity: bool = True
    """Whether gravity changes its range; false for a beam."""
    area: Literal["", "cone", "centered", "uniform"] = ""
    """Shape of the area that it strikes; empty for one target."""
    radius: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Radius of a uniform blast in meters."""
    within: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Meters from the center of a blast within which its traits work; 0 for all of it."""
    traits: tuple[Annotated[str, RowOf("weapon_traits")], ...] = ()
    """Traits that have an effect in a fight."""
    fires: str = ""
    """Ammunition that fits: a value of the ammunition table's ``fits``."""
    load: Annotated[str, RowOf("ammunition")] = ""
    """Default ammunition."""
    action: Literal["complex", "quick"] = "complex"
    """Action that an attack takes; a few sleights are quick."""
    infection: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Infection modifier of a sleight."""
    innate: bool = False
    """Whether it is part of the body and cannot be disarmed."""


def half_up(value: int, divisor: int) -> int:
    """Returns the quotient rounded to the nearest, halves up.

    Source: EP2 03/01 Dice Basics

    >>> half_up(61, 2), half_up(25 * 3, 2), half_up(31, 5)
    (31, 38, 6)
    """
    return (2 * value + divisor) // (2 * divisor)


class Sheet(SheetBody, msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character, bot or creature, as far as a fight needs it."""

    aptitudes: Aptitudes
    """Aptitudes; tests without a skill use them."""
    checks: Checks = Checks()
    """Aptitude Checks that differ from the aptitude x 3."""
    durability: Points
    """Durability: the damage that the body can take."""
    init: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    """Initiative. Default: (REF + INT) / 5, which are then required."""
    wound_threshold: Points | None = None
    """Wound Threshold. Default: Durability / 5."""
    death_rating: Points | None = None
    """Death Rating. Default: Durability x 1.5, or x 2 for a synthetic body."""
    lucidity: Points | None = None
    """Lucidity. Default: WIL x 2."""
    trauma_threshold: Points | None = None
    """Trauma Threshold. Default: Lucidity / 5."""
    insanity_rating: Points | None = None
    """Insanity Rating. Default: Lucidity x 2."""
    stress: bool = True
    """Whether it can suffer stress; many threats cannot."""
    pools: Pools = Pools()
    """Pools of points to spend."""
    group: str = ""
    """Group that acts together: one Initiative roll, and one Threat pool, that of the first member who has one."""
    skills: dict[Annotated[str, RowOf("skills", fields="fields")], Skill] = {}
    """Skill values by name."""
    specializations: dict[str, str] = {}
    """Specialization of a skill, worth +10: a weapon's name or one of its specialties."""
    armor: Worn = Worn()
    """Armor that is worn."""
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """Weapons or rows of the weapons table by name; a list of rows uses their own names."""
    morph: Literal["biomorph", "pod", "synthmorph", "bot", "vehicle"] = "biomorph"
    """``bot`` and ``vehicle`` make an Athletics or Pilot Test instead of falling."""
    biomods: bool = True
    """Basic biomods of a living body, which set its natural healing rate."""
    size: Size = "medium"
    """Size of the body."""
    limbs: Annotated[int, msgspec.Meta(ge=0, le=100)] = 4
    """Number of limbs, which counts in grappling."""
    traits: tuple[Annotated[str, RowOf("traits")], ...] = ()
    """Traits, ware and gear with an effect in a fight."""
    movement: dict[Annotated[str, RowOf("movement")], tuple[Points, Points]] = msgspec.field(
        default_factory=lambda: {"walker": (4, 20)}
    )
    """Base and full move in meters, by type of movement."""
    psi: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """Level of the Psi trait; the Infection Rating of an async begins at ten times that."""
    threat_level: Literal["", "yellow", "orange", "red", "ultraviolet"] = ""
    """Threat level of an adversary; empty for none."""
    minimum_damage: tuple[Literal["kinetic", "energy"], ...] = ()
    """Kinds of attack from which it takes no more than if each die showed a 1."""

    rounded = staticmethod(half_up)
    crashes = ("bot", "vehicle")

    @property
    def shakable(self) -> bool:
        """Whether stress affects its mind; many threats have none.

        Source: EP2 18/05 NPCs/Threats and Stress
        """
        return self.stress


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
    vacuum: bool = False
