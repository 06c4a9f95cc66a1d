"""Boxes 28 to 50 of the flowchart: damage, armor, injury, knockdown, dying, shields."""
