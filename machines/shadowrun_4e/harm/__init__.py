"""Steps 4 to 6 of an attack, and other harm: damage, armor, tracks, blasts."""
