"""Sheets and situations of the first edition, and access to what they say."""
