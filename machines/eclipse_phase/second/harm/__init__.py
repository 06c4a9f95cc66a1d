"""Steps 6 to 9 of an attack, and other harm: damage, wounds, effects, infection, stress."""
