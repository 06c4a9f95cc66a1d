"""Webhooks in the form in which a server sends them."""

from typing import Literal

import msgspec


class IssuedHook(msgspec.Struct, frozen=True):
    """A registered webhook with its secret, which is shown only this once."""

    id: str
    address: str
    """The address that gets the messages."""
    cursor: int
    """The number of the last entry that was delivered; the messages begin after it."""
    secret: str
    """The key that signs the messages: `whsec_…`, as libraries of Standard Webhooks read it."""


class KnownHook(msgspec.Struct, frozen=True):
    """A webhook, without its secret."""

    id: str
    address: str
    cursor: int
    """The number of the last entry that was delivered."""
    state: Literal["active", "dead"]
    """`dead` after too many failures in a row or the status 410; nothing is sent until it is activated again."""
    stopped: str
    """The reason why it is dead; empty if it is active."""
    failures: int
    """The number of failures in a row."""
    status: int | None
    """The HTTP status of the last message; None if there was none."""
    problem: str
    """Why the last message was not delivered; empty if it was."""
    next_attempt: str | None
    """The time of the next attempt after a failure, in UTC; None if the next entry is sent at once."""


class Pinged(msgspec.Struct, frozen=True):
    """The result of a test."""

    delivered: bool
    """Whether the receiver has answered with a status from 200 to 299."""
    status: int | None
    """The HTTP status; None if there was none."""
    problem: str
    """Why the test was not delivered; empty if it was."""
