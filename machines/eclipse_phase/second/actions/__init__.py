"""Actions of the second edition: kinds, terms, checks, box functions, offers."""
