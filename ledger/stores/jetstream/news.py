"""News: the servers publish the subject of each message that they have stored, and every process may listen."""

import time
from threading import Condition, Lock

from nats.aio.msg import Msg

from ledger.errors import Unusable
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.names import LedgerNames, last_token, session_of

RECHECK = 10.0
"""Seconds after which any session may have been written to: what a server published while we reconnected is lost."""
_KINDS = ("log", "session")
"""Deleting a session and sealing a secret write the session's message."""


class News:
    """Collects the sessions that were written to, from the first call of `wait` on.

    Args:
        link: The connection.
        names: The names of the ledger's streams.
        name: The name of the ledger in messages.
    """

    def __init__(self, link: Link, names: LedgerNames, name: str) -> None:
        self._link = link
        self._names = names
        self._name = name
        self._heard: set[str] = set()
        self._arrived = Condition()
        self._is_listening = False
        self._is_closed = False
        self._recheck = 0.0
        self._waiting = Lock()
        link.on_reconnect(self._check_all)

    def wait(self, seconds: float) -> set[str] | None:
        """Waits for writes; as `Store.news`."""
        deadline = time.monotonic() + seconds
        with self._waiting:
            self._check_open()
            if not self._is_listening:
                self._listen()
            else:
                self._link.flush()  # otherwise the messages of one write might be reported one by one
            with self._arrived:
                self._arrived.wait_for(self._is_due, max(0.0, min(deadline, self._recheck) - time.monotonic()))
                self._check_open()
                heard, self._heard = self._heard, set()
                if time.monotonic() < self._recheck:
                    return heard
                self._recheck = time.monotonic() + RECHECK
                return None

    def close(self) -> None:
        """Ends the waiting."""
        with self._arrived:
            self._is_closed = True
            self._arrived.notify_all()

    def _listen(self) -> None:
        for kind in _KINDS:
            self._link.subscribe(f"{self._names.news}.{kind}.*.*", self._hear)
        self._is_listening = True

    def _hear(self, message: Msg) -> None:
        with self._arrived:
            self._heard.add(session_of(last_token(message.subject)))
            self._arrived.notify_all()

    def _check_all(self) -> None:
        with self._arrived:
            self._recheck = 0.0
            self._arrived.notify_all()

    def _is_due(self) -> bool:
        return bool(self._heard) or self._is_closed or time.monotonic() >= self._recheck

    def _check_open(self) -> None:
        if self._is_closed:
            raise Unusable(f"{self._name} cannot be used: it is closed", where=self._name)
