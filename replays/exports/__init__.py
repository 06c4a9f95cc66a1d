"""Sessions outside the ledger: JSON lines, documents, sentences, backups, the printable report."""
