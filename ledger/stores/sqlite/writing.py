"""Runs transactions on an SQLite file one at a time in fair order, and groups writes of a thread into one commit."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, get_ident
from types import TracebackType

from ledger.errors import Busy, Gone, Unsure
from ledger.stores.fair_lock import FairLock, Turnstile, patiently
from ledger.stores.heads import NewHead
from ledger.stores.sqlite.errors import is_busy
from ledger.stores.sqlite.leftovers import Leftovers
from ledger.stores.sqlite.lost_files import Files

CLEARING = 1.0
"""Seconds for which a deletion, and closing, wait for readers of deleted data; also the time between two attempts."""


class _Block:
    """A block of `together`: groups the writes of one thread into one transaction."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.is_begun = False
        self.noted = 0
        """The number of recorded heads before the current part."""
        self.lost: Exception | None = None
        """The error because of which there is no transaction."""


class Writing:
    """A context manager that runs the block as one transaction, in fair order; an exception rolls it back.

    Args:
        connection: In autocommit mode and with a busy timeout of 0; used for no other writes.
        turnstile: The lock for which the writing processes wait.
        patience: Seconds to wait for the lock.
        path: The ledger's file.
        committed: Called after each commit with the new heads, in order of the commits; it raises nothing.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        turnstile: Turnstile,
        patience: float,
        path: str,
        committed: Callable[[Sequence[NewHead]], None],
    ) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._turnstile = turnstile
        self._patience = patience
        self._path = path
        self._files = Files(path)
        self._leftovers = Leftovers(path)
        self._clear_at = 0.0
        """The earliest time of the next attempt to remove the traces."""
        self._fair_lock = FairLock()
        self._block: _Block | None = None
        self._blocks = Lock()
        self._committed = committed
        self._noted: list[NewHead] = []
        """The new heads of the open transaction."""

    def __enter__(self) -> sqlite3.Cursor:
        block = self._own_block()
        if block is None:
            self._begin()
        else:
            self._begin_part(block)
        return self._cursor

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        block = self._own_block()
        if block is None:
            self._end(is_good=error is None)
        else:
            self._end_part(block, error)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Makes the transactions of this thread in the block parts of one transaction, which is committed at its end.

        Raises:
            sqlite3.Error: At the end: none of it was written.
            Unusable: At the end: none of it was written.
        """
        if self._own_block() is not None:  # the outer block commits
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

    def note(self, noted: NewHead) -> None:
        """Records a new head of the open transaction; dropped if the transaction is rolled back."""
        self._noted.append(noted)

    @property
    def inside(self) -> sqlite3.Cursor | None:
        """The cursor on which this thread reads its uncommitted writes of `together`; None if there are none."""
        block = self._own_block()
        return self._cursor if block is not None and block.is_begun and block.lost is None else None

    def check_there(self) -> None:
        """Refuses to write into a file that was removed or replaced, where the writes would be lost.

        Raises:
            Unusable: The ledger or a file beside it is not the one that was opened.
        """
        lost = self._files.lost()
        if lost is None:
            return
        if self._own_block() is None and self._fair_lock.acquire(
            0.0
        ):  # otherwise the current writer does it at its end
            try:
                self._files.save(self._cursor)
            finally:
                self._fair_lock.release()
        raise Gone(f"{lost} was removed or replaced", where=lost)

    def close(self) -> None:
        """Waits for the current writer, removes traces of deleted sessions, then closes the connection."""
        self._acquire_lock()
        try:
            if self._leftovers and not self._cleared(CLEARING):
                self._leftovers.warn("the last process that closes the ledger, or the next deletion, removes it")
            self._cursor.close()
            self._connection.close()
        finally:
            self._fair_lock.release()

    # -------------------------------------------------------------------------------------------- whole transactions

    def _begin(self) -> None:
        self._acquire_lock()
        try:
            if not self._in_turn(self._try_begin, self._patience):
                raise self._too_long()
        except BaseException:
            self._end(is_good=False)
            raise

    def _acquire_lock(self) -> None:
        if not self._fair_lock.acquire(self._patience):
            raise self._too_long()

    def _in_turn(self, attempt: Callable[[], bool], patience: float) -> bool:
        """Repeats an attempt that another process may block until it succeeds. Returns whether it did."""
        try:
            if self._turnstile.enter() and attempt():
                return True
            now = time.monotonic()
            # The turnstile only makes waiting fair: if another process holds it for too long, it is ignored.
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
                self._fair_lock.release()

    def _commit(self) -> None:
        """Commits, and checks before and after that the opened files are in place.

        Raises:
            Unusable: They are not; nothing was written.
            Unsure: They were lost during the commit, or could not be examined afterwards.
        """
        lost = self._files.lost()
        if lost is None:
            self._cursor.execute("COMMIT")
            lost = self._lost_since()
            if lost is None:
                return
            self._files.save(self._cursor)
            raise Unsure(f"{lost} was lost during the commit: whether it was written is not known", where=lost)
        self._cursor.execute("ROLLBACK")
        self._files.save(self._cursor)
        raise Gone(f"{lost} was removed or replaced", where=lost)

    def _lost_since(self) -> str | None:
        """Returns the file that was lost during the commit, if any."""
        try:
            return self._files.lost()
        except OSError as error:
            problem = f"{self._path} cannot be examined after the commit: {error.strerror}"
            raise Unsure(f"{problem}; whether it was written is not known", where=self._path) from error

    def _clear(self) -> None:
        """Removes the traces of deleted sessions; if that fails, a later write or closing tries again."""
        is_new = any(noted.deleted for noted in self._noted)
        if is_new:
            self._leftovers.add()
        elif not self._leftovers or time.monotonic() < self._clear_at:
            return
        if not self._cleared(CLEARING if is_new else 0.0):
            self._clear_at = time.monotonic() + CLEARING
            if is_new:
                self._leftovers.warn("another process uses the ledger; a later write tries again")

    def _cleared(self, patience: float) -> bool:
        """Tries to remove the traces of deleted sessions. Returns whether none remain. It raises nothing."""
        try:
            return self._in_turn(lambda: self._leftovers.clear(self._cursor), patience)
        except (sqlite3.Error, OSError):
            return False

    def _too_long(self) -> Busy:
        return Busy(f"another process has held {self._path} for {self._patience:g} s", where=self._path)

    # -------------------------------------------------------------------------------------------- parts of a block

    def _own_block(self) -> _Block | None:
        """Returns the block that this thread is in."""
        block = self._block
        return block if block is not None and block.thread == get_ident() else None

    def _begin_part(self, block: _Block) -> None:
        if block.lost is not None:
            raise self._too_long() if isinstance(block.lost, Busy) else block.lost  # a new exception for each caller
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
        if (
            isinstance(error, Exception) and not self._connection.in_transaction
        ):  # SQLite rolled back the whole transaction, as when the disk is full
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
