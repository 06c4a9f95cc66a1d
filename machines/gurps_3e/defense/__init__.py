"""Boxes 23 to 27 of the flowchart: the active defense and what it leads to."""
