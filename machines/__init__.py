"""Rules: printed procedures as charts, and deciding by them. Imports the ledger and the projections."""
