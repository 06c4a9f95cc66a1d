"""The state of each combatant: sheet and player, damage, wounds, conditions, resources."""
