"""Conditions that rules of Eclipse Phase 2e cause or read; all others are free."""

from machines.eclipse_phase.second.sheet.sheet_access import BOOSTED, HARDENED
from machines.eclipse_phase.second.tables.tables import CONDITIONS

_NAMES = """
    aggressive aiming airborne ambushed bleeding broken broken_down delaying disorder dropped extra_action
    free_of_influence full_defense hanging_on has_recharged has_recharged_long ignores_traumas ignores_wounds
    influenced jammed loses_action mental_defense needs_surgery next_test noticed_psi on_fire on_the_move
    over_the_edge stable suppressing
"""
CONDITIONS_OF_THE_RULES = (
    *_NAMES.split(),
    *CONDITIONS,
    f"{BOOSTED}*",
    f"{HARDENED}*",
    "*_broken",
    "*_dropped",
    "*_jammed",
    "*_used_up",
    "locked_out_of_*",
)
"""Names of conditions; ``*`` is the name of a weapon, limb, spell or combatant."""
