"""Printed tables of the first edition as typed rows."""
