"""Grammar of a typed line: declarations, combatants, rolls, completion."""
