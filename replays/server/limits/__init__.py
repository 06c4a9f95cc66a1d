"""Limits of the server: rates, connections, slow readers, and a fair queue."""
