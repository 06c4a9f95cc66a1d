"""What a combatant's sheet has; published by `affray rules gurps_3e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf

Attribute = Annotated[int, msgspec.Meta(ge=1, le=200)]
Level = Annotated[int, msgspec.Meta(ge=1, le=60)]
Points = Annotated[int, msgspec.Meta(ge=0, le=1000)]
DamageType = Annotated[str, RowOf("damage_types")]
Small = Annotated[int, msgspec.Meta(ge=-30, le=30)]
Damage = Annotated[
    str,
    msgspec.Meta(pattern=r"^[1-9][0-9]?d(6)?([+-][0-9]{1,3})?$", description="Six-sided dice and adds: 2d+1, 1d-2, 5d"),
]


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon's line; a weapon that can be swung and thrust has two."""

    kind: Annotated[str, RowOf("attack_kinds")] = "melee"
    skill: str
    damage: Damage
    type: DamageType
    of: str = ""
    """The thing that it is a line of, where it has several: ``broadsword``."""
    thrust: bool = False
    swung: bool = False
    parries: bool | None = None
    """Can it be parried with? Left out: as melee weapons and bare hands can."""
    parry_bonus: Small = 0
    natural: bool = False
    """Is it part of the body, so that nobody drops it?"""
    needs_readying: bool = False
    """Has it to be readied after every attack?"""
    cheap: bool = False
    sturdy: bool = False
    """Solid crushing, magic, or fine: it breaks only where the table says so twice."""
    ss: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """The snap shot number of a ranged weapon."""
    acc: Small = 0
    scope: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """What its sight adds beside Acc."""
    snap_shot: Annotated[int, msgspec.Meta(ge=-10, le=0)] | None = None
    """The snap shot penalty, where it is less than usual."""
    rcl: Annotated[int, msgspec.Meta(ge=-30, le=0)] = 0
    rof: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """Shots, or rounds of automatic fire, in a turn."""
    automatic: bool = False
    """Are its rounds fired in groups of up to four?"""
    shots: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """What it holds; left out, nobody counts."""
    max: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    """Yards that it reaches."""
    st: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """The least ST that it wants."""
    recoilless: bool = False
    ammunition: Annotated[str, RowOf("ammunition")] = "ordinary"
    armor_divisor: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What covers a part of the body."""

    pd: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    dr: Points = 0
    against: dict[DamageType, Points] = {}
    """DR against some types of damage, in place of the other."""
    flexible: bool = False


class Shield(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A shield and how well it is handled."""

    pd: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    """Left out: as its row says."""
    kind: Annotated[str, RowOf("shields")] = "small shield"
    skill: str = "shield"


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character or animal, as far as a fight needs it."""

    st: Attribute
    dx: Attribute
    iq: Attribute = 10
    ht: Attribute
    hit_points: Attribute | None = None
    """Left out: as HT."""
    fatigue: Attribute | None = None
    """Left out: as ST."""
    will: Annotated[int, msgspec.Meta(ge=-20, le=20)] = 0
    """Levels of Strong Will, or of Weak Will below 0."""
    move: Annotated[int, msgspec.Meta(ge=0, le=200)] | None = None
    """Move after encumbrance; left out: Basic Speed without fractions."""
    dodge: Annotated[int, msgspec.Meta(ge=0, le=60)] | None = None
    """Left out: as Move."""
    size: Annotated[int, msgspec.Meta(ge=-30, le=30)] = 0
    """The size modifier."""
    skills: dict[str, Level] = {}
    weapons: dict[str, Weapon] = {}
    shield: Shield | None = None
    armor: dict[str, Armor] = {}
    """By part of the body; ``all`` covers everything but the eyes, and adds up with the others."""
    natural_dr: Points = 0
    """Of a tough skin or a hide: everywhere."""
    ambidextrous: bool = False
    high_pain_threshold: bool = False
    vulnerable: dict[DamageType, Points] = {}
    """Extra damage by its type."""

    @property
    def basic_speed(self) -> int:
        """Basic Speed, in quarters: HT + DX.

        Source: B 14 Speed
        """
        return self.ht + self.dx

    @property
    def full_move(self) -> int:
        """Move, unhurt.

        Source: B 77 Move
        """
        return self.basic_speed // 4 if self.move is None else self.move

    @property
    def full_dodge(self) -> int:
        """Dodge, unhurt.

        Source: B 98 Dodging
        """
        return self.full_move if self.dodge is None else self.dodge

    @property
    def most_hits(self) -> int:
        """Hit points, unhurt.

        Source: B 13 Hit Points
        """
        return self.ht if self.hit_points is None else self.hit_points


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What may be said when a fight begins."""

    place: str = ""
    darkness: Annotated[int, msgspec.Meta(ge=-10, le=0)] = 0
    """A penalty that holds for everybody, unless an attack says otherwise."""
    footing: Annotated[int, msgspec.Meta(ge=-10, le=0)] = 0
    """Likewise, for bad footing."""
    postures: dict[str, Literal["crouching", "kneeling", "sitting", "crawling", "prone"]] = {}
    """Who begins otherwise than standing."""
