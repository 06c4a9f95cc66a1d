"""Printings and options: each disputed point is one field with a closed set of values."""

from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.tables import Row, load
from machines.eclipse_phase.family.sheets import Recorded

DiceText = Annotated[str, Meta(pattern=r"^[1-9][0-9]?d[1-9][0-9]{0,2}(\+[0-9]{1,3})?$")]
"""Dice, and what is added to them: ``1d6``."""
Figure = Annotated[int, Meta(ge=0, le=100)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One printing, or a session's own mixture."""

    name: str
    initiative_dice: DiceText
    initiative_ties: Literal["reflexes", "roll_off"]
    """Who goes first of those with the same Initiative: the higher REF, or whoever wins a roll-off."""
    initiative_per_wound: Figure
    initiative_per_trauma: Figure
    surprise_initiative: Figure
    """What whoever notices an ambush at the last moment loses of Initiative."""
    extra_actions: Figure
    """Extra actions that somebody may take in an Action Turn."""
    superior_dice: DiceText
    """What a superior success adds to the damage."""
    critical_with_superior: Literal["critical_only", "both"]
    """Does a critical hit that is also superior add the superior dice, too?"""
    double_critical: Literal["higher_skill", "higher_roll"]
    """Two equal critical successes: the higher skill wins, or the attack misses."""
    blind_attack: Literal["either", "both"]
    """Whoever does not perceive the target has a chance of 50 % in the place of the -30, or beside it."""
    damage: Literal["rolled", "average"]
    """The second is the book's static damage."""
    incapacitated_at: Literal["reached", "exceeded"]
    """When damage reaches Durability, or only when it exceeds it."""
    wounded_at: Literal["reached", "exceeded"]
    """A wound for each multiple of the Wound Threshold that damage reaches, or only for those it exceeds."""
    fresh_wounds: Literal["count", "wait"]
    """Do the wounds just suffered count in the checks they call for?"""
    pools_ignore: Literal["all", "negative"]
    """Which modifiers a pool sets aside."""
    moves: Literal["base_at_any_time", "first"]
    """Must a base move be declared before other actions, too, as a full move must?"""
    called_cones: Literal["never", "point_blank"]
    """Can a cone make called shots?"""
    snatching: Literal["any", "melee"]
    """With which attacks a disarmed weapon can be snatched."""
    yellow_threats: Literal["as_others", "one_hit"]
    """Does the first damage put yellow threats out?"""


PROFILES = load("machines.eclipse_phase.second", "profiles.toml", Profile, "profile")

profile = Recorded(Profile)
"""The session's profile, as the log has it."""
