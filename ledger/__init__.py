"""Facts: the vocabulary, the log and where it is kept. Imports nothing of Affray."""
