"""The stored record of a session: reading its entries, verifying it, and the checkpoint beside it."""
