"""What a declaration says; published by `affray rules shadowrun_4e --schema`."""

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
    """What every declaration is made of."""


class NoTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Nothing more to say."""


class Caught(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Where somebody stands whom a blast may catch."""

    meters: Meters
    """From where it was meant to go off."""
    direction: Direction = 1
    """By the clock face of the scatter diagram: 1 is straight on beyond the target, then clockwise by sixths."""
    rebounds: tuple[Meters, ...] = ()
    """Ways by which the blast comes again, off walls: meters each."""


class AttackTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Step 1: whom, with what, how."""

    at: str | tuple[str, ...]
    """The target; several split the pool, or share a full burst; none for a blast that is meant for a place."""
    using: str | Weapon
    """A weapon's name on the sheet, or a whole weapon."""
    also: str = ""
    """A second weapon used in the same action: the pool is split."""
    split: tuple[Dice, ...] = ()
    """The dice of each attack, where the pool is split; left out: in equal shares."""
    mode: Annotated[str, RowOf("firing_modes")] = ""
    """Left out: the first the weapon has."""
    wide: bool = False
    """Is a burst spread, against the defense, in the place of damage?"""
    distance: Meters | None = None
    """In meters; left out: short range."""
    modifiers: tuple[Annotated[str, RowOf("ranged_modifiers", "melee_modifiers", where="declared")], ...] = ()
    """What holds for the attacker, at a distance or in melee."""
    theirs: tuple[Annotated[str, RowOf("defense_modifiers", "melee_modifiers", where="declared")], ...] = ()
    """What holds for the defender; the melee modifiers in melee alone."""
    visibility: Visibility = ""
    """Left out: the fight's."""
    friends: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Friends of the attacker in the melee."""
    enemies: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Friends of the defender in it."""
    charge: bool = False
    reach: Literal["attacker", "defender"] = "attacker"
    """Who has the dice of the longer reach: whoever reaches farther has them more, or the other has them less."""
    called: Annotated[str, RowOf("called_shots")] = ""
    spot: str = ""
    """The weapon that is to be knocked away; left out, the one they hold."""
    called_for: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Damage that a called shot is to add, at a die each."""
    unaware: bool = False
    """Does the target not know of the attack?"""
    harms: Literal["", "physical", "stun"] = ""
    """On the astral plane: what the attacker means to do; left out: as the weapon's code says, by will alone Stun."""
    ammunition: Annotated[str, RowOf("ammunition")] = ""
    grenade: Grenade = ""
    """What is thrown or fired; left out: the weapon's."""
    caught: dict[str, Caught] = {}
    """Who may be caught in the blast, and where; whoever it is meant for stands in the middle."""
    sensor: Rating = 0
    """Of a missile, or an airburst link."""
    through: str = ""
    """A barrier that is shot through."""
    buys: bool = False
    """Are hits bought, with the gamemaster's leave?"""


class CastTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps 1 to 3 of spellcasting: which spell, at what Force, at whom."""

    spell: str
    force: Force
    at: tuple[str, ...] | str = ()
    """Targets; none for a spell that only does something for the caster."""
    object_resistance: Annotated[str, RowOf("object_resistance")] = ""
    """Where it is cast at a thing that is no combatant."""
    visibility: Visibility = ""
    modifiers: tuple[Annotated[str, RowOf("ranged_modifiers", where="declared")], ...] = ()
    """What holds, such as cover."""
    split: Dice | None = None
    """The dice for this one of several spells cast at once."""
    spells: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """How many are cast at once: each adds one to the Drain of each other."""
    threshold: Annotated[int, msgspec.Meta(ge=0, le=40)] = 0
    """Hits that a spell without a target needs."""
    sustain: bool = False
    """Is it kept up?"""


class SummonTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Summoning a spirit."""

    force: Force
    spirit: str = "a spirit"


class CounterspellTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Protecting others, and oneself, against spells."""

    protects: tuple[str, ...]


class DropTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Letting a spell go."""

    spell: str


class FreeTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Free Action, in words."""

    what: str = "does something quick"
    prone: bool = False
    """Does it bring somebody to the ground?"""


class SimpleTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Simple Action, in words."""

    what: str = "does something simple"
    stand: bool = False
    """Does it bring somebody prone to their feet?"""
    repair: str = ""
    """A condition of one's own weapon that it puts right, such as ``pistol_jammed``."""


class ComplexTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Complex Action, in words."""

    what: str = "does something that takes the whole phase"


class AimTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Taking aim at somebody."""

    at: str
    using: str = ""
    """With what; left out, any one weapon."""


class ReloadTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A full magazine."""

    weapon: str


class MoveTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving."""

    how: Literal["walk", "run"] = "walk"
    meters: Meters | None = None
    """Left out, as far as it goes in this Combat Turn."""


class ShiftTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Going somewhere else to act: to the astral plane, into the Matrix, and back."""

    plane: Annotated[str, RowOf("planes")]


class SuppressTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Suppressive fire over an area."""

    using: str
    area: str = ""


class SuppressedTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody in, or moving through, an area under suppressive fire."""

    at: str


class RollTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """For an open roll of one's own."""

    roll: str = ""
    """Its key; left out, the first."""


class BurnTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Burning Edge."""

    use: Literal["critical", "survive"]
    roll: str = ""


class BlastTerms(Terms, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Harm that nobody aims."""

    caught: dict[str, Caught]
    damage: Damage = "6P"
    ap: NoneOr = ""
    armor: Literal["ballistic", "impact", "mystic"] = "impact"
    falloff: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    radius: Meters = 0
    grenade: Grenade = ""
    """In the place of the figures above."""
    what: str = "a blast"
