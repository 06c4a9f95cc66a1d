"""Projections: fold events into the current state. They know no game and import only the ledger."""
