"""Threads that append to one session each, with a key for each entry."""

import threading
import time

from ledger_records import record_after

from ledger.stores import Head, Store


class Appenders:
    """Threads that append to one session each.

    Args:
        store: The store.
        sessions: How many there are.
    """

    def __init__(self, store: Store, sessions: int) -> None:
        self._store = store
        self._heads = {f"session-{sessions}-{number}": Head(0, b"") for number in range(sessions)}
        for session in self._heads:
            store.create(session)
            self._heads[session] = store.head(session)

    def appends(self, seconds: float) -> float:
        """Returns the appends a second of all threads together."""
        counts = dict.fromkeys(self._heads, 0)
        end = time.perf_counter() + seconds

        def go_on(session: str) -> None:
            head = self._heads[session]
            while time.perf_counter() < end:
                record = record_after(head)
                self._store.append(session, [record], expected=head.seq, key=f"key-{record.seq}")
                head = Head(record.seq, record.digest)
                counts[session] += 1
            self._heads[session] = head

        threads = [threading.Thread(target=go_on, args=(session,)) for session in self._heads]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts.values()) / seconds
