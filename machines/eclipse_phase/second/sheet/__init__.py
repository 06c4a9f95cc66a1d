"""Sheets and situations of the second edition, and access to what they say."""
