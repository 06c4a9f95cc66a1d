"""Chances of open rolls and declarations, and the luck of a session's dice."""
