"""The exceptions of the ledger, each with a stable slug.

Refused                          the request is not possible; nothing was written
├── DiceRefused
│   ├── BadNotation              dice/notation
│   ├── WrongCount               dice/wrong-count
│   ├── LieAlready               dice/lie-already
│   └── ImpossibleFace           dice/impossible-face
├── BadCommand                   command/invalid
│   └── BadIdempotencyKey        command/bad-key
├── BadSessionId                 session/bad-id
├── LogRefused
│   ├── Stale                    log/stale
│   ├── KeyReused                log/key-reused
│   ├── Unreadable               log/unreadable
│   ├── Newer                    log/newer
│   ├── Broken                   log/broken
│   │   └── Cut                  log/cut
│   ├── TombstoneBroken          tombstone/broken
│   ├── HeadsBroken              heads/broken
│   ├── CheckpointBroken         checkpoint/broken
│   ├── Inconsistent             log/inconsistent
│   ├── NoSuchSession            session/unknown
│   │   └── SessionDeleted       session/deleted
│   ├── SessionExists            session/exists
│   └── NoSuchEntry              entry/unknown
├── StoreRefused
│   ├── UnknownStore             store/unknown
│   ├── ForeignFile              store/foreign
│   ├── Damaged                  store/damaged
│   ├── ReadOnly                 store/read-only
│   ├── Full                     store/full
│   ├── Oversized                store/oversized
│   ├── Busy                     store/busy
│   ├── Sealed                   store/sealed
│   ├── NotMigrated              store/not-migrated
│   ├── Unsure                   store/unsure
│   ├── NoFile                   store/no-file
│   ├── AlreadyThere             store/exists
│   └── Unusable                 store/unusable
│       └── Gone                 store/unusable
└── BadSource                    source/malformed

The refusals of rules are in `machines.contract.refusals`; they have the same base class.
"""

from typing import Any, ClassVar


class Refused(Exception):
    """The request is not possible; nothing was written.

    Attributes:
        slug: The stable name of the reason, for programs.
        message: One plain sentence for people: the reason.
        where: The field, key or file that is at fault; may be empty.
        accepts: What would have been accepted; may be empty.
    """

    slug: ClassVar[str] = "refused"

    def __init__(self, message: str, *, where: str = "", accepts: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.accepts = accepts

    def __str__(self) -> str:
        hint = f" (accepted: {self.accepts})" if self.accepts else ""
        return f"{self.slug}: {self.message}{hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Supports pickling, whatever arguments the subclass's constructor takes."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[Refused], args: tuple[Any, ...], fields: dict[str, Any]) -> Refused:
    refusal = kind.__new__(kind, *args)
    refusal.args = args
    refusal.__dict__.update(fields)
    return refusal


class DiceRefused(Refused):
    """Base of refusals of dice."""

    slug = "dice/refused"


class BadNotation(DiceRefused):
    """The text is not dice notation."""

    slug = "dice/notation"


class WrongCount(DiceRefused):
    """The number of faces is not the number of dice."""

    slug = "dice/wrong-count"


class LieAlready(DiceRefused):
    """The faces differ from those recorded already, or are not as many as are still missing."""

    slug = "dice/lie-already"


class ImpossibleFace(DiceRefused):
    """The die has no such face."""

    slug = "dice/impossible-face"


class BadCommand(Refused):
    """The command cannot be stored: a wrong type, a fraction, text that is not UTF-8, or a value out of bounds."""

    slug = "command/invalid"


class BadIdempotencyKey(BadCommand):
    """The text is not an idempotency key."""

    slug = "command/bad-key"


class BadSessionId(Refused):
    """The text is not a session id."""

    slug = "session/bad-id"


class LogRefused(Refused):
    """Base of refusals of the log."""

    slug = "log/refused"


class Stale(LogRefused):
    """Another writer appended first.

    Attributes:
        actual: The number of the last stored entry.
    """

    slug = "log/stale"

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(
            f"the log has {actual} entries, not {expected}: another writer appended first",
            where="expected",
            accepts=str(actual),
        )
        self.expected = expected
        self.actual = actual


