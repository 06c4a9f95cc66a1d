"""Actions of Shadowrun: kinds, terms, checks, costs, box functions, charts, offers."""
