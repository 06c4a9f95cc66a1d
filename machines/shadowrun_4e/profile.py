"""Profiles: one field for each disputed rule, with a closed set of values."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.ruleset import typed
from machines.contract.tables import Row, load
from machines.shadowrun_4e.sheet.sheet import Penetration
from projections.combat import Combat

Figure = Annotated[int, Meta(ge=0, le=40)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of one printing, or a session's own combination."""

    name: str
    grazing: Literal["off", "on", "without_hits"]
    """Whether a tie in combat is a grazing hit (contact without damage), and whether 0 hits against 0 are one."""
    dies_at: Literal["exceeded", "reached"]
    """Whether a combatant dies when overflow exceeds Body, or already when it reaches Body."""
    immunity_ap: Literal["lowers", "ignored"]
    """Whether armor penetration lowers hardened armor before the comparison."""
    grenade_hits: Literal["accuracy", "damage"]
    """Whether a grenade's net hits also add to its damage."""
    dodging_twice: Literal["once", "twice"]
    """Whether Dodge counts twice in melee for a defender who dodges on full defense."""
    initiative_ties: Literal["simultaneous", "broken"]
    """Whether combatants with the same score act simultaneously, or by Edge, Initiative and Reaction."""
    initiative_glitch: Literal["used", "ignored"]
    """Whether a glitch in Initiative loses ties, and a critical glitch also acts last and costs a pass."""
    electricity: Literal["every_hit", "harmed"]
    """Whether electricity calls for the secondary test even if no box got through."""
    knockdown_at: Literal["reached", "exceeded"]
    """Whether a blow knocks down at as many boxes as Body, or only above."""
    pierced_at: Literal["exceeded", "reached"]
    """Whether a blow pierces a barrier only above its Armor, or already when it equals it."""
    cover: Literal["attacker", "defender"]
    """Whether cover takes dice from the attacker or gives them to the defender."""
    fragmentation_ap: Penetration
    object_resistance: Figure
    """The threshold of highly processed objects."""
    recoil: Literal["carries", "each_attack"]
    """Whether uncompensated recoil carries over to the next attack of a phase."""
    aiming: Literal["half_skill", "unlimited"]
    """The largest bonus for taking aim."""
    # Fields of version 3. The defaults are the rules of logs whose profile has no such field.
    recoil_of: Literal["weapon", "shooter"] = "shooter"
    """Whether recoil and its compensation count for each weapon, or for the shooter with all weapons."""
    shock_wounds: Literal["counted", "before"] = "counted"
    """Whether the secondary test of electricity counts wounds by the same blow, or only those before it."""
    own_counterspelling: Literal["always", "declared"] = "declared"
    """Whether a magician who is a target always has the own Counterspelling dice, or only if declared."""
    shared_counterspelling: Literal["once", "each"] = "each"
    """Whether Counterspelling dice that protect several targets are rolled once for all, or by each target."""
    acts_at_once: Literal["both", "first"] = "first"
    """With simultaneous ties: whether both act before the harm of either counts, or the first one's counts at once."""
    mishaps: Literal["all", "attacks"] = "attacks"
    """Whether the gamemaster chooses a mishap for glitches in all tests, or in attacks only."""
    # A field of version 4. The default is the rule of logs whose profile has no such field.
    spell_resistance: Literal["hampered", "free"] = "free"
    """Whether wounds, shock and sustained spells count when a direct spell is resisted."""


DEADLY: Mapping[str, int] = {"exceeded": 1, "reached": 0}
"""Boxes of overflow beyond Body that kill, by the value of `dies_at`."""
PROFILES = load("machines.shadowrun_4e", "profiles.toml", Profile, "profile")


def profile(combat: Combat) -> Profile:
    """Returns the session's profile, as it is recorded in the log."""
    return typed(combat.session.rules, Profile)
