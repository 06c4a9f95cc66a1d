"""Sheets and situations of the second edition, and access to them."""
