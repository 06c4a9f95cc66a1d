"""Reckoning with dice that nobody has thrown: which faces there are, open numbers, what may come of them."""
