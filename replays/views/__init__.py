"""Views of a session's log: as a seat sees it, frame by frame, in the game's words."""
