"""Roles of tests, which end their keys, and the tests whose margins matter."""

TO_HIT, DEFEND, PERCEIVE = "to-hit", "defend", "perceive"
STRUGGLE, HOLD = "struggle", "hold"
TREATMENT = "treatment"
RUSH = "rush"
AMBUSH, NOTICE = "ambush", "notice"
SHOCK, STUN, BLINDING = "shock", "stun", "blinding"

BETTER_HIGH = (TO_HIT, DEFEND, STRUGGLE, HOLD, TREATMENT, RUSH, AMBUSH, NOTICE)
"""Tests in which a higher success is better."""
SUPERIOR_COUNTS = (TO_HIT, STRUGGLE, TREATMENT, RUSH)
"""Tests whose superior successes have an effect."""
FAILS_ALIKE = (DEFEND, HOLD, NOTICE)
"""Tests in which a critical failure is no worse than another (EP2 12/01 Step 5)."""
WORSE_LOW = (SHOCK, STUN, BLINDING, TREATMENT)
"""Tests in which a worse failure has a worse effect."""
