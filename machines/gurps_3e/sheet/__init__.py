"""Sheets and situations of GURPS, and access to what they say."""
