"""Conditions that rules of Eclipse Phase 1e cause or read; all others are free."""

from machines.eclipse_phase.first.harm.stress import BY_CONDITION
from machines.eclipse_phase.first.tables.tables import MISHAPS

_NAMES = """
    aiming ambushed bleeding catatonic crashed dead delaying disoriented full_defense in_cover incapacitated
    mental_defense mind_lost noticed_psi prone running shocked subdued superior_position suppressing surprised
    unconscious
"""
_SPOILED = (f"*_{name}" for name, row in MISHAPS.items() if row.spoils)
CONDITIONS_OF_THE_RULES = (*_NAMES.split(), *BY_CONDITION, *_SPOILED, "locked_out_of_*")
"""Names of conditions; ``*`` is the name of a weapon, limb, spell or combatant."""
