"""Copies sessions from one ledger into another of any kind, verified and resumable."""
