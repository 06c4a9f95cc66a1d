"""Printed tables of the second edition as typed rows."""
