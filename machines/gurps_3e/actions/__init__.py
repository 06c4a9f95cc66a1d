"""Maneuvers of GURPS: kinds, terms, checks, box functions, charts, offers."""
