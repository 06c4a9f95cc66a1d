"""What every store must do. `tests/contracts/store_contract.py` is this in executable form."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from ledger.chain import Record
from ledger.stores.heads import HeadsFile
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord

NOTHING: Mapping[str, bytes] = {}
"""Nothing is sealed."""


class Batch(msgspec.Struct, frozen=True, order=True):
    """The entries that were appended under one idempotency key."""

    first: int
    """The number of the first of them."""
    count: int


NO_KEYS: Mapping[str, Batch] = {}
"""No entry was asked for under an idempotency key."""

PATIENCE = 30.0
"""Seconds to wait for one's turn, a connection or an answer, unless told otherwise."""


class Head(msgspec.Struct, frozen=True):
    """The end of a session's log."""

    seq: int
    """The number of the last entry; 0 where there is none."""
    digest: bytes
    """Its digest; of an empty log, what the first one continues from."""


class Store(Protocol):
    """Where logs are kept: one append-only stream a session.

    Refusals common to all methods are those of `ledger.errors.StoreRefused`, `NoSuchSession` and, of that,
    `SessionDeleted`, which tells by whom and when; and `BadCommand`, where an id, a key or a name is no text that UTF-8
    can hold.
    """

    @property
    def one_writer(self) -> bool:
        """Whether only one may write at a time: then it is quicker to write what many want written `together`."""

    @property
    def heads(self) -> HeadsFile | None:
        """The file that remembers the last entry of each session, beside the ledger's; None where there is no such."""

    def create(
        self,
        session: str,
        records: Sequence[Record] = (),
        *,
        sealed: Mapping[str, bytes] = NOTHING,
        keys: Mapping[str, Batch] = NO_KEYS,
    ) -> None:
        """Begin a log, empty or with its first records: all of it or nothing.

        Args:
            session: Its id.
            records: Numbered from 1 on.
            sealed: What is kept beside it from the beginning, by name; see `seal`.
            keys: Which of the records answer a request, by its idempotency key.

        Raises:
            SessionExists: There is one of that id.
            SessionDeleted: There was one of that id.
        """

    def append(
        self, session: str, records: Sequence[Record], *, expected: int, key: str | None = None
    ) -> Sequence[Record]:
        """Add records, all or none, durably: what this returned for is there after a crash.

        Args:
            session: The log's id.
            records: At least one, numbered from `expected` + 1 on.
            expected: The number of the last entry that the writer knew.
            key: The batch's idempotency key; a repeat of the same request writes nothing. The fingerprints in the
                first lines decide, and the commands only where a line has none.

        Returns:
            The records as they stand in the log: these, or the earlier ones of the same key.

        Raises:
            Stale: Somebody else wrote first.
            KeyReused: The key belongs to another request.
        """

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """The records with `after` < seq <= `upto`, in order."""

    def head(self, session: str) -> Head:
        """The end of the log."""

    def batch(self, session: str, key: str) -> Sequence[Record]:
        """The records that were appended under an idempotency key; empty where there are none."""

    def keys(self, session: str) -> Mapping[str, Batch]:
        """Returns all idempotency keys of a session with what was appended under each."""

    def sessions(self) -> Sequence[str]:
        """The ids of all sessions, in the order in which they were created."""

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Keep something beside the log that is not part of it, such as a seed; a second time is refused."""

    def unseal(self, session: str, name: str) -> bytes | None:
        """What was sealed under that name."""

    def seals(self, session: str) -> Sequence[str]:
        """The names under which something is sealed, sorted."""

    def delete(self, session: str, deletion: Deletion, *, expected: int | None = None) -> Tombstone:
        """Deletes a session for good, whole or not at all, and leaves a tombstone: the only way to remove anything.

        Its entries, idempotency keys and sealed secrets are removed. Its id stays known and is never used again. What
        is to be kept is exported before: nothing brings a deleted session back. Copies elsewhere, such as backups and
        exports, are not touched.

        Args:
            session: Its id.
            deletion: By whom, when and why.
            expected: The number of the last entry that the caller knew; None deletes whatever is there.

        Returns:
            The tombstone.

        Raises:
            Stale: Somebody else wrote after `expected`; nothing was deleted.
            BadCommand: A word of the deletion is no text; nothing was deleted.
        """

    def tombstones(self) -> Sequence[TombstoneRecord]:
        """Returns the tombstones of all deleted sessions, in their order; see `ledger.tombstone.check`."""

    def check_there(self) -> None:
        """Refuses where the place of the logs is gone, or takes no more commits.

        Raises:
            StoreRefused: It is gone, or does not answer.
            HeadsBroken: What a file beside it remembers was lost.
        """

    def together(self) -> AbstractContextManager[None]:
        """Let what this thread writes until the block ends be durable then, at once, and not before.

        Nobody may be told of it before; inside, this thread reads it. However the block ends, what was written without
        a refusal is kept. Other threads write as ever, before it or after it. A store with several writers may make
        each piece durable when it is written.

        Raises:
            StoreRefused: At the end of the block: nothing of it was written.
        """

    def news(self, seconds: float) -> Collection[str] | None:
        """Wait until something has been written since it was last asked, by this process or another.

        One thread asks at a time; the first time it is since the store was opened.

        Args:
            seconds: The longest to wait.

        Returns:
            The ids of the sessions that went on, beside which something was sealed, or that were deleted, at least;
            None where it may be any. Empty: the time is up.
        """

    def close(self) -> None:
        """Let go of the file or connection."""
