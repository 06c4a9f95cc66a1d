"""Printings and options: each disputed point is one field with a closed set of values."""

from typing import Annotated, Literal

from msgspec import Meta

from machines.ruleset import typed
from machines.tables import Row, load
from projections.combat import Combat

DiceText = Annotated[str, Meta(pattern=r"^[1-9][0-9]?d[1-9][0-9]{0,2}(\+[0-9]{1,3})?$")]
"""Dice, and what is added to them: ``1d10+10``."""


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One printing, or a session's own mixture."""

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


PROFILES = load("machines.eclipse_phase_1e", "profiles.toml", Profile, "profile")


def profile(combat: Combat) -> Profile:
    """The session's profile, as the log has it."""
    return typed(combat.session.rules, Profile)
