"""Combat Turns of Shadowrun: initiative, passes, Action Phases, surprise."""
