"""Campaigns: the sessions that belong together, with their roster, luck and rulings."""
