"""Routes for the host: sessions and their life, and campaigns."""
