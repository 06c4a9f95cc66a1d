"""The conditions that Shadowrun 4e's rules give, or look at; any other is free."""

from machines.shadowrun_4e.success_tests.pools import SUSTAINING

_NAMES = """
    aiming counterspelling crashed dead delaying destroyed disrupted dropped dumpshocked dying full_defense
    incapacitated jammed prone running shocked suppressing surprised unconscious
"""
CONDITIONS_OF_THE_RULES = (*_NAMES.split(), f"{SUSTAINING}*", "*_broken", "*_dropped", "*_jammed")
"""By name; ``*`` stands for a weapon, a limb, a spell, or whoever it is about."""