class KeyReused(LogRefused):
    """The idempotency key was used for another request."""

    slug = "log/key-reused"


class Unreadable(LogRefused):
    """The line is not an entry of any known shape."""

    slug = "log/unreadable"


class Newer(LogRefused):
    """The line was written by a newer Affray."""

    slug = "log/newer"


class Broken(LogRefused):
    """The hash chain is broken.

    Attributes:
        seq: The first entry that does not match the chain.
    """

    slug = "log/broken"

    def __init__(self, message: str, *, seq: int) -> None:
        super().__init__(message, where=f"entry {seq}")
        self.seq = seq


class Cut(Broken):
    """Entries that were in the log are missing from its end, or others stand in their place.

    Attributes:
        seq: The last entry that is known to have been there.
    """

    slug = "log/cut"


class TombstoneBroken(LogRefused):
    """A tombstone is missing, altered or out of order; `where` has its number."""

    slug = "tombstone/broken"


class HeadsBroken(LogRefused):
    """The heads file was altered."""

    slug = "heads/broken"


class CheckpointBroken(LogRefused):
    """The checkpoint beside a log, from which a session is opened, is not what follows from the log's entries."""

    slug = "checkpoint/broken"


class Inconsistent(LogRefused):
    """The log is intact, but today's rules could not have written it, so they cannot interpret the rest of it."""

    slug = "log/inconsistent"


class NoSuchSession(LogRefused):
    """There is no session with that id."""

    slug = "session/unknown"


class SessionDeleted(NoSuchSession):
    """The session was permanently deleted; its id is never reused."""

    slug = "session/deleted"


class SessionExists(LogRefused):
    """A session with that id exists already."""

    slug = "session/exists"


class NoSuchEntry(LogRefused):
    """There is no entry with that number."""

    slug = "entry/unknown"


class StoreRefused(Refused):
    """Base of refusals of a store."""

    slug = "store/refused"


class UnknownStore(StoreRefused):
    """The address names no known kind of store."""

    slug = "store/unknown"


class ForeignFile(StoreRefused):
    """The file belongs to another program."""

    slug = "store/foreign"


class Damaged(StoreRefused):
    """The ledger, or an entry in it, is truncated, overwritten or out of order."""

    slug = "store/damaged"

    @classmethod
    def at(cls, seq: int, problem: str) -> "Damaged":
        """Returns the refusal of a damaged entry.

        Args:
            seq: The number under which it is stored.
            problem: The damage, as the rest of a sentence, such as ``stands on nothing that is before it``.
        """
        return cls(f"entry {seq} {problem}: run affray verify", where=f"entry {seq}", accepts="affray verify")


class ReadOnly(StoreRefused):
    """The file or its folder is not writable; or the ledger was opened only to be read."""

    slug = "store/read-only"


class Full(StoreRefused):
    """The disk is full."""

    slug = "store/full"


class Oversized(StoreRefused):
    """An id, a key or a name is too long for this kind of store."""

    slug = "store/oversized"


class Busy(StoreRefused):
    """The ledger does not answer in time: another process holds its lock, or its servers are away."""

    slug = "store/busy"


class Sealed(StoreRefused):
    """A seed is sealed under that name already."""

    slug = "store/sealed"


class NotMigrated(StoreRefused):
    """The database's tables are missing, or older than this Affray."""

    slug = "store/not-migrated"


class Unsure(StoreRefused):
    """The connection or the file was lost while writing. Only after this refusal the data may have been written."""

    slug = "store/unsure"


class NoFile(StoreRefused):
    """The operation needs a ledger in a file, and this one is not."""

    slug = "store/no-file"


class AlreadyThere(StoreRefused):
    """A file of that name exists; it is not overwritten."""

    slug = "store/exists"


class Unusable(StoreRefused):
    """The ledger cannot be opened or used for another reason."""

    slug = "store/unusable"


class NoWrites(Unusable):
    """The ledger, or a part of it, accepts no writes, although its servers may report good health."""

    slug = "store/no-writes"


class Gone(Unusable):
    """The ledger's file, or one beside it, was removed or replaced."""


class BadSource(Refused):
    """The text is not a citation."""

    slug = "source/malformed"
