"""Webhooks: the live feed of a seat, sent to an address by HTTP."""
