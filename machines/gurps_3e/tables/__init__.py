"""Printed tables of GURPS as typed rows."""
