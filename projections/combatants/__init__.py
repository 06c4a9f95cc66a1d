"""What is so of each combatant: sheet and player, tracks of harm, wounds, conditions, what is counted."""
