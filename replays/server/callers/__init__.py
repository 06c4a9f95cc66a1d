"""The callers of the server: signed tokens, their seats, and the redaction of refusals."""
