"""Printings and options: each disputed rule is one field with a closed set of values."""

from typing import Annotated, Literal

from msgspec import Meta

from machines.contract.tables import Row, load
from machines.eclipse_phase.family.sheets import ProfileReader

DiceText = Annotated[str, Meta(pattern=r"^[1-9][0-9]?d[1-9][0-9]{0,2}(\+[0-9]{1,3})?$")]
"""Dice with an optional addition: ``1d10+10``."""
Figure = Annotated[int, Meta(ge=0, le=100)]


class Profile(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A printing, or a session's own mixture.

    Fields with a default were added later; the default is the former rule.
    """

    name: str
    margin: Literal["target_minus_roll", "roll"]
    """What a Margin of Success is."""
    initiative_dice: DiceText
    burst_dice: DiceText
    """Damage dice added by a burst at one target."""
    full_auto_dice: DiceText
    defender_critical: Literal["weapon_mishap", "defender_benefit"]
    """Effect of a defender's critical success."""
    critical_with_excellent: Literal["both", "critical_only"]
    """Whether an attacker's critical success that is also Excellent adds the extra damage."""
    incapacitated_at: Literal["reached", "exceeded"]
    """Whether damage incapacitates when it reaches Durability or only when it exceeds it."""
    shock_durability: Literal["before_hit", "after_hit"]
    """Durability in the shock test: before or after this attack's damage."""
    shock_armor_on_critical: bool
    """Whether energy armor counts in the shock test if the attack defeated armor."""
    halved_damage: Literal["up", "down"]
    """Rounding of divided dice."""
    initiative_stat: Literal["twice", "fifth"] = "twice"
    """INIT from INT and REF: their sum x 2, or / 5 rounded up."""
    initiative_rolled: Literal["every_turn", "once"] = "every_turn"
    """How often Initiative is rolled; ``once`` is the book's simplification."""
    initiative_per_wound: Figure = 0
    """Initiative lost for each wound, at once."""
    initiative_per_trauma: Figure = 0
    surprise_initiative: Figure = 30
    """Initiative lost by a combatant who notices an ambush at the last moment."""
    burst_aim: Figure = 0
    """Bonus to hit with a burst at one target in place of the dice; 0 for no choice."""
    full_auto_aim: Figure = 0
    moxie_ignores: Literal["all", "negative"] = "all"
    """Modifiers that Moxie sets aside."""
    melee_targets: Literal["each_extra", "every_one"] = "each_extra"
    """Melee with several targets: -20 for each beyond the first, or for every one."""
    attacker_critical: Literal["armor_defeated", "double_damage"] = "armor_defeated"
    margin_damage: Literal["flat", "dice"] = "flat"
    """What an Excellent Success adds: 5 or 10, or one or two six-sided dice."""
    armor_piercing: Literal["subtract", "halve"] = "subtract"
    """Effect of Armor Penetration."""
    fray_rounding: Literal["down", "half_up"] = "down"
    """Rounding of half of Fray."""
    double_critical: Literal["higher_roll", "higher_skill"] = "higher_roll"
    """Which of two criticals wins: the higher roll (equal rolls miss), or the higher skill for equal rolls."""
    two_wounds: Literal["two_tests", "prone_and_test"] = "two_tests"
    """Two wounds at once: two tests, or prone and one test."""
    bleeding: Literal["beyond", "reached"] = "beyond"
    """Whether a wounded biomorph bleeds when damage exceeds Durability or when it reaches it."""
    bleeding_rate: Literal["one", "each_wound"] = "one"
    """Bleeding damage in an Action Turn."""
    benefit: Literal["figure", "condition"] = "figure"
    """What cover and a superior position from a critical defense are: a note, or conditions that rules enforce."""
    reached_cover: Literal["major_cover", "no_shot"] = "major_cover"
    """Effect of that cover on the attacker's shots: the modifier of major cover, or none can be aimed."""
    critical_counts: Literal["on_a_miss", "always"] = "on_a_miss"
    """Whether a defender's critical success has its effect only if the attack misses."""
    spoiled_weapon: Literal["goes_on", "stops"] = "goes_on"
    """Whether a weapon that breaks, jams or is dropped at the first of several targets strikes the others."""


PROFILES = load("machines.eclipse_phase.first", "profiles.toml", Profile, "profile")

profile = ProfileReader(Profile)
"""Reads the session's profile from the log."""
