"""The rows of the printed tables: what each line has. One table of the screen is one file, in printed order."""

from typing import ClassVar, Literal

from machines.contract.tables import Row

# ------------------------------------------------------------------------------------------------ the combat sequence


class OpposedTest(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 3A and 3B for a kind of attack: which attribute and skill each side rolls.

    ``program`` is the rating of the program attacked with; ``weapon`` the weapon's skill; a spirit's Force, an agent's
    rating stand for what their sheets do not have.
    """

    name: str
    attribute: str
    skill: str
    defense: str
    """The defender's attribute."""
    defense_skills: tuple[str, ...]
    """What the defender may add, one of them; none: the attribute alone."""
    full_defense: str
    """What full defense adds."""
    astral: bool = False
    """Is it mind against mind, on the astral plane?"""


class Damage(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 4A and 5 for a kind of attack: base Damage Value, what is added, and what it is resisted with."""

    name: str
    test: str
    """Its row of the opposed tests."""
    base: str
    """``weapon``: as the weapon says; ``program``: its rating; else a damage code's formula."""
    adds: tuple[str, ...]
    """``net hits``, ``ammunition``, ``autofire``."""
    attribute: str
    """What resists."""
    armor: str
    """Which armor helps."""
    person_attribute: str = ""
    """What resists where it harms the person behind an icon."""
    person_armor: str = ""


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way to fire."""

    name: str
    codes: tuple[str, ...]
    """The printed modes of weapons that can: ``SS``, ``SA``, ``BF``, ``FA``."""
    action: Literal["simple", "complex"]
    most: int
    """How often in one Action Phase."""
    rounds: int
    """Rounds fired; recoil, and what a burst adds, are one less."""
    burst: bool = False
    """Can it be narrow, for damage, or wide, against the defense?"""
    tracer: int = 0
    """Dice that tracer rounds add."""
    wide: str = ""
    """Its row of the defense modifiers where it is fired wide."""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an attack may be called for."""

    name: str
    label: str
    does: Literal["bypass", "damage", "disarm"]
    modifier: int = 0
    """Dice; for what is variable, for each point."""
    most: int = 0


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the ranged, the melee or the defense modifiers."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int = 0
    """Dice; for lines that say ``per``, for each."""
    per: str = ""
    most: int = 0
    """At the most; 0: no limit."""
    says: str = ""
    """What the line says where it is no number of its own."""
    declared: bool = False
    """May a declaration name it? The others are known, or have a field of their own."""
    ranged: bool = False
    """Does it count against ranged attacks only?"""


class Visibility(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice by what somebody sees with."""

    signed: ClassVar[tuple[str, ...]] = ("normal", "low_light", "thermographic", "ultrasound")

    name: str
    normal: int
    low_light: int
    thermographic: int
    ultrasound: int


class WeaponRange(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The four bands of a class of weapons, as printed."""

    name: str
    group: str
    short: str
    medium: str
    long: str
    extreme: str


class Plane(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where somebody acts: what Initiative is made of there, and how many passes they have."""

    name: str
    attributes: tuple[str, str]
    bonus: int = 0
    passes: int = 0
    """0: as on the sheet."""
    matrix: bool = False
    """Is it the Matrix, where programs do things?"""
    astral: bool = False
    dice: int = 0
    """Dice added to Matrix tests."""
    virtual: bool = False
    """Does whoever is thrown out of it suffer dumpshock?"""
    action: Literal["free", "simple", "complex"] = "simple"
    """What going there takes."""
    hot: bool = False
    """Do black programs and dumpshock do Physical damage?"""


class Program(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A program to attack with."""

    name: str
    person: bool
    """Does it harm the person behind the icon?"""
    cold: Literal["physical", "stun"] = "stun"
    hot: Literal["physical", "stun"] = "stun"
    spills: bool = True
    """Does Stun beyond the track become Physical?"""


# ------------------------------------------------------------------------------------------------ weapons


class MeleeWeapon(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the Melee Weapons Table."""

    name: str
    group: str
    skill: str
    other_skill: str = ""
    """A second one that it may be used with: once broken, or as an exotic weapon."""
    kind: Literal["melee", "unarmed"] = "melee"
    """Its row of the damage grid."""
    reach: int = 0
    damage: str
    ap: str = ""
    innate: bool = False
    """Is it part of the body?"""
    breaks: bool = False
    """Does it break after the first hit?"""
    barrier: str = "melee or unarmed"
    """Its row of the Damaging Barriers Table."""


class ProjectileWeapon(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the Projectile Weapons Table."""

    name: str
    skill: str
    damage: str
    ap: str = ""
    range: str
    """Its row of the Weapon Range Table."""
    kind: str = "ranged"
    barrier: str = "projectile"
    armor: Literal["ballistic", "impact"]


class Grenade(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the Grenade Damage Table."""

    name: str
    damage: str = ""
    """Empty where it has no damage code."""
    says: str = ""
    """What stands in its place."""
    ap: str = ""
    ap_by: str = ""
    """The profile field with the armor penetration, where printings differ."""
    blast: str
    """As printed."""
    falloff: int = 0
    """Damage Value lost with each meter."""
    radius: int = 0
    """Meters; 0: as far as it does damage."""
    kind: str = "ranged"
    skill: str = "throwing weapons"
    range: str = "standard grenade"
    armor: Literal["ballistic", "impact"] = "impact"
    barrier: str = "explosive"

    @property
    def grenade(self) -> str:
        """What goes off.

        Source: SR4S Grenade Damage Table
        """
        return self.name


class Firearm(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firearm; the screen prints none, so these are for the examples and as a pattern for sheets."""

    name: str
    skill: str
    damage: str
    ap: str = ""
    modes: tuple[str, ...] = ()
    ammo: int
    recoil: int = 0
    """Recoil compensation."""
    range: str
    armor: Literal["ballistic", "impact"] = "ballistic"
    heavy: bool = False
    sight: Literal["", "laser sight", "smartlink"] = ""
    grenade: str = ""
    """What it launches: a row of the grenades."""
    kind: str = "ranged"
    barrier: str = "bullet"


class Ammunition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a firearm is loaded with."""

    name: str
    damage: int = 0
    """Added to the Damage Value."""
    code: str = ""
    """The damage code in the weapon's place."""
    ap: str = ""
    """Added to the weapon's; ``-half`` takes its place."""
    armor: Literal["", "ballistic", "impact"] = ""
    stun: bool = False
    """Does it turn Physical damage into Stun?"""
    knockdown: int = 0
    """By how much Body counts as less when somebody might be knocked down."""
    tracer: bool = False


class Scatter(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far something lands from where it was meant to."""

    name: str
    dice: str
    less: int
    """Meters less for each net hit."""
    sensor: bool = False
    """Does a Sensor rating take more off?"""


class Spell(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell; the screen prints none, so these are for the examples and as a pattern for sheets."""

    name: str
    effect: Literal["direct", "indirect", "other"]
    mana: bool = False
    """Is it resisted with the mind, and harmless to things?"""
    stun: bool = False
    """Is its damage Stun?"""
    area: bool = False
    drain: int
    """What is added to half the Force."""
    ap: str = ""
    electric: bool = False
    armor: Literal["ballistic", "impact"] = "impact"
    sustained: bool = False


class SpellEffect(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a kind of spell is resisted."""

    name: str
    effect: Literal["direct", "indirect", "other"]
    mana: bool
    attribute: str
    """What the target rolls against it; empty: nothing."""
    counterspelling: bool
    """Do counterspelling dice count in that?"""
    resists: bool
    """Is there a damage resistance test beside?"""


class Barrier(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the Barrier Rating Table."""

    open_ended: ClassVar[tuple[str, ...]] = ("armor", "structure")

    name: str
    armor: int
    structure: int
    more: bool = False
    """Is it open-ended, as ``32+``?"""


class BarrierDamage(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the Damaging Barriers Table."""

    name: str
    does: Literal["keeps", "sets", "multiplies"]
    value: int = 0
    per: str = ""
    """``bullet`` or ``projectile``: for each that is fired."""


class Glitch(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mishap that a glitch may lead to; the gamemaster chooses."""

    name: str
    label: str
    condition: str = ""
    """What whoever glitched is then."""
    of_weapon: bool = False
    """Is it the weapon that is so?"""
    until: str = ""
