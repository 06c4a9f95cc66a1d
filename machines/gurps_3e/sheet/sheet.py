"""The fields of a combatant's sheet; published by `affray rules gurps_3e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf

Attribute = Annotated[int, msgspec.Meta(ge=1, le=200, examples=[10])]
Level = Annotated[int, msgspec.Meta(ge=1, le=60, examples=[12])]
Points = Annotated[int, msgspec.Meta(ge=0, le=1000, examples=[2])]
DamageType = Annotated[str, RowOf("damage_types")]
Length = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(0|[1-9][0-9]{0,3})([.]5)? yards?$",
        description="A length in yards: 3 yards, 1.5 yards",
        examples=["3 yards"],
    ),
]
Small = Annotated[int, msgspec.Meta(ge=-30, le=30)]
Damage = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([1-9][0-9]?d(6)?|sw|thr)([+-][0-9]{1,3})?$",
        description="Six-sided dice and adds: 2d+1, 1d-2, 5d; or a swing or thrust by ST: sw+1, thr",
        examples=["2d+1"],
    ),
]


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A line of a weapon; a weapon that can be swung and thrust has two."""

    kind: Annotated[str, RowOf("attack_kinds")] = "melee"
    """How it attacks: a row of the table of attack kinds."""
    skill: str
    """The skill that it is used with, by its name in ``skills``."""
    damage: Damage
    """The damage of a hit."""
    type: DamageType
    """The damage type, which decides what gets past DR."""
    of: str = ""
    """The item that it is a line of, where the item has several: ``broadsword``."""
    thrust: bool = False
    """Whether it is used to thrust."""
    swung: bool = False
    """Whether it is swung."""
    parries: bool | None = None
    """Whether it parries. Default: as its attack kind does."""
    parry_bonus: Small = 0
    """Added to Parry."""
    natural: bool = False
    """Whether it is part of the body and cannot be dropped."""
    needs_readying: bool = False
    """Whether it must be readied after each attack."""
    cheap: bool = False
    """Whether it is cheap, and breaks more easily."""
    sturdy: bool = False
    """Whether it is solid crushing, magic or fine, and breaks only on a second such result."""
    ss: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """The snap shot number of a ranged weapon."""
    acc: Small = 0
    """The accuracy of a ranged weapon, which aiming adds."""
    scope: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """The bonus of its sight, in addition to Acc."""
    snap_shot: Annotated[int, msgspec.Meta(ge=-10, le=0)] | None = None
    """The snap shot penalty, where it differs from -4."""
    rcl: Annotated[int, msgspec.Meta(ge=-30, le=0)] = 0
    """The recoil penalty."""
    rof: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """Shots, or rounds of automatic fire, in a turn."""
    automatic: bool = False
    """Whether its rounds are fired in groups of up to four."""
    shots: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """The capacity of its magazine. Default: shots are not counted."""
    max: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    """Its maximum range in yards."""
    st: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """The minimum ST that it requires."""
    recoilless: bool = False
    """Whether a critical miss that depends on recoil does not apply."""
    ammunition: Annotated[str, RowOf("ammunition")] = "ordinary"
    """The rounds that it fires."""
    armor_divisor: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """The number that DR is divided by."""


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor on a part of the body."""

    pd: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Passive defense."""
    dr: Points = 0
    """Damage resistance."""
    against: dict[DamageType, Points] = {}
    """DR against some damage types, in place of ``dr``."""
    flexible: bool = False
    """Whether it is flexible, such as mail or cloth."""


class Shield(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A shield and the skill with it."""

    pd: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    """Passive defense. Default: that of its row."""
    kind: Annotated[str, RowOf("shields")] = "small shield"
    """The row of the table of shields."""
    skill: str = "shield"
    """The skill that it blocks with, by its name in ``skills``."""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character or animal, as far as a fight needs it."""

    st: Attribute
    """Strength."""
    dx: Attribute
    """Dexterity."""
    iq: Attribute = 10
    """Intelligence."""
    ht: Attribute
    """Health."""
    hit_points: Annotated[int, msgspec.Meta(ge=1, le=10_000, examples=[10])] | None = None
    """Hit points. Default: HT."""
    fatigue: Attribute | None = None
    """Fatigue points. Default: ST."""
    will: Annotated[int, msgspec.Meta(ge=-20, le=20)] = 0
    """Levels of Strong Will, or of Weak Will below 0."""
    move: Annotated[int, msgspec.Meta(ge=0, le=200, examples=[5])] | None = None
    """Move after encumbrance. Default: Basic Speed without fractions."""
    dodge: Annotated[int, msgspec.Meta(ge=0, le=60, examples=[5])] | None = None
    """Dodge. Default: Move."""
    size: Annotated[int, msgspec.Meta(ge=-30, le=30)] | Length = 0
    """The size modifier, or the length to which the table of sizes gives one: ``3 yards``."""
    skills: dict[str, Level] = {}
    """Skill levels by name, such as broadsword; weapons name the skills that they are used with."""
    weapons: dict[str, Weapon] = {}
    """Weapons by the combatant's names for them. Weapons of the table are listed in ``arms`` instead."""
    arms: tuple[Annotated[str, RowOf("arms")], ...] = ()
    """Generic weapons of the table, in addition to ``weapons``."""
    shield: Shield | None = None
    """The shield, if one is carried."""
    armor: dict[Annotated[str, RowOf("hit_locations", column="covered", also=("all",))], Armor] = {}
    """By part of the body; ``all`` covers everything but the eyes, in addition to the others."""
    natural_dr: Points = 0
    """DR of tough skin or hide, at every location."""
    ambidextrous: bool = False
    """Whether neither hand is an off hand. No rule of the game reads it yet."""
    high_pain_threshold: bool = False
    """Whether injuries cause no shock."""
    vulnerable: dict[DamageType, Points] = {}
    """Extra damage by damage type."""

    @property
    def basic_speed(self) -> int:
        """Basic Speed, in quarters: HT + DX.

        Source: B 14 Speed
        """
        return self.ht + self.dx

    @property
    def full_move(self) -> int:
        """Move of an uninjured combatant.

        Source: B 77 Move
        """
        return self.basic_speed // 4 if self.move is None else self.move

    @property
    def full_dodge(self) -> int:
        """Dodge of an uninjured combatant.

        Source: B 98 Dodging
        """
        return self.full_move if self.dodge is None else self.dodge

    @property
    def most_hits(self) -> int:
        """Hit points of an uninjured combatant.

        Source: B 13 Hit Points
        """
        return self.ht if self.hit_points is None else self.hit_points


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What can be declared when a fight begins."""

    place: str = ""
    darkness: Annotated[int, msgspec.Meta(ge=-10, le=0)] = 0
    """The penalty for darkness, unless an attack declares another."""
    footing: Annotated[int, msgspec.Meta(ge=-10, le=0)] = 0
    """The penalty for bad footing, unless an attack declares another."""
    postures: dict[str, Literal["crouching", "kneeling", "sitting", "crawling", "prone"]] = {}
    """Combatants who do not begin standing."""
