"""Spellcasting, Drain, counterspelling and summoning."""
