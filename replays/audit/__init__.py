"""Explanations and checks of a record: audit, dice proof, rehearsal, ledger verification."""
