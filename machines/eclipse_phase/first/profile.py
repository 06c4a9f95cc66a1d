"""Printings and options: each disputed point is one field with a closed set of values."""

from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.tables import Row, load
from machines.eclipse_phase.family.sheets import Recorded

DiceText = Annotated[str, Meta(pattern=r"^[1-9][0-9]?d[1-9][0-9]{0,2}(\+[0-9]{1,3})?$")]
"""Dice, and what is added to them: ``1d10+10``."""
Figure = Annotated[int, Meta(ge=0, le=100)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One printing, or a session's own mixture. Fields with a default came later; it is what was done before them."""

    name: str
    margin: Literal["target_minus_roll", "roll"]
    """What a Margin of Success is."""
    initiative_dice: DiceText
    burst_dice: DiceText
    """Added to the damage of a burst at one target."""
    full_auto_dice: DiceText
    defender_critical: Literal["weapon_mishap", "defender_benefit"]
    """What a defender's critical success does."""
    critical_with_excellent: Literal["both", "critical_only"]
    """Does an attacker's critical that is also Excellent give the extra damage, too?"""
    incapacitated_at: Literal["reached", "exceeded"]
    """When damage reaches Durability, or only when it exceeds it."""
    shock_durability: Literal["before_hit", "after_hit"]
    """The Durability of the shock test: before this attack's damage, or after it."""
    shock_armor_on_critical: bool
    """Does energy armor count in the shock test though the attack defeated armor?"""
    halved_damage: Literal["up", "down"]
    """How dice that are divided are rounded."""
    initiative_stat: Literal["twice", "fifth"] = "twice"
    """INIT from INT and REF: their sum x 2, or / 5 rounded up."""
    initiative_rolled: Literal["every_turn", "once"] = "every_turn"
    """The second is the book's simplification."""
    initiative_per_wound: Figure = 0
    """What a wound takes from Initiative, at once."""
    initiative_per_trauma: Figure = 0
    surprise_initiative: Figure = 30
    """What whoever notices an ambush at the last moment loses of Initiative."""
    burst_aim: Figure = 0
    """To hit with a burst at one target, in the place of the dice; 0: there is no choice."""
    full_auto_aim: Figure = 0
    moxie_ignores: Literal["all", "negative"] = "all"
    """Which modifiers Moxie sets aside."""
    melee_targets: Literal["each_extra", "every_one"] = "each_extra"
    """In melee with several targets, -20 for each beyond the first, or for every one of them."""
    attacker_critical: Literal["armor_defeated", "double_damage"] = "armor_defeated"
    margin_damage: Literal["flat", "dice"] = "flat"
    """What an Excellent Success adds: 5 or 10, or one or two six-sided dice."""
    armor_piercing: Literal["subtract", "halve"] = "subtract"
    """What Armor Penetration does."""
    fray_rounding: Literal["down", "half_up"] = "down"
    """How half of Fray is rounded."""
    double_critical: Literal["higher_roll", "higher_skill"] = "higher_roll"
    """Which of two criticals wins; in the first an equal one misses, in the second an equal one goes by the skill."""
    two_wounds: Literal["two_tests", "prone_and_test"] = "two_tests"
    """Two wounds at once: a test each for feet and consciousness, or on the ground and one test."""
    bleeding: Literal["beyond", "reached"] = "beyond"
    """A wounded biomorph bleeds when damage is beyond Durability, or when it reaches it."""
    bleeding_rate: Literal["one", "each_wound"] = "one"
    """Damage from bleeding in an Action Turn."""


PROFILES = load("machines.eclipse_phase.first", "profiles.toml", Profile, "profile")

profile = Recorded(Profile)
"""The session's profile, as the log has it."""
