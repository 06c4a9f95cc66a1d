"""Notifies listeners of a session's new entries, request by request."""

import logging
from collections import deque
from collections.abc import Callable, Sequence

from ledger.entry import Entry

Listener = Callable[[Sequence[Entry]], object]
"""Called with the entries that were appended for one request."""

_log = logging.getLogger(__name__)


class Listeners:
    """The listeners of one session.

    A listener that raises stops nothing: the entries are written, and its exception is logged. A listener may make
    requests itself; their entries are delivered after the present ones.
    """

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._waiting = deque[Sequence[Entry]]()
        self._is_notifying = False

    def add(self, listener: Listener) -> Callable[[], None]:
        """Adds a listener, and returns a function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self, entries: Sequence[Entry]) -> None:
        """Delivers entries to all listeners, in the order in which they were appended."""
        self._waiting.append(entries)
        if self._is_notifying:
            return
        self._is_notifying = True
        try:
            while self._waiting:
                self._notify_all(self._waiting.popleft())
        finally:
            self._is_notifying = False

    def _notify_all(self, entries: Sequence[Entry]) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(entries)
            except Exception:
                _log.exception("a listener failed on entries %s to %s", entries[0].seq, entries[-1].seq)
