"""Challenges of rolls, figures and entries, their settlements, and precedents."""
