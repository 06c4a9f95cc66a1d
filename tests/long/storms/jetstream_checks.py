"""What is checked while servers of NATS are away: new processes open the ledger or are refused, servers read and refuse."""

from collections.abc import Callable, Sequence
from functools import partial
from subprocess import TimeoutExpired
from threading import Lock

from long.part import Failed
from long.storms.linear import Done, ReadEntries
from nats_opening import Deed, Opening, open_in_new_process
from server.faults_away import WatchedSession, at_once, check_accepts_again, check_only_reads
from server.processes import Served

from ledger.stores.store import PATIENCE

OPENED = 40.0
"""Seconds within which a new process has opened the ledger, read and written, while one of three servers is away."""
OPENED_BESIDE_A_CUT = 60.0
"""The same, while one is cut off from the others: a process may connect to that one, which answers nothing."""
_ATTEMPT = PATIENCE
"""The patience of a new process in seconds: that of every call of `affray`."""
_PATIENCE = 3.0
_REFUSED = 12.0
"""Seconds within which a new process with that patience is refused while two are away."""
_BACK = 60.0
_ELECTING = "store/busy"
"""The refusal of a new process for which no leader answers; it tries again, and this is counted."""
_REFUSALS = frozenset({"store/busy", "store/unusable", "store/unsure"})
_FIRST = 1000
"""The number of the first new process in the history of clients."""


class FaultChecks:
    """Checks of servers of Affray and of new processes, for the times of faults.

    Args:
        url: The ledger.
        session: The session into which new processes write, beside the clients.
        servers: The servers of Affray, which have the same keys.
        note: Adds what a new process has done to the history of clients.
    """

    def __init__(
        self, url: str, session: str, servers: Sequence[Served], note: Callable[[Sequence[Done]], None]
    ) -> None:
        self.opened: list[float] = []
        """How many seconds each new process took to open the ledger, read and write, with all attempts."""
        self.electing = 0
        """How many attempts were refused before that, because no leader answered."""
        self.refused: list[float] = []
        """How many seconds it took until each was refused."""
        self.returned: list[float] = []
        """How many seconds it took after each return of two servers until `/ready` of each server reported it."""
        self._url, self._session, self._servers, self._note = url, session, servers, note
        self._watched = [WatchedSession(server) for server in servers]
        self._lock = Lock()
        self._away = ""
        """The idempotency key of the commands that were refused, until they are accepted."""

    def while_one_is_away(self, within: float = OPENED) -> None:
        """Checks that a new process opens the ledger, reads and writes.

        Args:
            within: The seconds that this may take, with all attempts.

        Raises:
            Failed: It does not.
        """
        number, seconds = _FIRST + len(self.opened), 0.0
        while True:
            opening = _opened(self._url, self._session, f"opened, {number}", _ATTEMPT)
            seconds += opening.seconds
            if seconds > within or opening.refused not in ("", _ELECTING):
                refused = opening.refused and f", refused: {opening.refused}: {opening.message}"
                raise Failed(f"one server is away, and opening the ledger took {seconds:.1f} s{refused}")
            if not opening.refused:
                break
            self.electing += 1
        self._note([_done(number, deed, is_append=index == 1) for index, deed in enumerate(opening.deeds)])
        self.opened.append(seconds)

    def while_two_are_away(self) -> None:
        """Checks that servers read and refuse commands with a reason, and that a new process is refused.

        Raises:
            Failed: It is otherwise.
        """
        self._away = f"away, {len(self.refused)}"
        at_once(self._check_refused, *(partial(self._check_server, server) for server in self._servers))

    def after_return(self) -> None:
        """Checks that what was refused is accepted, and that all servers read it.

        Raises:
            Failed: It is otherwise.
        """
        if not self._away:
            return
        key, self._away = self._away, ""
        try:
            for server, session in zip(self._servers, self._watched, strict=True):
                self.returned.append(check_accepts_again(server, [session], key, _BACK))
            for server in self._servers:
                for session in self._watched:
                    assert session.read(server) == session.content, "two servers read different logs"
        except AssertionError as error:
            raise Failed(f"after the return of two servers: {error}") from error

    def described(self) -> str:
        """Returns one line of what was checked."""
        return (
            f"{len(self.opened)} new processes opened the ledger with one server away (at most {_most(self.opened)}, "
            f"{self.electing} attempts refused as busy before that), "
            f"{len(self.refused)} were refused with two away (at most {_most(self.refused)}); both servers read and "
            f"refused commands then, and reported after {_most(self.returned)} at most that all servers are there"
        )

    def _check_server(self, server: Served) -> None:
        try:
            check_only_reads(server, self._watched, self._away)
        except AssertionError as error:
            raise Failed(f"while two servers are away: {error}") from error

    def _check_refused(self) -> None:
        opening = _opened(self._url, self._session, "refused", _PATIENCE)
        if opening.refused not in _REFUSALS or not opening.message or opening.seconds > _REFUSED:
            raise Failed(f"two servers are away, and opening the ledger led to {opening} after {opening.seconds:.1f} s")
        with self._lock:
            self.refused.append(opening.seconds)


def _opened(url: str, session: str, key: str, *patience: float) -> Opening:
    try:
        return open_in_new_process(url, session, key, *patience)
    except (AssertionError, TimeoutExpired) as error:
        raise Failed(f"a new process has failed to open the ledger: {error}") from error


def _done(client: int, deed: Deed, *, is_append: bool) -> Done:
    read = None if is_append else ReadEntries(deed.after, deed.count, deed.content)
    last = deed.after + deed.count
    return Done(client, is_append, deed.began, deed.ended, last, bytes.fromhex(deed.digest), read)


def _most(seconds: Sequence[float]) -> str:
    return f"{max([0.0, *seconds]):.1f} s"
