"""Estimates who is still standing at the end of a fight, by playing it to its end many times."""
