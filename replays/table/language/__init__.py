"""The grammar of a typed line: questions, answers, declarations, combatants."""
