"""The unit of the log: one command and everything that followed from it."""

from enum import StrEnum

import msgspec

from ledger.commands import AnyCommand
from ledger.events import AnyEvent


class Seat(StrEnum):
    """From where somebody speaks."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Provenance(StrEnum):
    """Where a face came from."""

    DRAWN = "drawn"
    """By the engine."""
    TYPED = "typed"
    """A person read it off the table; the entry says who."""
    SCRIPTED = "scripted"
    """A script had it."""
    RECORDED = "recorded"
    """It was rolled earlier in this session and is used again."""
    TOLD = "told"
    """A person gave only counts or a total; the faces are not known."""


class Who(msgspec.Struct, frozen=True, array_like=True):
    """A person and the seat they speak from."""

    name: str
    seat: Seat = Seat.GM


class Request(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The request that a batch of entries answers; it stands in the first of them."""

    key: str
    """The idempotency key; empty where the request came without one."""
    fingerprint: str
    """Of who asked for what, as it was asked; see `ledger.fingerprint`. Empty where there is no key."""
    entries: int
    """How many entries the batch has."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One line of the log, appended whole or not at all."""

    v: int
    """The shape of the line; older shapes are upcast on reading."""
    seq: int
    """1, 2, 3 … without a gap in each session."""
    after: int
    """The entry it stands on; 0 for the first."""
    at: str
    """When, as the door's clock had it: RFC 3339 in UTC, to the millisecond."""
    by: Who
    rules_version: int = msgspec.field(name="rules")
    """Of the ruleset that decided it."""
    origin: int | None
    """The entry it performs again, if it does."""
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    request: Request | None = None
    """Only in the first entry of a batch that has several, or was asked for under an idempotency key."""
