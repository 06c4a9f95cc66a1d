"""What the ledger refuses, and why.

Refused                          somebody asked for what cannot be; nothing was written
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

The rules' own refusals are in `machines.contract.refusals`; they stand on the same root.
"""

from typing import Any, ClassVar


class Refused(Exception):
    """Something was asked for that cannot be; nothing was written.

    Attributes:
        slug: The stable name of the reason, for programs.
        message: One plain sentence, for people.
        where: The field, key or file it is about; may be empty.
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
        """Lets it be sent to another process, whatever its kind is made of."""
        return _remade, (type(self), self.args, self.__dict__)


def _remade(kind: type[Refused], args: tuple[Any, ...], fields: dict[str, Any]) -> Refused:
    refusal = kind.__new__(kind, *args)
    refusal.args = args
    refusal.__dict__.update(fields)
    return refusal


class DiceRefused(Refused):
    """Dice that cannot be."""

    slug = "dice/refused"


class BadNotation(DiceRefused):
    """Not a dice notation."""

    slug = "dice/notation"


class WrongCount(DiceRefused):
    """More or fewer faces than dice."""

    slug = "dice/wrong-count"


class LieAlready(DiceRefused):
    """Other faces than those that lie already, or not as many as are missing beside them."""

    slug = "dice/lie-already"


class ImpossibleFace(DiceRefused):
    """A face that no such die has."""

    slug = "dice/impossible-face"


class BadCommand(Refused):
    """A command that no line could hold: a wrong type, a fraction, text that is none, or more than its bound."""

    slug = "command/invalid"


class BadIdempotencyKey(BadCommand):
    """Not a key under which a request could be made again."""

    slug = "command/bad-key"


class BadSessionId(Refused):
    """Not an id that a session can have."""

    slug = "session/bad-id"


class LogRefused(Refused):
    """The log says no."""

    slug = "log/refused"


class Stale(LogRefused):
    """Somebody else wrote first.

    Attributes:
        actual: The number of the last entry that is really there.
    """

    slug = "log/stale"

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(
            f"the log has {actual} entries, not {expected}: somebody else wrote first",
            where="expected",
            accepts=str(actual),
        )
        self.expected = expected
        self.actual = actual


class KeyReused(LogRefused):
    """The same idempotency key for another request."""

    slug = "log/key-reused"


class Unreadable(LogRefused):
    """A line that is no entry of any known shape."""

    slug = "log/unreadable"


class Newer(LogRefused):
    """Written by a newer Affray; it is not reinterpreted."""

    slug = "log/newer"


class Broken(LogRefused):
    """The hash chain does not hold.

    Attributes:
        seq: The first entry at which it does not.
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
    """A tombstone is missing, altered or out of its place; `where` has its number."""

    slug = "tombstone/broken"


class HeadsBroken(LogRefused):
    """The heads file is not what was written."""

    slug = "heads/broken"


class Inconsistent(LogRefused):
    """The record is whole, and none that today's rules could have made: they cannot read what follows."""

    slug = "log/inconsistent"


class NoSuchSession(LogRefused):
    """No session of that id."""

    slug = "session/unknown"


class SessionDeleted(NoSuchSession):
    """The session was deleted for good; its id is never used again."""

    slug = "session/deleted"


class SessionExists(LogRefused):
    """A session of that id is already there."""

    slug = "session/exists"


class NoSuchEntry(LogRefused):
    """No entry of that number."""

    slug = "entry/unknown"


class StoreRefused(Refused):
    """The place where the log is kept says no."""

    slug = "store/refused"


class UnknownStore(StoreRefused):
    """No store is known for that address."""

    slug = "store/unknown"


class ForeignFile(StoreRefused):
    """The file belongs to some other program."""

    slug = "store/foreign"


class Damaged(StoreRefused):
    """The file, or an entry in it, is cut short, overwritten or out of its place."""

    slug = "store/damaged"

    @classmethod
    def at(cls, seq: int, problem: str) -> "Damaged":
        """Returns the refusal of a stored entry.

        Args:
            seq: The number under which it is stored.
            problem: What is wrong with it, such as ``stands on nothing that is before it``.
        """
        return cls(f"entry {seq} {problem}: run affray verify", where=f"entry {seq}", accepts="affray verify")


class ReadOnly(StoreRefused):
    """The file or its folder cannot be written."""

    slug = "store/read-only"


class Full(StoreRefused):
    """No room is left on the disk."""

    slug = "store/full"


class Oversized(StoreRefused):
    """An id, a key or a name is too long for the store, though not for others."""

    slug = "store/oversized"


class Busy(StoreRefused):
    """Another process has held the ledger for too long."""

    slug = "store/busy"


class Sealed(StoreRefused):
    """Something is sealed under that name already."""

    slug = "store/sealed"


class NotMigrated(StoreRefused):
    """The database's tables are not there, or older than this Affray."""

    slug = "store/not-migrated"


class Unsure(StoreRefused):
    """The connection, or the file, was lost while writing: the one refusal after which it may have been written."""

    slug = "store/unsure"


class NoFile(StoreRefused):
    """The ledger is not a file, which is what was asked for."""

    slug = "store/no-file"


class AlreadyThere(StoreRefused):
    """A file of that name is there, and nothing is overwritten."""

    slug = "store/exists"


class Unusable(StoreRefused):
    """The file cannot be opened or used for another reason."""

    slug = "store/unusable"


class Gone(Unusable):
    """The ledger's file, or one beside it, is gone, or another one lies in its place."""


class BadSource(Refused):
    """Not a citation of a declared book."""

    slug = "source/malformed"
