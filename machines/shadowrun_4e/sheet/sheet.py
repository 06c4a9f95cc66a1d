"""The fields of a combatant's sheet; `affray rules shadowrun_4e --schema` publishes them."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.shadowrun_4e.sheet.printed_codes import AP, DAMAGE, half

Attribute = Annotated[int, msgspec.Meta(ge=0, le=60, examples=[3])]
Rating = Annotated[int, msgspec.Meta(ge=0, le=60, examples=[3])]
Armor = Annotated[int, msgspec.Meta(ge=0, le=100, examples=[4])]
_CODE = {"description": "A damage code: (STR/2 + 3)P, 6S(e), 12P(f)", "examples": ["5P"]}
_PENETRATION = {"description": "Armor penetration: -1, +2 or -half", "examples": ["-1"]}
Damage = Annotated[str, msgspec.Meta(pattern=DAMAGE, **_CODE)]
Penetration = Annotated[str, msgspec.Meta(pattern=AP, **_PENETRATION)]
DamageOrNone = Annotated[str, msgspec.Meta(pattern=f"{DAMAGE}|^$", **_CODE)]
NoneOr = Annotated[str, msgspec.Meta(pattern=f"{AP}|^$", **_PENETRATION)]
WeaponName = Annotated[str, RowOf("melee_weapons", "projectile_weapons", "grenades", "firearms")]
SkillName = Annotated[str, RowOf("skills", fields="specific")]
SpellName = Annotated[str, RowOf("spells")]
Visibility = Annotated[str, RowOf("visibility")]


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A commlink, a node, an agent or intrusion countermeasures."""

    response: Attribute = 0
    """Response."""
    system: Attribute = 0
    """System, which sets the boxes of the icon."""
    firewall: Attribute = 0
    """Firewall."""
    signal: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    """Signal."""
    programs: dict[str, Rating] = {}
    """By name: ``attack``, ``black hammer`` and ``blackout`` attack; ``armor`` and ``biofeedback filter`` protect;
    ``browse`` searches."""
    rating: Attribute = 0
    """The rating of an agent or of intrusion countermeasures; it replaces attributes and skills."""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A weapon."""

    kind: Literal["astral", "weapon focus", "matrix", "melee", "unarmed", "ranged"] = "ranged"
    """Its row of the damage grid."""
    skill: SkillName
    """The skill that it is used with."""
    other_skill: SkillName = ""
    """A second skill it may be used with; the better one counts."""
    damage: DamageOrNone = ""
    """The damage code; omitted only for a weapon that sets off a grenade."""
    ap: NoneOr = ""
    """Armor penetration; omitted for none."""
    reach: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Reach in melee."""
    armor: Literal["ballistic", "impact"] = "ballistic"
    """The armor that resists it, if the damage grid leaves that to the weapon."""
    modes: tuple[Literal["SS", "SA", "BF", "FA"], ...] = ()
    """Firing modes; empty for other weapons."""
    ammo: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    """The magazine's capacity; omitted: rounds are not counted."""
    recoil: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    """Recoil compensation."""
    gyro: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    """Gyro stabilization, against recoil and the modifier for moving."""
    heavy: bool = False
    """Whether uncompensated recoil counts twice."""
    range: Annotated[str, RowOf("weapon_ranges")] = ""
    """Omitted: distance has no modifier."""
    sight: Literal["", "laser sight", "smartlink"] = ""
    """The sight that is fitted to it."""
    magnification: bool = False
    """Image magnification removes the modifier for range."""
    grenade: Annotated[str, RowOf("grenades")] = ""
    """The row of the grenade that goes off, with its damage."""
    scatter: Annotated[str, RowOf("scatter")] = ""
    """Omitted: that of its range."""
    load: Annotated[str, RowOf("ammunition")] = ""
    """The ammunition it is loaded with."""
    strength_minimum: Attribute = 0
    """The Strength that a bow is made for."""
    focus: Rating = 0
    """Force of a weapon focus: it harms spirits, adds its dice, and can be used in astral combat."""
    innate: bool = False
    """Whether it is part of the body and cannot be knocked away."""
    breaks: bool = False
    """Whether it breaks after the first hit."""
    barrier: Annotated[str, RowOf("barrier_damage")] = ""
    """Its row of the Damaging Barriers Table; omitted: by its type."""


