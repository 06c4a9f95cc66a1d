"""What tables may play otherwise: a field for each disputed point of the page."""

from typing import Annotated, Literal

import msgspec

from machines.contract.ruleset import typed
from machines.contract.tables import load
from projections.combat import Combat

Penalty = Annotated[int, msgspec.Meta(ge=-20, le=0)]
Rounds = Annotated[int, msgspec.Meta(ge=1, le=4)]


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way of reading the page."""

    name: str
    source: str
    confidence: int = 100
    ruling: str = ""
    snap_shot_at: Literal["exceeded", "reached"]
    """Is there no snap shot from a skill above SS on, or from SS on?"""
    opportunity_fire: Literal["twice", "once"]
    """Does the snap shot count once more beside the table that includes it?"""
    random_location: Literal["counts", "free"]
    """Does a place that is struck at random cost its penalty?"""
    critical_multiplier: Literal["total", "dice"]
    """What a critical hit multiplies: all damage, or the dice without what is added to them."""
    critical_14: Literal["double", "normal"]
    """What a 14 on the Critical Hit Table does elsewhere than to a limb."""
    crippling_by: Literal["before_cap", "after_cap"]
    """Which damage cripples: that of the blow, or what the limb's limit leaves of it."""
    major_wound_by: Literal["after_cap", "before_cap"]
    """Which damage stuns and knocks down."""
    halves: Literal["exact", "up"]
    """Are HT/2 and HT/3 compared with their fractions, or rounded up?"""
    jaw_penalty: Penalty
    bullet_knockback: Literal["none", "by_strength", "by_eight"]
    """Do bullets knock back: not, a hex for each 3 x ST, or like a club?"""
    automatic_hits: Annotated[tuple[Rounds, ...], msgspec.Meta(max_length=30)] = ()
    """Rounds of a group that hit, for margins of -1, 0, 1 and so on; empty: by the table."""
    first_consciousness_roll: Literal["at_once", "own_turn"]
    """Is HT rolled when hit points come to 0, or only from one's own turn on?"""
    dud: Literal["goes_on", "stops"]
    """Does a dud look for somebody else to strike, as any other miss?"""
    shield_damage: Literal["ignored", "counts"]
    """Does a blow strike the shield that is stopped only by its passive defense?"""
    wounds_in_defense: Literal["count", "ignored"]
    """Do wounds since one's last turn count against active defenses?"""


PROFILES = load("machines.gurps_3e", "profiles.toml", Profile, "profile")


def profile(combat: Combat) -> Profile:
    """The session's profile, as the log has it."""
    return typed(combat.session.rules, Profile)
