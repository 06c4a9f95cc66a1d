"""Printed tables of Shadowrun as typed rows."""
