"""Success tests of the first edition: the d100, its target, and Moxie."""
