"""Sheets and situations of GURPS, and functions that read them."""
