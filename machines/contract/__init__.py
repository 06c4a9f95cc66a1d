"""Types that a ruleset is made of: charts, kinds of declaration, tables, refusals."""
