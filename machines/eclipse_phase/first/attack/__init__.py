"""Steps 1 to 5 of an attack: targets, defense, modifiers, the opposed test, psi."""
