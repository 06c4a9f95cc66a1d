"""The API reference for people: one page made from the OpenAPI document, which asks no other host for anything."""
