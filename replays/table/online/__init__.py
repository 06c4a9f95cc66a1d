"""The table of a person who is elsewhere: its question, lines and completions as documents, for pages and bots."""
