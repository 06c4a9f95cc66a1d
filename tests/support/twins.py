"""Lists functions of the two editions of Eclipse Phase that are alike for a reason, by that reason."""

from collections.abc import Mapping

REASONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "The outcome and the degree of a test: each book has its own margin, words and citation.": (
        ("success_tests.success:judged", "success_tests.success:judged"),
        ("success_tests.success:degree", "success_tests.success:degree"),
        ("success_tests.stakes:_after", "success_tests.stakes:_after"),
        ("success_tests.stakes:_effect", "success_tests.stakes:_effect"),
    ),
    "The assumed range: each book has its own bands, citations and way to say that a mind is touched.": (
        ("attack.ranges:assumed_range", "attack.ranges:assumed_range"),
    ),
    "Boxes of unlike tests, one call long: each asks for its own die, by its own key, in its own words.": (
        ("attack.special_attacks:grip_roll", "*_roll"),
        ("attack.special_attacks:strain_roll", "*_roll"),
        ("care.therapy:*_roll", "*_roll"),
        ("harm.injury:disorientation_roll", "*_roll"),
        ("harm.shock:shock_roll", "*_roll"),
        ("harm.stress:*_roll", "*_roll"),
        ("turn.movement:sprint_roll", "*_roll"),
    ),
    "Boxes of unlike tests, one call long: each reads the roll of its own key.": (
        ("attack.special_attacks:read_grip", "*:read_*"),
        ("harm.injury:read_disorientation", "*:read_*"),
        ("harm.shock:read_shock", "*:read_*"),
        ("turn.movement:read_sprint", "turn.movement:read_*"),
    ),
    "Boxes of unlike tests, one call long: each starts its own from its own value.": (
        ("harm.injury:prepare_disorientation", "harm.bleeding:prepare_stabilizing"),
        ("harm.injury:prepare_disorientation", "harm.trauma:prepare_wits"),
    ),
    "Questions about unlike things, one call long: whether a test passed, a figure is held, or somebody is found.": (
        ("actions.actions:is_free", "actions.menu:can_struggle"),
        ("attack.attack:is_blind", "harm.infection:_is_pushed"),
        ("care.healing:helps", "care.waking:wakes"),
        ("care.healing:helps", "turn.confusion:makes_sense"),
        ("harm.stress:copes", "care.waking:wakes"),
        ("harm.stress:copes", "turn.confusion:makes_sense"),
        ("success_tests.moxie:can_spend", "*:*"),
    ),
    "Names of unlike figures and fields, one expression long.": (
        ("care.therapy:_declared_ailment", "care.waking:_terms"),
        ("care.therapy:_declared_ailment", "success_tests.recharging:is_long"),
        ("attack.attack_context:Attack.shared", "sheet.sheet:Sheet.shakable"),
        ("attack.attack_context:attacks_left", "turn.initiative:_rolled_off"),
        ("attack.attack_context:attacks_left", "turn.turn:went_first"),
        ("success_tests.success:ignored", "harm.effects:_tolerance"),
    ),
    "Looks up a row of the edition's own table: the columns differ, and the type with them.": (
        ("attack.attack_context:Attack.situations", "attack.attack_context:Attack.situations"),
        ("attack.attack:_whole_fray", "attack.attack:_whole_fray"),
    ),
    "A predicate, a figure or a point of the edition's own: the family's rule stands in the family, the book's answer here.": (
        ("actions.menu:can_attack", "actions.menu:can_attack"),
        ("attack.attack_context:Attack.shared", "attack.attack_context:Attack.shared"),
        ("attack.modifiers:steadies", "attack.modifiers:steadies"),
        ("harm.injury:_mind", "harm.injury:_mind"),
        ("harm.injury:blood_lost", "harm.injury:blood_lost"),
        ("sheet.sheet_access:extra_layers", "sheet.sheet_access:extra_layers"),
        ("sheet.sheet_access:proficiency", "sheet.sheet_access:proficiency"),
        ("success_tests.moxie:spend", "success_tests.pools:spend"),
        ("turn.initiative:each_lowers", "turn.initiative:each_lowers"),
    ),
    "The next target: what a landed blast is, and what follows a target who is only caught in it, differ in the books.": (
        ("attack.special_attacks:next_target", "attack.special_attacks:next_target"),
    ),
    "Rows of the table of called shots: what each records is a figure of its own edition.": (
        ("attack.special_attacks:_bypass", "attack.special_attacks:_bypass"),
        ("attack.special_attacks:_disarm", "attack.special_attacks:_bypass"),
        ("attack.special_attacks:_spot", "attack.special_attacks:_spot"),
    ),
    "Who may still go first: criticals and one's own moment count in the first edition only, pools in the second.": (
        ("actions.validation:_ahead_of_moxie", "turn.acting_order:_ahead"),
        ("actions.validation:_has_begun", "turn.acting_order:_has_begun"),
    ),
    "Refusals of unlike conditions, in unlike words, each three lines long.": (
        ("actions.validation:_not_disoriented", "actions.validation:_check_drop"),
    ),
}
"""Pairs of patterns (``room.module:name``) for functions of the first and of the second edition, by reason."""
SHORT = "one call long", "one expression long"
"""The reason of an exemption that is valid for short functions only."""
