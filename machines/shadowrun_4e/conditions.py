"""Lists the conditions that the rules of Shadowrun 4e give or read; any other condition has no effect."""

from machines.shadowrun_4e.success_tests.pools import FOCUSED, SUSTAINING

_NAMES = """
    aiming counterspelling crashed dead delaying destroyed disrupted dropped dumpshocked dying full_defense
    incapacitated jammed prone running shocked suppressing surprised unconscious
"""
CONDITIONS_OF_THE_RULES = (*_NAMES.split(), f"{SUSTAINING}*", f"{FOCUSED}*", "*_broken", "*_dropped", "*_jammed")
"""Condition names; ``*`` is a wildcard for the name of a weapon or a spell."""
