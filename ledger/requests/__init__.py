"""Checks requests, and recognizes those that are repeated."""
