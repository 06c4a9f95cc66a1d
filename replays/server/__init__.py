"""Affray as a backend: sessions over HTTP, told live, seats by signed tokens. `affray serve` starts it."""
