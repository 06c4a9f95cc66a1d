"""Logs of sessions: states, drafts, writing, permissions, undo, secrets, provable dice."""
