"""Success tests of the second edition: the d100, its target, and pools."""
