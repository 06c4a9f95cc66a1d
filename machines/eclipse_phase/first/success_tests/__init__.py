"""Success tests of the first edition: the d100, its sum, and Moxie."""
