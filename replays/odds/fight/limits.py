"""The limits within which a fight is played on."""

SAMPLES = 200
"""Fights that are played by default."""
MOST_SAMPLES = 10_000
"""Fights that may be asked for."""
STEPS = 8_000
"""Runs of the rules after which no further fight is begun; this many take one or two seconds."""
SECONDS = 10.0
"""Seconds of processor time after which a fight is given up: only the largest fights take longer."""
ROUNDS = 20
"""A fight is played on for at most so many further rounds."""
MOST_STEPS = 4_000
"""A fight is played on for at most so many runs of the rules."""
