"""What a combatant's sheet has, and what a declaration says; published by `affray rules eclipse_phase_1e --schema`."""

from typing import Annotated, Literal

import msgspec

Aptitude = Annotated[int, msgspec.Meta(ge=1, le=50)]
Skill = Annotated[int, msgspec.Meta(ge=0, le=99)]
Damage = Annotated[
    str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?([+-][1-9][0-9]{0,2}(d[1-9][0-9]{0,2})?)*(/[1-9])?$")
]
Armor = Annotated[int, msgspec.Meta(ge=0, description="Armor Value")]


class Aptitudes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The seven aptitudes; a fight needs SOM, the others only where a skill is missing."""

    som: Aptitude
    cog: Aptitude | None = None
    coo: Aptitude | None = None
    int: Aptitude | None = None
    ref: Aptitude | None = None
    sav: Aptitude | None = None
    wil: Aptitude | None = None


class Worn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor as worn, against either kind of attack."""

    energy: Armor = 0
    kinetic: Armor = 0
    name: str = ""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon's line."""

    kind: str
    """A row of the table of attack kinds: ``melee`` or ``ranged``."""
    skill: str
    damage: Damage
    """Damage Value as dice: ``2d10+5``, ``1d10/2``."""
    ap: Annotated[int, msgspec.Meta(le=0)] = 0
    """Armor Penetration as printed: 0, or below."""
    armor: Literal["kinetic", "energy"] = "kinetic"
    """The kind of armor that counts against it."""
    modes: tuple[str, ...] = ()
    """Firing modes, the usual one first; none for what is not fired."""
    smartlink: bool = False
    cone: bool = False
    shock: bool = False


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character or creature, as far as a fight needs it."""

    init: Annotated[int, msgspec.Meta(ge=0)]
    aptitudes: Aptitudes
    durability: Annotated[int, msgspec.Meta(ge=1)]
    wound_threshold: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Left out: Durability / 5, rounded up."""
    speed: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    skills: dict[str, Skill] = {}
    armor: Worn = Worn()
    weapons: dict[str, Weapon] = {}
    morph: Literal["biomorph", "pod", "synthmorph"] = "biomorph"

    @property
    def threshold(self) -> int:
        """The Wound Threshold.

        Source: EP1 122 Wound Threshold
        """
        return self.wound_threshold or -(-self.durability // 5)


class AttackTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Step 1: whom, with what, how."""

    at: str
    using: str | Weapon
    """A weapon's name on the sheet, or a whole weapon."""
    mode: str = ""
    """A firing mode; left out: the weapon's usual one."""
    range: str = ""
    """A row of the range table; left out: ``short``."""
    modifiers: tuple[str, ...] = ()
    """Rows of the modifiers table that hold."""
    surprised: bool = False
    """Is the target surprised, and so without defense?"""


class QuickTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A Quick Action, in words."""

    what: str
    stand: bool = False
    """Does it bring somebody prone to their feet?"""


class ComplexTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Another Complex Action, in words."""

    what: str


class NoTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Nothing more to say."""


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What may be said when a fight begins."""

    place: str = ""
