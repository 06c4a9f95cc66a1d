"""Printings and options: each disputed rule is one field with a closed set of values."""

from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.tables import Row, load
from machines.eclipse_phase.family.sheets import ProfileReader

DiceText = Annotated[str, Meta(pattern=r"^[1-9][0-9]?d[1-9][0-9]{0,2}(\+[0-9]{1,3})?$")]
"""Dice with an optional addition: ``1d6``."""
Figure = Annotated[int, Meta(ge=0, le=100)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A printing, or a session's own mixture.

    A field with a default was added later; the default is the former rule.
    """

    name: str
    initiative_dice: DiceText
    initiative_ties: Literal["reflexes", "roll_off"]
    """Order of equal Initiative: the higher REF first, or a roll-off."""
    initiative_per_wound: Figure
    initiative_per_trauma: Figure
    surprise_initiative: Figure
    """Initiative lost by a combatant who notices an ambush at the last moment."""
    extra_actions: Figure
    """Extra actions that a combatant may take in an Action Turn."""
    superior_dice: DiceText
    """Damage dice added by a superior success."""
    critical_with_superior: Literal["critical_only", "both"]
    """Whether a critical hit that is also superior adds the superior dice."""
    double_critical: Literal["higher_skill", "higher_roll"]
    """Which of two equal critical successes wins: the higher skill, or none, so that the attack misses."""
    blind_attack: Literal["either", "both"]
    """Attack on a target that is not perceived: a 50 % chance in place of the -30, or both."""
    damage: Literal["rolled", "average"]
    """Damage: rolled, or the book's static average."""
    incapacitated_at: Literal["reached", "exceeded"]
    """Whether damage incapacitates when it reaches Durability or only when it exceeds it."""
    wounded_at: Literal["reached", "exceeded"]
    """Whether a wound needs damage that reaches a multiple of the Wound Threshold, or exceeds it."""
    fresh_wounds: Literal["count", "wait"]
    """Whether wounds just suffered count in the checks that they require."""
    pools_ignore: Literal["all", "negative"]
    """Modifiers that a pool sets aside."""
    moves: Literal["base_at_any_time", "first"]
    """Whether a base move must also be declared before other actions."""
    called_cones: Literal["never", "point_blank"]
    """Whether a cone can make called shots."""
    snatching: Literal["any", "melee"]
    """Attacks that can snatch a disarmed weapon."""
    yellow_threats: Literal["as_others", "one_hit"]
    """Whether any damage incapacitates yellow threats."""
    spoiled_weapon: Literal["goes_on", "stops"] = "goes_on"
    """Whether an attack whose weapon breaks, or whose attacker goes down, at one target goes on to the next."""
    reach: Literal["weapons", "declared"] = "declared"
    """Reach advantage in melee: of the longer weapon unless declared otherwise, or only as declared with the attack."""


PROFILES = load("machines.eclipse_phase.second", "profiles.toml", Profile, "profile")

profile = ProfileReader(Profile)
"""Reads the session's profile from the log."""
