"""Shipped fights as scripts, and a checker of drawn dice that needs no Affray."""
