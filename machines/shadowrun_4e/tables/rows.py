"""The row types of the combat tables; each printed table is one TOML file, in printed order."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from machines.contract.tables import Row

# ------------------------------------------------------------------------------------------------ the combat sequence


class Reworded(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row whose printed cells have alternatives or formulas that the figures of its fields do not show."""

    prints: Mapping[str, str] = {}
    """By column: the cell as printed."""

    def printed(self) -> dict[str, Any]:
        """Returns its cells, those of `prints` as printed.

        Source: SR4S Combat Sequence
        """
        cells = super().printed()
        prints = cells.pop("prints")
        return {**cells, **prints}


class OpposedTest(Reworded, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 3A and 3B for a type of attack: the attribute and skill that each side rolls.

    ``program`` is the rating of the attacking program, ``weapon`` the weapon's skill. A spirit's Force and an agent's
    rating replace what their sheets lack.
    """

    name: str
    attribute: str
    skill: str
    defense: str
    """The defender's attribute."""
    defense_skills: tuple[str, ...]
    """The defender adds one of them; empty: the attribute alone."""
    full_defense: str
    """The skill that full defense adds."""
    astral: bool = False
    """Whether it is astral combat."""


class Damage(Reworded, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 4A and 5 for a type of attack: base Damage Value, additions, and what resists it."""

    name: str
    test: str
    """Its row of the opposed tests."""
    base: str
    """``weapon``: the weapon's code; ``program``: its rating; otherwise the formula of a damage code."""
    adds: tuple[str, ...]
    """``net hits``, ``ammunition``, ``autofire``."""
    attribute: str
    """The attribute that resists."""
    armor: str
    """The armor that helps."""
    person_attribute: str = ""
    """The attribute that resists if it harms the person behind an icon."""
    person_armor: str = ""


class FiringMode(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firing mode."""

    name: str
    codes: tuple[str, ...]
    """The printed modes of weapons that can fire it: ``SS``, ``SA``, ``BF``, ``FA``."""
    action: Literal["simple", "complex"]
    most: int
    """The most times in one Action Phase."""
    rounds: int
    """Rounds fired; recoil and the effect of a burst are one less."""
    burst: bool = False
    """Whether it is a burst: narrow for damage, or wide against the defense."""
    tracer: int = 0
    """Dice that tracer rounds add."""
    wide: str = ""
    """Its row of the defense modifiers if it is fired wide."""


class CalledShot(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of called shot."""

    name: str
    label: str
    does: Literal["bypass", "damage", "disarm"]
    modifier: int = 0
    """Dice; per point if it is variable."""
    most: int = 0


class Situation(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the ranged, the melee or the defense modifiers."""

    signed: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: int = 0
    """Dice; for rows with ``per``, for each."""
    per: str = ""
    most: int = 0
    """The maximum; 0 for no limit."""
    says: str = ""
    """The printed text of a row without a number."""
    declared: bool = False
    """Whether a declaration may name it; other rows follow from the state or have separate terms."""
    ranged: bool = False
    """Whether it counts against ranged attacks only."""


class Visibility(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice by the sense that is used."""

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
    """A plane to act on, with its Initiative and passes."""

    name: str
    attributes: tuple[str, str]
    bonus: int = 0
    passes: int = 0
    """0: those of the sheet."""
    matrix: bool = False
    """Whether it is the Matrix, where programs work."""
    astral: bool = False
    dice: int = 0
    """Dice added to Matrix tests."""
    virtual: bool = False
    """Whether it is full sim, with dumpshock for an icon that crashes."""
    action: Literal["free", "simple", "complex"] = "simple"
    """The action that going there takes."""
    hot: bool = False
    """Whether black programs and dumpshock do Physical damage."""


class Program(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attacking program."""

    name: str
    person: bool
    """Whether it harms the person behind the icon."""
    cold: Literal["physical", "stun"] = "stun"
    hot: Literal["physical", "stun"] = "stun"
    spills: bool = True
    """Whether Stun beyond the track becomes Physical."""


# ------------------------------------------------------------------------------------------------ weapons


class MeleeWeapon(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the Melee Weapons Table."""

    name: str
    group: str
    skill: str
    other_skill: str = ""
    """A second skill it may be used with: once broken, or as an exotic weapon."""
    kind: Literal["melee", "unarmed"] = "melee"
    """Its row of the damage grid."""
    reach: int = 0
    damage: str
    ap: str = ""
    innate: bool = False
    """Whether it is part of the body."""
    breaks: bool = False
    """Whether it breaks after the first hit."""
    barrier: str = "melee or unarmed"
    """Its row of the Damaging Barriers Table."""


class ProjectileWeapon(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the Projectile Weapons Table."""

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
    """A row of the Grenade Damage Table."""

    name: str
    damage: str = ""
    """Empty if it has no damage code."""
    says: str = ""
    """The printed text in place of a damage code."""
    ap: str = ""
    ap_by: str = ""
    """The profile field with the armor penetration, if printings differ."""
    blast: str
    """As printed."""
    falloff: int = 0
    """Damage Value lost with each meter."""
    radius: int = 0
    """In meters; 0 if only the falloff limits it."""
    kind: str = "ranged"
    skill: str = "throwing weapons"
    range: str = "standard grenade"
    armor: Literal["ballistic", "impact"] = "impact"
    barrier: str = "explosive"

    @property
    def grenade(self) -> str:
        """The name of the grenade that goes off: this row.

        Source: SR4S Grenade Damage Table
        """
        return self.name


class Firearm(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A firearm. The screen prints none: these are examples, and a pattern for sheets."""

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
    """The row of the grenade it launches."""
    kind: str = "ranged"
    barrier: str = "bullet"


class Ammunition(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A type of ammunition."""

    name: str
    damage: int = 0
    """Added to the Damage Value."""
    code: str = ""
    """A damage code that replaces the weapon's."""
    ap: str = ""
    """Added to the weapon's; ``-half`` replaces it."""
    armor: Literal["", "ballistic", "impact"] = ""
    stun: bool = False
    """Whether it turns Physical damage into Stun."""
    knockdown: int = 0
    """By how much Body counts as less for knockdown."""
    tracer: bool = False


class Scatter(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the Scatter Table."""

    name: str
    dice: str
    less: int
    """Meters less for each net hit."""
    sensor: bool = False
    """Whether a Sensor rating also reduces it."""


class Spell(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell. The screen prints none: these are examples, and a pattern for sheets."""

    name: str
    effect: Literal["direct", "indirect", "other"]
    mana: bool = False
    """Whether it is a mana spell, resisted with Willpower and harmless to objects."""
    stun: bool = False
    """Whether its damage is Stun."""
    area: bool = False
    drain: int
    """Added to half the Force."""
    ap: str = ""
    electric: bool = False
    armor: Literal["ballistic", "impact"] = "impact"
    sustained: bool = False


class SpellEffect(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a type of spell is resisted."""

    name: str
    effect: Literal["direct", "indirect", "other"]
    mana: bool
    attribute: str
    """The attribute the target rolls against it; empty for none."""
    counterspelling: bool
    """Whether Counterspelling dice count in that roll."""
    resists: bool
    """Whether a damage resistance test follows."""


class Barrier(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the Barrier Rating Table."""

    open_ended: ClassVar[tuple[str, ...]] = ("armor", "structure")

    name: str
    armor: int
    structure: int
    more: bool = False
    """Whether it is open-ended, as ``32+``."""


class BarrierDamage(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the Damaging Barriers Table."""

    name: str
    does: Literal["keeps", "sets", "multiplies"]
    value: int = 0
    per: str = ""
    """``bullet`` or ``projectile`` if the value counts for each one fired."""


class Glitch(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mishap that the gamemaster may choose for a glitch."""

    name: str
    label: str
    condition: str = ""
    """The condition that it gives."""
    of_weapon: bool = False
    """Whether the condition is the weapon's."""
    until: str = ""
