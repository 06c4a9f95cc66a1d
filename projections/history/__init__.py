"""Projections of the whole log: the entries in force, the inputs of drawn dice, disclosures of secrets."""
