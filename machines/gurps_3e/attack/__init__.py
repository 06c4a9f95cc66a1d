"""Boxes 1 to 22 of the flowchart: modifiers, aiming, the roll to hit, misses, criticals."""
