"""Action Turns of the second edition: initiative, surprise, acting order, movement, time."""
