"""Steps 6 to 8 of an attack, and other harm: armor, damage, wounds, shock, blasts, stress."""
