"""Action Turns of the first edition: initiative, surprise, phases, movement, passing time."""
