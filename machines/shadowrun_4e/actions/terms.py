"""The terms of each declaration; `affray rules shadowrun_4e --schema` publishes them."""

from typing import Annotated, Literal

import msgspec

from machines.contract.row_fields import RowOf
from machines.shadowrun_4e.sheet.sheet import Damage, NoneOr, Visibility, Weapon

Meters = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Modifier = Annotated[int, msgspec.Meta(ge=-40, le=40)]
Dice = Annotated[int, msgspec.Meta(ge=1, le=100)]
Rating = Annotated[int, msgspec.Meta(ge=0, le=60)]
Direction = Annotated[int, msgspec.Meta(ge=1, le=6)]
Force = Annotated[int, msgspec.Meta(ge=1, le=40)]
Grenade = Annotated[str, RowOf("grenades")]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base class of the terms of all declarations."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """No terms."""


class Caught(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The position of a combatant in a blast."""

    meters: Meters
    """Distance from the intended place."""
    direction: Direction = 1
    """On the clock face of the scatter diagram: 1 is straight on beyond the target, then clockwise by sixths."""
    rebounds: tuple[Meters, ...] = ()
    """The distances of rebounds off walls, in meters."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1 of the Combat Sequence: targets, weapon and circumstances of an attack."""

    at: str | tuple[str, ...]
    """The target; several split the pool or share a full burst; empty for a blast that is aimed at a place."""
    using: str | Weapon
    """A weapon's name on the sheet, or a whole weapon."""
    also: str = ""
    """A second weapon used in the same action: the pool is split."""
    split: tuple[Dice, ...] = ()
    """The dice of each attack if the pool is split; omitted: equal shares."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """Omitted: the weapon's first mode."""
    wide: bool = False
    """Whether a burst is wide: it reduces the defense instead of raising damage."""
    distance: Meters | None = None
    """In meters; omitted: short range."""
    modifiers: tuple[Annotated[str, RowOf("ranged_modifiers", "melee_modifiers", where="declared")], ...] = ()
    """Rows that apply to the attacker, of the ranged or the melee modifiers."""
    theirs: tuple[Annotated[str, RowOf("defense_modifiers", "melee_modifiers", where="declared")], ...] = ()
    """Rows that apply to the defender; melee modifiers only in melee."""
    visibility: Visibility = ""
    """Omitted: the fight's."""
    friends: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Friends of the attacker in the melee."""
    enemies: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Friends of the defender in the melee."""
    charge: bool = False
    reach: Literal["attacker", "defender"] = "attacker"
    """Whether the longer reach adds dice to its owner's pool, or takes them from the opponent's."""
    called: Annotated[str, RowOf("called_shots")] = ""
    spot: str = ""
    """The weapon that a called shot knocks away; omitted: the one in hand."""
    called_for: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Damage that a called shot adds, for one die each."""
    unaware: bool = False
    """Whether the target does not know of the attack."""
    defenseless: bool = False
    """Whether the target knows of it but cannot defend: bound, or held as a hostage."""
    harms: Literal["", "physical", "stun"] = ""
    """On the astral plane: the type of damage the attacker chooses; omitted: the weapon's, or Stun."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    grenade: Grenade = ""
    """The grenade that is thrown or fired; omitted: the weapon's."""
    caught: dict[str, Caught] = {}
    """Combatants in the blast and where they stand; the targets stand at the intended place."""
    sensor: Rating = 0
    """The Sensor rating of a missile or an airburst link."""
    through: str = ""
    """A barrier that is shot through."""
    buys: bool = False
    """Whether hits are bought, with the gamemaster's consent."""


class CastTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 1 to 3 of spellcasting: spell, Force and targets."""

    spell: str
    force: Force
    at: tuple[str, ...] | str = ()
    """The targets; empty for a spell that only affects the caster."""
    object_resistance: Annotated[str, RowOf("object_resistance")] = ""
    """The row for an object that is the target."""
    visibility: Visibility = ""
    modifiers: tuple[Annotated[str, RowOf("ranged_modifiers", where="declared")], ...] = ()
    """Rows that apply to the caster, such as cover."""
    split: Dice | None = None
    """The dice for this one of several spells cast at once."""
    spells: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """The number of spells cast at once; each further one adds 1 to the Drain of each."""
    threshold: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0
    """Hits that a spell without a target needs."""
    sustain: bool = False
    """Whether the spell is sustained."""
    focus: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0
    """The Force of a sustaining focus that sustains the spell instead of its caster; 0 for none."""


class SummonTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of summoning a spirit."""

    force: Force
    spirit: str = "a spirit"


class CounterspellTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of protecting combatants against spells."""

    protects: tuple[str, ...]


class DropTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of dropping a sustained spell."""

    spell: str


class FreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Free Action."""

    what: str = "does something quick"
    prone: bool = False
    """Whether the combatant drops prone."""


class SimpleTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Simple Action."""

    what: str = "does something simple"
    stand: bool = False
    """Whether the combatant stands up."""
    repair: str = ""
    """The condition of an own weapon that it repairs, such as ``pistol_jammed``."""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a Complex Action."""

    what: str = "does something that takes the whole phase"


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of taking aim."""

    at: str
    using: str = ""
    """The weapon; omitted: any."""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of reloading."""

    weapon: str


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of moving."""

    how: Literal["walk", "run"] = "walk"
    meters: Meters | None = None
    """Omitted: as far as possible in this Combat Turn."""


class ShiftTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of going to another plane: the astral plane, the Matrix, or back."""

    plane: Annotated[str, RowOf("planes")]


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms for a combatant in, or moving through, an area under suppressive fire."""

    at: str


class RollTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms that name an open roll of the declaring combatant."""

    roll: str = ""
    """Its key; omitted: the first one."""


class BurnTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of burning Edge."""

    use: Literal["critical", "survive"]
    roll: str = ""


class BlastTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terms of a blast without an attack."""

    caught: dict[str, Caught]
    damage: Damage = "6P"
    ap: NoneOr = ""
    armor: Literal["ballistic", "impact", "mystic"] = "impact"
    falloff: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    radius: Meters = 0
    grenade: Grenade = ""
    """A row whose figures replace those above."""
    what: str = "a blast"
