"""Transactions on an SQLite file, one at a time and in turn; and what a thread wants written together, in one."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, get_ident
from types import TracebackType

from ledger.errors import Busy, Gone, Unsure
from ledger.stores.heads import Noted
from ledger.stores.sqlite.beside import Files
from ledger.stores.sqlite.errors import is_busy
from ledger.stores.sqlite.leftovers import Leftovers
from ledger.stores.turns import Line, Turnstile, patiently

CLEARING = 1.0
"""Seconds for which a deletion, and the end, wait until nobody reads what was deleted; and between two tries."""


class _Block:
    """A thread that wants what it writes in one transaction."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.is_begun = False
        self.noted = 0
        """How much was noted before the part that was begun last."""
        self.lost: Exception | None = None
        """Why there is no transaction, or none any more."""


class Writing:
    """``with writing:`` — one transaction, when it is one's turn; rolled back if anything is raised in it.

    Args:
        connection: In autocommit mode and with a busy timeout of 0; nobody else may write on it.
        turnstile: Where the processes meet.
        patience: Seconds to wait for one's turn.
        path: The ledger's file.
        committed: Is told what was made of which sessions, after each commit and in their order; it raises nothing.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        turnstile: Turnstile,
        patience: float,
        path: str,
        committed: Callable[[Sequence[Noted]], None],
    ) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._turnstile = turnstile
        self._patience = patience
        self._path = path
        self._files = Files(path)
        self._leftovers = Leftovers(path)
        self._clear_at = 0.0
        """Not before then it is tried again to clear them away."""
        self._line = Line()
        self._block: _Block | None = None
        self._blocks = Lock()
        self._committed = committed
        self._noted: list[Noted] = []
        """What the transaction that is open has made of its sessions."""

    def __enter__(self) -> sqlite3.Cursor:
        block = self._mine()
        if block is None:
            self._begin()
        else:
            self._begin_part(block)
        return self._cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        block = self._mine()
        if block is None:
            self._end(is_good=error is None)
        else:
            self._end_part(block, error)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let the transactions of this thread be one until the block ends: each is a part of it.

        Raises:
            sqlite3.Error: At the end: nothing of it was written.
            Unusable: The same.
        """
        if self._mine() is not None:  # in a block already
            yield
            return
        if not self._blocks.acquire(timeout=self._patience):
            raise self._too_long()
        try:
            block = self._block = _Block()
            try:
                yield
            finally:
                self._block = None
                if block.is_begun:
                    self._end(is_good=block.lost is None)
            if block.is_begun and block.lost is not None:
                raise block.lost
        finally:
            self._blocks.release()

    def note(self, noted: Noted) -> None:
        """Say what the transaction that is open has made of a session; it is forgotten if that is rolled back."""
        self._noted.append(noted)

    @property
    def inside(self) -> sqlite3.Cursor | None:
        """Where this thread reads what it has written `together` so far; None where there is nothing yet."""
        block = self._mine()
        return self._cursor if block is not None and block.is_begun and block.lost is None else None

    def check_there(self) -> None:
        """Refuse to write into a file that has been removed or replaced: what is written there is lost.

        Raises:
            Unusable: The ledger or a file beside it is no longer the one that was opened.
        """
        lost = self._files.lost()
        if lost is None:
            return
        if self._mine() is None and self._line.acquire(0.0):  # else whoever writes does it at the end
            try:
                self._files.save(self._cursor)
            finally:
                self._line.release()
        raise Gone(f"{lost} is gone, or another file lies in its place", where=lost)

    def close(self) -> None:
        """Wait for who is writing, clear away what deletion has left, then let go of the connection."""
        self._wait_in_line()
        try:
            if self._leftovers and not self._cleared(CLEARING):
                self._leftovers.tell("it goes with the process that closes the ledger last, or the next deletion")
            self._cursor.close()
            self._connection.close()
        finally:
            self._line.release()

    # -------------------------------------------------------------------------------------------- a whole one

    def _begin(self) -> None:
        self._wait_in_line()
        try:
            if not self._in_turn(self._try_begin, self._patience):
                raise self._too_long()
        except BaseException:
            self._end(is_good=False)
            raise

    def _wait_in_line(self) -> None:
        if not self._line.acquire(self._patience):
            raise self._too_long()

    def _in_turn(self, attempt: Callable[[], bool], patience: float) -> bool:
        """Tries what other processes may be in the way of, until it works; returns whether it has."""
        try:
            if self._turnstile.enter() and attempt():
                return True
            now = time.monotonic()
            # The turnstile is a courtesy: if who stands in it does not move, it is passed by.
            patiently(self._turnstile.enter, now + patience / 2)
            return patiently(attempt, now + patience)
        finally:
            self._turnstile.leave()

    def _try_begin(self) -> bool:
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            return False
        return True

    def _end(self, *, is_good: bool) -> None:
        try:
            if is_good:
                self._commit()
                self._committed(self._noted)
                self._clear()
        finally:
            self._noted.clear()
            try:
                if self._connection.in_transaction:
                    self._cursor.execute("ROLLBACK")
            finally:
                self._line.release()

    def _commit(self) -> None:
        """Commit into the files that were opened, and see that they are there still.

        Raises:
            Unusable: They are not, and nothing was written.
            Unsure: They were lost while it was written, or nobody could look.
        """
        lost = self._files.lost()
        if lost is None:
            self._cursor.execute("COMMIT")
            lost = self._lost_since()
            if lost is None:
                return
            self._files.save(self._cursor)
            raise Unsure(f"{lost} was lost while it was written: whether it was written is not known", where=lost)
        self._cursor.execute("ROLLBACK")
        self._files.save(self._cursor)
        raise Gone(f"{lost} is gone, or another file lies in its place", where=lost)

    def _lost_since(self) -> str | None:
        """Returns the file that was lost while it was written."""
        try:
            return self._files.lost()
        except OSError as error:
            problem = f"whether {self._path} is still where it was written cannot be seen: {error.strerror}"
            raise Unsure(f"{problem}; whether it was written is not known", where=self._path) from error

    def _clear(self) -> None:
        """Clears away what deletion has left; what cannot be yet is with a later write, or at the end."""
        is_new = any(noted.deleted for noted in self._noted)
        if is_new:
            self._leftovers.add()
        elif not self._leftovers or time.monotonic() < self._clear_at:
            return
        if not self._cleared(CLEARING if is_new else 0.0):
            self._clear_at = time.monotonic() + CLEARING
            if is_new:
                self._leftovers.tell("another process has it in use; it is tried again")

    def _cleared(self, patience: float) -> bool:
        """Tries to clear away what deletion has left; returns whether it is. It raises nothing."""
        try:
            return self._in_turn(lambda: self._leftovers.clear(self._cursor), patience)
        except (sqlite3.Error, OSError):
            return False

    def _too_long(self) -> Busy:
        return Busy(f"another process has held {self._path} for {self._patience:g} s", where=self._path)

    # -------------------------------------------------------------------------------------------- a part of one

    def _mine(self) -> _Block | None:
        """The block that this thread is in."""
        block = self._block
        return block if block is not None and block.thread == get_ident() else None

    def _begin_part(self, block: _Block) -> None:
        if block.lost is not None:
            raise self._too_long() if isinstance(block.lost, Busy) else block.lost  # each their own
        try:
            if not block.is_begun:
                self._begin()
                block.is_begun = True
            self._cursor.execute("SAVEPOINT part")
            block.noted = len(self._noted)
        except Exception as error:
            block.lost = error
            raise

    def _end_part(self, block: _Block, error: BaseException | None) -> None:
        if isinstance(error, Exception) and not self._connection.in_transaction:  # the disk is full: all of it is gone
            block.lost = error
            return
        try:
            if error is not None:
                del self._noted[block.noted :]
                self._cursor.execute("ROLLBACK TO part")
            self._cursor.execute("RELEASE part")
        except sqlite3.Error as failed:
            block.lost = failed
            raise
