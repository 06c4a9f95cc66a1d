"""Rulesets of Eclipse Phase: two editions, and the rules that both share."""
