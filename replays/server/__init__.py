"""Serves sessions over HTTP: REST, a live feed, an OpenAPI document. Started by `affray serve`."""
