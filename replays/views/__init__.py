"""Views of a session's log: as a seat sees it, and frame by frame."""
