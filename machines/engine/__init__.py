"""The engine of all games: decides commands, walks through charts, lists legal options."""
