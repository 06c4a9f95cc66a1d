"""Corrects the past: amendments, deciding again, and reports of what changes."""
