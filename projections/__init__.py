"""Folds: what is so now, added up from facts. Knows no game; imports only the ledger."""
