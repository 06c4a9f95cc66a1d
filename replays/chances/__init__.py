"""Reckoning with dice that nobody has thrown: which faces there are, numbers that are not known yet, what may come of them."""
