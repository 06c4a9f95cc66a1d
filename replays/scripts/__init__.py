"""Fights as TOML scripts: the format, the player, and sources of answers."""
