"""Printings and options: each disputed point is one field with a closed set of values."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.ruleset import typed
from machines.contract.tables import Row, load
from machines.shadowrun_4e.sheet.sheet import Penetration
from projections.combat import Combat

Figure = Annotated[int, Meta(ge=0, le=40)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One printing, or a session's own mixture."""

    name: str
    grazing: Literal["off", "on"]
    """Is a tie in combat a grazing hit: contact without damage?"""
    dies_at: Literal["exceeded", "reached"]
    """Is somebody dead when overflow exceeds Body, or when it reaches it?"""
    immunity_ap: Literal["lowers", "ignored"]
    """Does armor penetration lower hardened armor before it is compared?"""
    grenade_hits: Literal["accuracy", "damage"]
    """Do a grenade's net hits add to its damage, too?"""
    dodging_twice: Literal["once", "twice"]
    """Does Dodge count twice for whoever dodges in melee on full defense?"""
    initiative_ties: Literal["simultaneous", "broken"]
    """Do those with the same score act as they like, or by Edge, Initiative and Reaction?"""
    initiative_glitch: Literal["used", "ignored"]
    """Does a glitch make somebody act last of those they tie with, and a critical one cost a pass?"""
    electricity: Literal["every_hit", "harmed"]
    """Does electricity call for its second test when no box got through?"""
    knockdown_at: Literal["reached", "exceeded"]
    """Does a blow knock down that does as many boxes as Body, or only more?"""
    pierced_at: Literal["exceeded", "reached"]
    """Does a blow pierce a barrier whose Armor it only equals?"""
    cover: Literal["attacker", "defender"]
    """Whose dice cover changes: the attacker's, less; or the defender's, more."""
    fragmentation_ap: Penetration
    object_resistance: Figure
    """Threshold of highly processed objects."""
    recoil: Literal["carries", "each_attack"]
    """Does recoil that is not compensated carry over to the next attack of a phase?"""
    aiming: Literal["half_skill", "unlimited"]
    """How many dice taking aim may come to."""


DEADLY: Mapping[str, int] = {"exceeded": 1, "reached": 0}
"""How many boxes of overflow beyond Body kill, by the profile's field."""
PROFILES = load("machines.shadowrun_4e", "profiles.toml", Profile, "profile")


def profile(combat: Combat) -> Profile:
    """The session's profile, as the log has it."""
    return typed(combat.session.rules, Profile)
