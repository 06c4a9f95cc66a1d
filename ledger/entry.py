"""The entry, the unit of the log: one command and the events that it caused."""

from enum import StrEnum

import msgspec

from ledger.commands import AnyCommand
from ledger.events import AnyEvent


class Seat(StrEnum):
    """The role of a person at the table."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Provenance(StrEnum):
    """The origin of a face."""

    DRAWN = "drawn"
    """The engine drew it."""
    TYPED = "typed"
    """A person read it off a physical die; `Entry.by` names the person."""
    SCRIPTED = "scripted"
    """A script contained it."""
    RECORDED = "recorded"
    """It was rolled earlier in this session and is reused."""
    TOLD = "told"
    """A person gave counts or a total; the faces are not known."""


class Who(msgspec.Struct, frozen=True, array_like=True):
    """A person and their seat."""

    name: str
    seat: Seat = Seat.GM


class StoredRequest(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The request that caused a batch of entries; stored in the first entry of the batch."""

    key: str
    """The idempotency key; empty if the request had none."""
    fingerprint: str
    """The fingerprint of the request as it was made; see `ledger.requests.fingerprint`. Empty if there is no key."""
    entries: int
    """The number of entries in the batch."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One line of the log, appended whole or not at all."""

    v: int
    """The version of the line's shape; older shapes are upcast on reading."""
    seq: int
    """1, 2, 3 … without a gap in each session."""
    after: int
    """The entry it stands on; 0 for the first."""
    at: str
    """The time by the server's clock: RFC 3339 in UTC, to the millisecond."""
    by: Who
    rules_version: int = msgspec.field(name="rules")
    """The version of the ruleset that decided the command."""
    origin: int | None
    """The entry whose command this entry repeats on another branch, if any."""
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    request: StoredRequest | None = None
    """Only in the first entry of a batch of several entries, or of a request with an idempotency key."""
