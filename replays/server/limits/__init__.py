"""Limits of the server: request rates, connections, slow readers, and a fair queue."""
