"""The profile: one field for each disputed point of the page, with the readings that can be played."""

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
    """The skill from which there is no snap shot penalty: above SS, or SS itself."""
    opportunity_fire: Literal["twice", "once"]
    """Whether the snap shot penalty is added to the table that already includes it."""
    random_location: Literal["counts", "free"]
    """Whether a location that was rolled costs its penalty."""
    critical_multiplier: Literal["total", "dice"]
    """What a critical hit multiplies: all damage, or the dice without what is added to them."""
    critical_14: Literal["double", "normal"]
    """What a 14 on the Critical Hit Table does where no limb is struck."""
    crippling_by: Literal["before_cap", "after_cap"]
    """The damage that cripples: that of the blow, or what the limb's limit leaves of it."""
    major_wound_by: Literal["after_cap", "before_cap"]
    """The damage that stuns and knocks down: after blow-through, or before it."""
    halves: Literal["exact", "up"]
    """Whether HT/2 and HT/3 are compared with their fractions, or rounded up."""
    jaw_penalty: Penalty
    bullet_knockback: Literal["none", "by_strength", "by_eight"]
    """Knockback of bullets: none, a hex for each 3 x ST, or as for a club."""
    automatic_hits: Annotated[tuple[Rounds, ...], msgspec.Meta(max_length=30)] = ()
    """Rounds of a group that hit, for margins of -1, 0, 1 and so on; empty: by the table."""
    first_consciousness_roll: Literal["at_once", "own_turn"]
    """When HT is first rolled at 0 hit points: at once, or at the start of the next turn."""
    dud: Literal["goes_on", "stops"]
    """Whether a dud looks for another target, as other misses do."""
    shield_damage: Literal["ignored", "counts"]
    """Whether a blow that is stopped only by the passive defense of a shield damages the shield."""
    wounds_in_defense: Literal["count", "ignored"]
    """Whether wounds since the last turn count against active defenses."""
    aim_lasts: Literal["first_shot", "whole_attack"] = "first_shot"
    """The shots that an aim counts for: the first one, or all shots of that attack at the same target."""
    stray_attacks: Literal["anew", "as_strayed"] = "anew"
    """Whether an attack on an unintended target is judged anew, or keeps the aim or snap shot of the first target."""
    feint_penalty: Literal["difference", "own_margin"] = "difference"
    """The penalty against a target whose roll fails: the difference of both margins, or the attacker's margin."""
    injury_by: Literal["health", "hit_points"] = "health"
    """What injury is compared with where hit points differ from HT: HT, or the hit points of an uninjured combatant."""
    minimum_strength: Literal["ignored", "counts"] = "ignored"
    """Whether each point of ST below the minimum of a weapon takes 1 from the skill."""
    defense_while_aiming: Literal["keeps_aim", "ends_aim"] = "keeps_aim"
    """Whether an active defense ends an aim."""
    critical_tables: Literal["used", "off"] = "used"
    """Whether the critical tables are used; off, a 3 or 4 does maximum damage, and a critical miss is a miss."""
    watching_one_hex: Literal["free", "table"] = "free"
    """Whether opportunity fire over a single hex has the penalty of the table."""
    waiting_interrupts: Literal["nothing", "all_out_attack"] = "nothing"
    """What an attack from waiting may come before, once it is declared: nothing, or an All-Out Attack."""
    acting_order: Literal["anew", "fixed"] = "anew"
    """Whether the order of acting follows Move as wounds leave it, anew each turn, or stays that of unhurt Move."""
    shock_by: Literal["injury", "split_health"] = "injury"
    """Shock: the injury itself, or the less of it the more hit points an uninjured combatant has."""
    unclear_declarations: Literal["accepted", "refused"] = "accepted"
    """Whether an attack below 3 or without its distance is refused, and readying in words that ready nothing."""


PROFILES = load("machines.gurps_3e", "profiles.toml", Profile, "profile")


def profile(combat: Combat) -> Profile:
    """Returns the session's profile, as the log recorded it."""
    return typed(combat.session.rules, Profile)
