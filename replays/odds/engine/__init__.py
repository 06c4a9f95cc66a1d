"""Runs the rules symbolically, with dice that are not thrown yet."""
