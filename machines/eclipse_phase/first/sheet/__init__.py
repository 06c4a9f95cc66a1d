"""Sheets and situations of the first edition, and access to them."""