class Spell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A spell."""

    effect: Literal["direct", "indirect", "other"] = "other"
    """How it works: direct and indirect combat spells harm, other spells do not."""
    mana: bool = False
    """Whether it is a mana spell, resisted by Willpower, or else a physical one."""
    stun: bool = False
    """Whether its damage is Stun."""
    area: bool = False
    """Whether it affects an area."""
    drain: Annotated[int, msgspec.Meta(ge=-10, le=20)]
    """Added to half the Force."""
    ap: NoneOr = ""
    """Armor penetration of an indirect spell; omitted for none."""
    electric: bool = False
    """Whether its damage is electricity."""
    armor: Literal["ballistic", "impact"] = "impact"
    """The armor that resists an indirect spell."""
    sustained: bool = False
    """Whether it can be sustained."""


class Worn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Armor ratings: the highest worn, plus helmets and shields."""

    ballistic: Armor = 0
    """Ballistic armor."""
    impact: Armor = 0
    """Impact armor."""
    mystic: Armor = 0
    """Astral armor."""
    nonconductive: Armor = 0
    """Added against electricity."""
    metal: bool = False
    """Whether it is metal, which does not help against electricity."""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The sheet of a character, spirit, critter, agent, vehicle or barrier."""

    body: Attribute | None = None
    """Body."""
    agility: Attribute | None = None
    """Agility."""
    reaction: Attribute | None = None
    """Reaction."""
    strength: Attribute | None = None
    """Strength."""
    charisma: Attribute | None = None
    """Charisma."""
    intuition: Attribute | None = None
    """Intuition."""
    logic: Attribute | None = None
    """Logic."""
    willpower: Attribute | None = None
    """Willpower."""
    edge: Attribute = 0
    """Edge, and the points of Edge to spend."""
    magic: Attribute = 0
    """Magic."""
    resonance: Attribute = 0
    """Resonance."""
    force: Attribute = 0
    """A spirit's Force, which replaces attributes and skills that its sheet lacks."""
    passes: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Initiative Passes on the physical plane."""
    initiative: Attribute | None = None
    """Initiative on the physical plane; omitted: Reaction + Intuition."""
    plane: Annotated[str, RowOf("planes")] = "physical"
    """The plane it acts on when it joins."""
    metatype: Annotated[str, RowOf("movement", column="metatypes")] = "human"
    """The metatype, which sets walking and running rates."""
    vision: Annotated[
        tuple[Literal["normal", "low-light", "thermographic", "ultrasound"], ...], msgspec.Meta(min_length=1)
    ] = ("normal",)
    """The kinds of vision; the best for the visibility counts."""
    skills: dict[SkillName, Rating] = {}
    """Skill ratings by name."""
    specializations: dict[SkillName, str] = {}
    """By skill: the specialization, worth two dice: a weapon, a spell, or a category of the skill."""
    armor: Worn = Worn()
    """Armor that is worn."""
    hardened: Armor = 0
    """Hardened armor: damage that does not exceed it does nothing."""
    immune: bool = False
    """Immunity to normal weapons: hardened armor of twice the Force."""
    weapons: dict[str, Weapon | WeaponName] | tuple[WeaponName, ...] = {}
    """By name: a weapon, or a row of one of the weapon tables; a list names rows."""
    spells: dict[str, Spell | SpellName] | tuple[SpellName, ...] = {}
    """Spells by name: a spell, or a row of the table of spells; a list names rows."""
    tradition: Annotated[str, RowOf("traditions")] = ""
    """The magical tradition, whose attribute resists Drain with Willpower."""
    matrix: Matrix | None = None
    """The commlink, node, agent or program with which it acts in the Matrix."""
    vehicle: bool = False
    """Whether it is a vehicle or drone, without a Stun track."""
    handling: Annotated[int, msgspec.Meta(ge=-10, le=10)] = 0
    """A vehicle's Handling."""
    material: Annotated[str, RowOf("barriers")] = ""
    """A barrier's material."""
    structure: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """A barrier's Structure, if it differs from the material's."""
    barrier_armor: Armor = 0
    """A barrier's Armor, if it differs from the material's."""

    @property
    def physical_track(self) -> int:
        """Boxes of the physical condition monitor; 0 without Body.

        Source: SR4 153 Condition Monitors
        """
        body = self.value("body")
        return 0 if body is None else 8 + half(body)

    @property
    def stun_track(self) -> int:
        """Boxes of the stun condition monitor; 0 without Willpower, and for vehicles.

        Source: SR4 153 Condition Monitors
        """
        will = self.value("willpower")
        return 0 if will is None or self.vehicle else 8 + half(will)

    @property
    def icon_track(self) -> int:
        """Boxes of an icon in the Matrix; 0 without one.

        Source: SR4 237 Matrix Damage
        """
        return 0 if self.matrix is None else 8 + half(self.matrix.system or self.matrix.rating)

    def value(self, name: str) -> int | None:
        """Returns an attribute, or a spirit's Force if the sheet lacks it.

        Source: SR4S Combat Sequence
        """
        found: int | None = getattr(self, name)
        return self.force if found is None and self.force else found


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The situation that is declared when a fight begins."""

    place: str = ""
    visibility: Visibility = ""
    """It applies to every attack that declares no other."""
    surprise: bool = False
    """Whether every combatant tests for surprise."""
    ambushers: tuple[str, ...] = ()
    """Combatants who lie in wait; they are never surprised."""
    alert: tuple[str, ...] = ()
    """Combatants who expect something."""
