"""What the messages of the streams contain, in MessagePack."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from ledger.chain import Record
from ledger.errors import Damaged
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.store import Batch, Head

T = TypeVar("T")

LARGEST = 900_000
"""Bytes of a value in one message; servers accept 1 MiB by default, headers included."""


class Entries(msgspec.Struct, frozen=True, array_like=True, tag=1, gc=False):
    """The entries of one append, in one message."""

    first: int
    """The number of the first entry."""
    records: tuple[tuple[bytes, bytes, bytes], ...]
    """The line, the secret and the digest of each."""
    key: str | None = None
    """The idempotency key."""
    keyed: int | None = None
    """How many appends to the log have had a key, with this one; None if it was written before this was counted."""

    @property
    def head(self) -> Head:
        """The last entry."""
        return Head(self.first + len(self.records) - 1, self.records[-1][2])

    @property
    def count(self) -> int:
        """The number of entries."""
        return len(self.records)

    def stored(self) -> list[Record]:
        """Returns the entries."""
        return [Record(seq, *each) for seq, each in enumerate(self.records, self.first)]


class Uploaded(msgspec.Struct, frozen=True, array_like=True, tag=2, gc=False):
    """The entries of one append that are too large for one message: they count once this message is stored."""

    first: int
    count: int
    digest: bytes
    """The digest of the last entry."""
    upload: str
    """The last token of the subject of the parts."""
    parts: tuple[tuple[int, int, int], ...]
    """For each part: its number in the stream, the number of the first entry that begins in it, and the byte where it
    begins. If none does, the number of the entry is 0."""
    key: str | None = None
    keyed: int | None = None
    """As for `Entries`."""

    @property
    def head(self) -> Head:
        """The last entry."""
        return Head(self.first + self.count - 1, self.digest)


class LogEnd(msgspec.Struct, frozen=True, array_like=True, tag=3, gc=False):
    """The end of the log of a deleted session."""


Logged = Entries | Uploaded | LogEnd


class Extras(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The sealed secrets and the idempotency keys with which a session was created."""

    sealed: dict[str, bytes] = {}
    keys: dict[str, tuple[int, int]] = {}
    """The first entry of each key, and how many there are."""

    def batches(self) -> Mapping[str, Batch]:
        """Returns the range of entries of each key."""
        return {key: Batch(*each) for key, each in self.keys.items()}


class Created(msgspec.Struct, frozen=True, array_like=True, tag=1, gc=False):
    """A session that exists."""

    id: str
    mark: str
    """A word that no other attempt to create a session uses."""
    at: str | None = None
    """When it was created; None if the time of this message is meant."""
    sealed: int = 0
    """The number of secrets that were sealed later; each of them writes this message anew."""
    extras: Extras | None = None
    upload: tuple[str, tuple[int, ...]] | None = None
    """Where the extras are, if they are too large for this message: the last token of the subject of the parts, and
    the number of each part in the stream."""
    entries: int = 0
    """The number of entries with which it was created; 0 also if it was created before this was counted."""


class Deleted(msgspec.Struct, frozen=True, array_like=True, tag=2, gc=False):
    """A session that was deleted."""

    id: str
    line: bytes
    """The deletion as the line of a tombstone, whose number counts only once `is_complete`."""
    is_complete: bool
    """Whether the tombstone is written and everything else is removed; until then the next to ask completes it."""


Session = Created | Deleted


class SealedSecret(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A secret that was sealed after the session was created."""

    name: str
    secret: bytes


class Keyed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The entries of an idempotency key."""

    first: int
    count: int


class Stone(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A tombstone."""

    number: int
    line: bytes
    digest: bytes


encode = msgspec.msgpack.Encoder().encode
_logged: msgspec.msgpack.Decoder[Logged] = msgspec.msgpack.Decoder(Logged)
_session: msgspec.msgpack.Decoder[Session] = msgspec.msgpack.Decoder(Session)
_secret = msgspec.msgpack.Decoder(SealedSecret)
_keyed = msgspec.msgpack.Decoder(Keyed)
_stone = msgspec.msgpack.Decoder(Stone)
_extras = msgspec.msgpack.Decoder(Extras)


def entries_of(records: Sequence[Record], key: str | None, keyed: int | None = None) -> Entries:
    """Returns the message of an append."""
    return Entries(records[0].seq, tuple((each.line, each.secret, each.digest) for each in records), key, keyed)


def logged(message: Stored) -> Logged:
    """Decodes a message of a log."""
    return _decode(_logged, message)


def session(message: Stored) -> Session:
    """Decodes the message of a session."""
    return _decode(_session, message)


def secret(message: Stored) -> SealedSecret:
    """Decodes a sealed secret."""
    return _decode(_secret, message)


def keyed(message: Stored) -> Keyed:
    """Decodes the message of an idempotency key."""
    return _decode(_keyed, message)


def stone(message: Stored) -> Stone:
    """Decodes a tombstone."""
    return _decode(_stone, message)


def extras(payload: bytes, subject: str) -> Extras:
    """Decodes the values with which a session was created, from all parts of a subject."""
    return _decoded(_extras, payload, subject)


def _decode(decoder: msgspec.msgpack.Decoder[T], message: Stored) -> T:
    return _decoded(decoder, message.payload, message.subject)


def _decoded(decoder: msgspec.msgpack.Decoder[T], payload: bytes, subject: str) -> T:
    try:
        return decoder.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(
            f"a message is not as Affray wrote it: {error}", where=subject, accepts="the stream from a backup"
        ) from error
