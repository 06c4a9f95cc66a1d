"""Sheets and situations of Shadowrun, printed codes, and access to sheets."""
