"""The types that a ruleset consists of: charts, actions, tables, refusals."""
