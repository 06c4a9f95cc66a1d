"""What a combatant's sheet has; published by `affray rules shadowrun_4e --schema`."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.shadowrun_4e.sheet.printed_codes import AP, DAMAGE, half

Attribute = Annotated[int, msgspec.Meta(ge=0, le=60)]
Rating = Annotated[int, msgspec.Meta(ge=0, le=60)]
Armor = Annotated[int, msgspec.Meta(ge=0, le=100)]
Damage = Annotated[str, msgspec.Meta(pattern=DAMAGE, description="A damage code: (STR/2 + 3)P, 6S(e), 12P(f)")]
Penetration = Annotated[str, msgspec.Meta(pattern=AP, description="Armor penetration: -1, +2 or -half")]
DamageOrNone = Annotated[str, msgspec.Meta(pattern=f"{DAMAGE}|^$", description="A damage code; empty for none")]
NoneOr = Annotated[str, msgspec.Meta(pattern=f"{AP}|^$", description="Armor penetration; empty for none")]
WeaponName = Annotated[str, RowOf("melee_weapons", "projectile_weapons", "grenades", "firearms")]
SpellName = Annotated[str, RowOf("spells")]
Visibility = Annotated[str, RowOf("visibility")]


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A commlink, a node, an agent or intrusion countermeasures."""

    response: Attribute = 0
    system: Attribute = 0
    firewall: Attribute = 0
    signal: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    programs: dict[str, Rating] = {}
    """By name: ``attack``, ``black hammer``, ``blackout`` strike; ``armor``, ``biofeedback filter`` protect;
    ``browse`` searches."""
    rating: Attribute = 0
    """Of an agent, or of intrusion countermeasures: it stands for attributes and skills."""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon's line."""

    kind: Literal["astral", "weapon focus", "matrix", "melee", "unarmed", "ranged"] = "ranged"
    """Its row of the damage grid."""
    skill: str
    other_skill: str = ""
    """Another one that it may be used with; the better counts."""
    damage: DamageOrNone = ""
    ap: NoneOr = ""
    reach: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    armor: Literal["ballistic", "impact"] = "ballistic"
    """Which armor it is resisted with, where the damage grid leaves that to the weapon."""
    modes: tuple[Literal["SS", "SA", "BF", "FA"], ...] = ()
    """Firing modes; none for what is not fired."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """Rounds it holds; left out, nobody counts them."""
    recoil: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    """Recoil compensation."""
    gyro: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    """Gyro stabilization: what it takes from recoil and from the modifier for moving."""
    heavy: bool = False
    """Does recoil that is not compensated count twice?"""
    range: Annotated[str, RowOf("weapon_ranges")] = ""
    """Left out: distance has no modifier."""
    sight: Literal["", "laser sight", "smartlink"] = ""
    magnification: bool = False
    """Image magnification: range has no modifier."""
    grenade: Annotated[str, RowOf("grenades")] = ""
    """What goes off; its row says its damage."""
    scatter: Annotated[str, RowOf("scatter")] = ""
    """Left out: as its range says."""
    load: Annotated[str, RowOf("ammunition")] = ""
    """What it is loaded with."""
    strength_minimum: Attribute = 0
    """Of a bow: the Strength that it is made for."""
    focus: Rating = 0
    """Force of a weapon focus: it strikes spirits, adds its dice, and can be used in astral combat."""
    innate: bool = False
    """Is it part of the body, so that nobody is disarmed of it?"""
    breaks: bool = False
    """Does it break after the first hit?"""
    barrier: Annotated[str, RowOf("barrier_damage")] = ""
    """How it damages barriers; left out: as it strikes, is fired, or is shot."""


class Spell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A spell's line."""

    effect: Literal["direct", "indirect", "other"] = "other"
    mana: bool = False
    stun: bool = False
    """Is its damage Stun?"""
    area: bool = False
    drain: Annotated[int, msgspec.Meta(ge=-10, le=20)]
    """What is added to half the Force."""
    ap: NoneOr = ""
    electric: bool = False
    armor: Literal["ballistic", "impact"] = "impact"
    sustained: bool = False


