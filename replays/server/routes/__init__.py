"""The routes of the server, one controller for each purpose; `app` registers them."""
