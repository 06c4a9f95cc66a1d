"""The protocol of all stores. `tests/contracts/store_contract.py` tests it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from ledger.chain import Record
from ledger.stores.heads import HeadsFile
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord

NOTHING: Mapping[str, bytes] = {}
"""No sealed secrets."""


class Batch(msgspec.Struct, frozen=True, order=True):
    """The range of entries that were appended with one idempotency key."""

    first: int
    """The number of the first entry."""
    count: int


NO_KEYS: Mapping[str, Batch] = {}
"""No idempotency keys."""

PATIENCE = 30.0
"""Default for the seconds to wait for a lock, a connection or an answer."""


class Head(msgspec.Struct, frozen=True):
    """The last entry of a session's log."""

    seq: int
    """The number of the last entry; 0 for an empty log."""
    digest: bytes
    """Its digest; for an empty log, the digest that the first entry continues from."""


class Store(Protocol):
    """Stores logs: one append-only stream of records for each session.

    All methods may raise `ledger.errors.StoreRefused`; `NoSuchSession` or its subclass `SessionDeleted`, which names
    the person and the time; and `BadCommand` for an id, a key or a name that is not text that UTF-8 can encode.
    """

    @property
    def one_writer(self) -> bool:
        """Whether writes are serialized, so that it is faster to commit several of them `together`."""

    @property
    def reading_address(self) -> str | None:
        """The address with which other processes open this ledger to read it; None for a store in memory.

        It has the passwords of the address, and must not be shown. That of a ledger in NATS gives the number of shards,
        so that it can be opened while it accepts no writes.
        """

    @property
    def heads(self) -> HeadsFile | None:
        """The file beside the ledger that records the last entry of each session; None if the store has none."""

    def create(
        self,
        session: str,
        records: Sequence[Record] = (),
        *,
        sealed: Mapping[str, bytes] = NOTHING,
        keys: Mapping[str, Batch] = NO_KEYS,
    ) -> None:
        """Creates a session, empty or with its first records, all or nothing.

        Args:
            session: The id of the session.
            records: The records, numbered from 1 on.
            sealed: The secrets to store beside the log, by name; see `seal`.
            keys: The range of records that each idempotency key belongs to.

        Raises:
            SessionExists: There is a session with that id.
            SessionDeleted: There was a session with that id.
        """

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Appends records, all or none. They are durable when the method returns.

        Args:
            session: The id of the session.
            records: At least one record, numbered from `expected` + 1 on.
            expected: The number of the last entry that the writer knows.
            key: The idempotency key of the batch. A repeated request writes nothing. Requests are compared by the
                fingerprints in the first lines, or by the commands if a line has none.

        Returns:
            The stored records: these, or those that were stored earlier with the same key.

        Raises:
            Stale: Another writer appended first.
            KeyReused: The key belongs to another request.
        """

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Yields the records with `after` < seq <= `upto`, in order."""

    def head(self, session: str) -> Head:
        """Returns the head of the log."""

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """Returns the records of an idempotency key; empty if the key is unknown."""

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session with the range of entries of each."""

    def sessions(self) -> Sequence[str]:
        """Returns the ids of all sessions, in the order of their creation."""

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret beside the log, such as a seed; a name that is in use is refused."""

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns the secret of that name; None if there is none."""

    def seals(self, session: str) -> Sequence[str]:
        """Returns the names of the sealed secrets, sorted."""

    def keep_checkpoint(self, session: str, checkpoint: bytes) -> None:
        """Stores the checkpoint of a session in the place of its last one.

        A checkpoint is a cache of what follows from the log. It is no part of the log, and is never exported.
        """

    def checkpoint(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session, as it was stored; None if there is none."""

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Permanently deletes a session, whole or not at all, and leaves a tombstone. Nothing else can be removed.

        Its entries, idempotency keys, sealed secrets and checkpoint are removed. Its id is never reused. A deleted
        session cannot be restored, so export it first. Backups and exports elsewhere are not touched.

        Args:
            session: The id of the session.
            deletion: The person, the time and the reason.
            expected: The number of the last entry that the caller knows; None deletes the session in any state.

        Returns:
            The tombstone.

        Raises:
            Stale: Another writer appended after `expected`; nothing was deleted.
            BadCommand: A value of the deletion is not text; nothing was deleted.
        """

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in order; see `ledger.tombstone.check`."""

    def check_there(self) -> None:
        """Checks that the store is there, answers, and accepts commits.

        Raises:
            StoreRefused: The store is gone, or does not answer.
            HeadsBroken: The content of the heads file was lost.
        """

    def together(self) -> AbstractContextManager[None]:
        """Commits all writes of this thread in the block together, at its end.

        Until then they are not durable, so no result may be reported; this thread can read them. Successful writes are
        kept even if the block ends with an exception. Other threads write before or after the block. A store with
        several writers may make each write durable at once.

        Raises:
            StoreRefused: At the end of the block: none of it was written.
        """

    def news(self, seconds: float) -> Collection[str] | None:
        """Waits until this process or another has written something since the last call.

        Only one thread may call this at a time. The first call reports writes since the store was opened.

        Args:
            seconds: The longest to wait.

        Returns:
            At least the ids of the sessions that were appended to, sealed in, or deleted; None if any session may have
            changed; empty if the time is up.
        """

    def close(self) -> None:
        """Releases the file or the connections."""
