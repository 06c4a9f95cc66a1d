"""The routes, by what they are for; `app` gathers them."""
