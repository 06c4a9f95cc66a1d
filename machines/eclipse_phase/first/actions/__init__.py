"""Actions of the first edition: kinds, terms, checks, box functions, offers."""
