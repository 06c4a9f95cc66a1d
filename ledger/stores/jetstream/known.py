"""What a process knows of the sessions it uses, so that most requests need no question before them."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import NamedTuple

import msgspec

from ledger.stores.jetstream.messages import Created
from ledger.stores.jetstream.servers.failing import FailingTime
from ledger.stores.store import Batch, Head

SESSIONS = 20_000
"""The maximum number of sessions of which something is kept; those that were used least recently are forgotten."""
_MARKS = 512
"""The maximum number of places that are kept for each session."""
_FAR = 2**64
"""More messages than a stream has."""


class Marks:
    """Some places of a log in its stream, evenly distributed: the first entry of a message, and the message's number.

    Threads may share it.
    """

    def __init__(self) -> None:
        self._places: list[tuple[int, int]] = []
        self._lock = Lock()
        self._step = 8
        """The least number of entries between two places."""

    def add(self, entry: int, place: int) -> None:
        """Remembers a place, unless one near it is known."""
        with self._lock:
            index = bisect_right(self._places, (entry, _FAR))
            near = self._places[max(0, index - 1) : index + 1]
            if any(abs(entry - other) < self._step for other, _ in near):
                return
            self._places.insert(index, (entry, place))
            if len(self._places) > _MARKS:
                del self._places[1::2]
                self._step *= 2

    def before(self, entry: int) -> tuple[int, int]:
        """Returns the last known place at or before an entry; (0, 0) if there is none."""
        with self._lock:
            index = bisect_right(self._places, (entry, _FAR))
            return self._places[index - 1] if index else (0, 0)


class Tip(msgspec.Struct, frozen=True, gc=False):
    """The end of a log."""

    head: Head
    """The last entry."""
    place: int
    """The number in the stream of the message with it; 0 for an empty log."""
    keyed: int
    """How many appends to the log have had an idempotency key."""

    def may_become(self, later: "Tip") -> bool:
        """Returns whether a log that had this end may have another one now."""
        if later.place == self.place:
            return later.head == self.head
        return later.place > self.place and later.head.seq > self.head.seq


class SessionMessage(NamedTuple):
    """The message that a session exists."""

    created: Created
    seq: int
    """Its number in the stream."""


class KnownSession(msgspec.Struct):
    """What is known of a session. It may be out of date: the server checks what each write assumes."""

    message: SessionMessage
    keys: Mapping[str, Batch] = {}
    """The idempotency keys with which the session was created."""
    sealed: Mapping[str, bytes] = {}
    """The secrets that were sealed when the session was created."""
    sealed_later: tuple[int, frozenset[str]] = (0, frozenset())
    """The number in the stream of a message of the session, and the names of the secrets sealed between its creation
    and then."""
    tip: Tip | None = None
    """The last known end of the log."""
    are_keys_doubtful: bool = False
    """Whether fewer idempotency keys were counted than the log names; another writer may have been in between."""
    losing: FailingTime = msgspec.field(default_factory=FailingTime)
    """For how long other writers were first at each append of this process."""
    marks: Marks = msgspec.field(default_factory=Marks)
    """Places from which on the log can be read."""

    def learn(self, tip: Tip) -> Tip:
        """Remembers the end of the log, unless a later one is known; returns it."""
        if self.tip is None or tip.place >= self.tip.place:
            self.tip = tip
        return tip


class KnownSessions:
    """What is known of each session, by its id. Threads may share it."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, KnownSession] = OrderedDict()
        self._lock = Lock()

    def get(self, session: str) -> KnownSession | None:
        """Returns what is known of a session; None if that is nothing."""
        with self._lock:
            if session in self._known:
                self._known.move_to_end(session)
            return self._known.get(session)

    def put(self, session: str, known: KnownSession) -> KnownSession:
        """Remembers a session; returns what is known of it."""
        with self._lock:
            self._known[session] = known
            if len(self._known) > SESSIONS:
                self._known.popitem(last=False)
        return known

    def forget(self, session: str) -> None:
        """Forgets a session."""
        with self._lock:
            self._known.pop(session, None)
