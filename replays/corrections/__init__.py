"""Corrections of the past: amending, deciding again, and the report of what changes."""
