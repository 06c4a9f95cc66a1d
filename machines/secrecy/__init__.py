"""Visibility of events: who may see what follows from a command."""
