"""Describes the fields of a ruleset's documents, and finds what is wrong in a document."""
