"""Views: the state as one document, and what one seat may see of it."""
