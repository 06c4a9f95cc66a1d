"""The refusals of webhooks."""

from ledger.errors import Refused


class BadHookAddress(Refused):
    """The address is not one that a webhook may have."""

    slug = "hook/address"


class BadHookNetwork(Refused):
    """The text is not a network whose addresses webhooks may have."""

    slug = "hook/network"


class NoSuchHook(Refused):
    """The token has no webhook of that id."""

    slug = "hook/unknown"


class TooManyHooks(Refused):
    """The token has as many webhooks as one token may have."""

    slug = "hook/too-many"


class HooksOff(Refused):
    """The operator of the server has switched webhooks off."""

    slug = "hook/off"
