"""The verbs about sessions as wholes, and about ledgers."""
