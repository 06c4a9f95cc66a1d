"""Callers of the server: signed tokens, seats, and the redaction of refusals."""
