"""Those who listen to a session: each is given what is written, request by request."""

import logging
from collections import deque
from collections.abc import Callable, Sequence

from ledger.entry import Entry

Listener = Callable[[Sequence[Entry]], object]
"""Is given the entries that were appended for one request."""

_log = logging.getLogger(__name__)


class Listeners:
    """Who listens to one session.

    A listener that raises stops nothing: the entries are written, and its exception goes to the log of the program. A
    listener may ask for something itself; what comes of that is told after what is being told.
    """

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._waiting = deque[Sequence[Entry]]()
        self._is_telling = False

    def add(self, listener: Listener) -> Callable[[], None]:
        """Adds a listener, and returns what takes it out again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, entries: Sequence[Entry]) -> None:
        """Gives entries to all who listen, in the order in which they were appended."""
        self._waiting.append(entries)
        if self._is_telling:
            return
        self._is_telling = True
        try:
            while self._waiting:
                self._tell_all(self._waiting.popleft())
        finally:
            self._is_telling = False

    def _tell_all(self, entries: Sequence[Entry]) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(entries)
            except Exception:
                _log.exception("a listener failed on entries %s to %s", entries[0].seq, entries[-1].seq)
