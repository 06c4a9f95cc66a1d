"""The roles of tests, with which their keys end, and what of their results counts beside passing."""

TO_HIT, DEFEND, PERCEIVE = "to-hit", "defend", "perceive"
STRUGGLE, HOLD = "struggle", "hold"
TREATMENT = "treatment"
RUSH = "rush"
AMBUSH, NOTICE = "ambush", "notice"
SHOCK, STUN, BLINDING = "shock", "stun", "blinding"

BETTER_HIGH = (TO_HIT, DEFEND, STRUGGLE, HOLD, TREATMENT, RUSH, AMBUSH, NOTICE)
"""Those of which it also counts how high they succeed."""
SUPERIOR_COUNTS = (TO_HIT, STRUGGLE, TREATMENT, RUSH)
"""Those whose superior successes do something."""
FAILS_ALIKE = (DEFEND, HOLD, NOTICE)
"""Those of which a critical failure is no worse than another (EP2 12/01 Step 5)."""
WORSE_LOW = (SHOCK, STUN, BLINDING, TREATMENT)
"""Those of which it also counts how badly they fail."""
