"""A minimal log for tests of undo and of deferred answers, with entries that a test writes."""

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import cast

from ledger.codec import SHAPE
from ledger.commands import Command, OpenSession
from ledger.entry import Entry, Seat, StoredRequest, Who
from ledger.errors import NoSuchEntry
from ledger.events import Event
from projections.combat import Combat
from projections.history.timeline import Timeline
from replays.sessions.log import Log

GM = Who("gm", Seat.GM)
NOW = (1, 2)


def at(moment: tuple[int, int] = NOW, *, is_open: bool = False) -> Combat:
    """Returns a state in a round, with or without an open rest."""
    clock = SimpleNamespace(combat=moment[0], round=moment[1])
    return cast(Combat, SimpleNamespace(rests=("a roll",) * is_open, clock=clock))


class WrittenLog:
    """A log that begins with the opening of a session. By default an entry stands on the one before it.

    By default a rest is open after an entry that is performed again, and after no other.
    """

    original = Log.original

    def __init__(self) -> None:
        self.timeline, self.corrections, self.waits = Timeline(), list[int](), dict[int, object]()
        self.settled = 0
        self._originals: dict[int, int] = {}
        self.disclosures = SimpleNamespace(entry=lambda entry: entry)
        self._entries, self._states = list[Entry](), dict[int, Combat]()
        self.add(OpenSession("t", "tiny"))

    def add(
        self,
        command: Command,
        *events: Event,
        after: int | None = None,
        origin: int | None = None,
        state: Combat | None = None,
        request: StoredRequest | None = None,
    ) -> int:
        """Appends an entry; one with the entry that it stands on is a correction."""
        on = self.timeline.head if after is None else after
        seq = len(self._entries) + 1
        entry = Entry(SHAPE, seq, on, "", GM, 1, origin, command, events, request)
        self.timeline.add(entry)
        self._entries.append(entry)
        self._states[seq] = state or at(is_open=origin is not None)
        if after is not None and not self.timeline.replaces_draft(entry):
            self.corrections.append(seq)
        elif after is not None and self.corrections[-1:] == [seq - 1]:
            self.corrections[-1] = seq
        return seq

    @property
    def log(self) -> Log:
        """Returns itself, typed as a log."""
        return cast(Log, self)

    @property
    def head(self) -> int:
        return self.timeline.head

    def check(self, seq: int) -> None:
        if not 1 <= seq <= len(self._entries):
            raise NoSuchEntry(f"there is no entry {seq}", where="entry", accepts=f"1 to {len(self._entries)}")

    def entry(self, seq: int) -> Entry:
        self.check(seq)
        return self._entries[seq - 1]

    def entries_of(self, seqs: Iterable[int]) -> list[Entry]:
        return [self.entry(seq) for seq in seqs]

    def newest_first(self) -> Iterator[Entry]:
        return map(self.entry, reversed(self.timeline.line()))

    def state(self, seq: int) -> Combat:
        return self._states[seq]