class Worn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor ratings: of the highest that is worn, helmets and shields added."""

    ballistic: Armor = 0
    impact: Armor = 0
    mystic: Armor = 0
    """Astral armor."""
    nonconductive: Armor = 0
    """Added against electricity."""
    metal: bool = False
    """Metal does not help against electricity."""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A character, spirit, critter, agent, vehicle or barrier, as far as a fight needs it."""

    body: Attribute | None = None
    agility: Attribute | None = None
    reaction: Attribute | None = None
    strength: Attribute | None = None
    charisma: Attribute | None = None
    intuition: Attribute | None = None
    logic: Attribute | None = None
    willpower: Attribute | None = None
    edge: Attribute = 0
    magic: Attribute = 0
    resonance: Attribute = 0
    force: Attribute = 0
    """Of a spirit: stands for attributes and skills that its sheet does not have."""
    passes: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Initiative Passes on the physical plane."""
    initiative: Attribute | None = None
    """Initiative on the physical plane; left out: Reaction + Intuition."""
    plane: Annotated[str, RowOf("planes")] = "physical"
    """Where it acts when it joins."""
    metatype: str = "human"
    vision: Annotated[
        tuple[Literal["normal", "low-light", "thermographic", "ultrasound"], ...], msgspec.Meta(min_length=1)
    ] = ("normal",)
    skills: dict[str, Rating] = {}
    specializations: dict[str, str] = {}
    """By skill: in what it is worth two dice more."""
    armor: Worn = Worn()
    hardened: Armor = 0
    """Hardened armor: what does not exceed it does nothing."""
    immune: bool = False
    """Immunity to normal weapons: hardened armor of twice the Force."""
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """By name: a weapon, or a row of one of the weapon tables; a list has each row under its own name."""
    spells: dict[str, Spell | SpellName] | tuple[SpellName, ...] = {}
    tradition: Annotated[str, RowOf("traditions")] = ""
    """What Drain is resisted with beside Willpower."""
    matrix: Matrix | None = None
    vehicle: bool = False
    """Stun does nothing to it."""
    handling: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    """Of a vehicle."""
    material: Annotated[str, RowOf("barriers")] = ""
    """Of a barrier."""
    structure: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Of a barrier, where it is not as the material's."""
    barrier_armor: Armor = 0

    @property
    def physical_track(self) -> int:
        """Boxes of the physical condition monitor; 0 without a body.

        Source: SR4 153 Condition Monitors
        """
        body = self.value("body")
        return 0 if body is None else 8 + half(body)

    @property
    def stun_track(self) -> int:
        """Boxes of the stun condition monitor; 0 without a will, and for vehicles.

        Source: SR4 153 Condition Monitors
        """
        will = self.value("willpower")
        return 0 if will is None or self.vehicle else 8 + half(will)

    @property
    def icon_track(self) -> int:
        """Boxes of an icon in the Matrix; 0 for whoever has none.

        Source: SR4 237 Matrix Damage
        """
        return 0 if self.matrix is None else 8 + half(self.matrix.system or self.matrix.rating)

    def value(self, name: str) -> int | None:
        """An attribute; a spirit's Force where the sheet says nothing.

        Source: SR4S Combat Sequence
        """
        said: int | None = getattr(self, name)
        return self.force if said is None and self.force else said


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What may be said when a fight begins."""

    place: str = ""
    visibility: Visibility = ""
    """It holds for everybody, unless an attack says otherwise."""
    surprise: bool = False
    """Does everybody test for surprise?"""
    ambushers: tuple[str, ...] = ()
    """Who lies in wait: whoever they can see never surprises them."""
    alert: tuple[str, ...] = ()
    """Who expects something."""
