"""The heads file: appends from several processes, syncs once a second, compacts and renews the file.

Each write begins with a line end, so that a line which was cut off by a crash does not merge with the next. Appending
takes no lock. To create, compact or renew the file, a process replaces it by another one: see `replacing`. A line may
therefore occur twice, which is harmless. On Windows, where an open file cannot be replaced, the file only grows.

A timer syncs a line within a second, also if nothing more is written, so no commit waits for it. Only the commit that
creates the file waits until it is written.
"""

import os
import stat
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock, Timer

from ledger.entry import Who
from ledger.errors import Busy, Cut, ForeignFile, Refused, Unusable
from ledger.stores.fair_lock import patiently
from ledger.stores.heads.check import HeadsReport, StoredHeads, compacted, emptied, examine, judge, latest
from ledger.stores.heads.line import (
    FORMAT,
    FirstLine,
    HeadsLine,
    LineSigner,
    Mark,
    NewHead,
    is_unbegun,
    mark,
    now,
    read,
    write,
)
from ledger.stores.heads.replacing import Lines, put_new, replace, write_whole
from ledger.stores.opened_files import OpenedFiles, identity
from ledger.stores.sqlite.errors import SqliteErrors
from ledger.stores.warning import warn

SYNC = 1.0
"""Seconds until an appended line is synced."""
SMALL = 65_536
"""Size in bytes up to which the file is not compacted."""
BEGINNING = 10.0
"""Seconds to wait for another process that is creating the file."""
GROWTH = 4
"""The growth since the last compaction, as a factor, at which the file is compacted."""


class _Open:
    """The open file and the pending lines; a separate object, so that a finalizer can sync it."""

    def __init__(self) -> None:
        self.file = -1
        self.opened = OpenedFiles({"": None})
        self.waiting: dict[str, bytes] = {}
        """The line to append for each session, the latest only."""
        self.is_begun = False
        """Whether the file has its first line."""
        self.is_dirty = False

    def release(self) -> None:
        """Syncs and closes the file."""
        file, self.file = self.file, -1
        if file >= 0:
            with suppress(OSError):
                if self.is_dirty:
                    os.fsync(file)
            self.is_dirty = False
            os.close(file)


class HeadsFile:
    """The heads file of a ledger. Threads may share it.

    If the file is missing, the next commit creates it with the heads of all sessions in the ledger. An error of the
    file after a commit is logged, because the commit has been made.

    Args:
        path: The path of the heads file.
        ledger: The path of the ledger, whose permissions the heads file gets.
        stored: The queries to the ledger.
        signer: Signs the lines; None if no key is known.
        only_read: Whether the ledger is opened read-only; then the heads file is not written either.

    Raises:
            Unusable: The folder does not exist.
            ForeignFile: The file belongs to another program.
            ReadOnly: The file may not be read or written; other errors of the file system raise other `StoreRefused`.
    """

    def __init__(
        self, path: str, ledger: str, stored: StoredHeads, signer: LineSigner | None = None, *, only_read: bool = False
    ) -> None:
        self.path = path
        self._errors = SqliteErrors(path)
        self._ledger = ledger
        self._stored = stored
        self._signer = signer
        self._open = _Open()
        self._release = weakref.finalize(self, _Open.release, self._open)
        self._mutex = Lock()
        self._timer: Timer | None = None
        self._is_closed = False
        self._compact_at = SMALL
        self._has_failed = False
        self._latest: dict[str, Mark] | None = None
        self._was_empty = False
        if not os.path.isdir(os.path.dirname(path)):
            raise Unusable(f"there is no folder {os.path.dirname(path)}", where=path)
        if not only_read:
            with self._errors, suppress(FileNotFoundError):
                self._reopen()
                self._was_empty = self._is_empty()

    # -------------------------------------------------------------------------------------------- writing

    def add(self, noted: Sequence[NewHead]) -> None:
        """Appends the new heads of a committed transaction. It raises nothing."""
        if noted:
            at = now()
            with self._mutex:
                for each in noted:
                    self._open.waiting[each.session] = write(mark(each, at), self._signer)
                self._append()
                if self._timer is None:
                    self._wake()

    def check_begun(self) -> None:
        """Refuses to write into a ledger whose heads file was empty when it was opened.

        Raises:
            HeadsBroken: The file is still empty.
        """
        if self._was_empty and self._is_empty():
            raise emptied(self.path)
        self._was_empty = False

    def close(self) -> None:
        """Appends the pending lines, syncs and closes the file."""
        with self._mutex:
            timer, self._timer, self._is_closed = self._timer, None, True
        if timer is not None:
            timer.cancel()
            timer.join()
        with self._mutex:
            if self._open.waiting:
                self._append()
            if self._open.file >= 0:
                self._compact_if_long(self._open.file)
            self._release()

    def _wake(self) -> None:
        if not self._is_closed:
            timer = Timer(SYNC, self._tick)
            timer.daemon = True
            with suppress(RuntimeError):  # the interpreter is shutting down: the finalizer syncs the file
                timer.start()
                self._timer = timer

    def _tick(self) -> None:
        """Appends the pending lines, syncs the file, and compacts it if it has grown."""
        with self._mutex:
            self._timer = None
            if self._open.waiting:
                self._append()
                self._wake()
            if self._open.file < 0:
                return
            file, is_dirty, self._open.is_dirty = os.dup(self._open.file), self._open.is_dirty, False
        try:
            if is_dirty:
                os.fsync(file)
            self._compact_if_long(file)
        except OSError as error:
            self._failed(error)
        finally:
            os.close(file)

    def _append(self) -> None:
        """Writes the pending lines."""
        data = b"\n" + b"\n".join(self._open.waiting.values())
        try:
            while not self._try_append(data):
                self._open.is_dirty = False  # the open file was replaced or removed: syncing it is useless
                self._open.release()
            self._open.waiting.clear()
            self._has_failed = False
        except (OSError, Refused) as error:
            self._failed(error)

    def _try_append(self, data: bytes) -> bool:
        """Appends to the open file. Returns whether that file is still the one at the path."""
        if self._open.file < 0:
            self._make()
            self._reopen()
        if not self._open.is_begun:
            self._begin()
        self._write(data)
        if self._open.opened.lost() is not None:
            return False
        if os.lseek(self._open.file, 0, os.SEEK_END) <= len(data):  # another program emptied the file
            warn(__name__, "the heads file %s was emptied, and is written anew from the ledger", self.path)
            self._begin(why="it was emptied while the ledger was in use")
        return True

    def _begin(self, why: str = "") -> None:
        """Writes the heads of the ledger, atomically, before the lines that other processes have appended meanwhile."""

        def whole(before: bytes) -> list[bytes] | None:
            found = [] if is_unbegun(before) else list(read(before))
            if any(isinstance(line.content, FirstLine) for line in found):
                return None  # another process was faster
            return [*self._fresh(FirstLine(FORMAT, now(), why=why)), *(line.raw for line in found)]

        if sys.platform == "win32":
            self._write(b"".join(b"\n" + line for line in whole(b"") or ()))
            self._open.is_begun = True
        elif patiently(lambda: self._replace(whole), time.monotonic() + BEGINNING):
            self._open.is_dirty = False
            self._reopen()
        else:
            raise Busy(f"another process has held {self.path} for {BEGINNING:g} s", where=self.path)

    def _write(self, data: bytes) -> None:
        self._open.is_dirty = True
        write_whole(self._open.file, data)

    def _failed(self, error: Exception) -> None:
        """Logs an error once, until the next success."""
        if not self._has_failed:
            reason = error.strerror or error if isinstance(error, OSError) else error
            warn(__name__, "the heads file %s cannot be written: %s", self.path, reason)
        self._has_failed = True

    # -------------------------------------------------------------------------------------------- opening, making

    def _reopen(self) -> None:
        self._check_file()
        file = os.open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            with open(self.path, "rb") as opened:
                beginning = opened.read(SMALL)
            is_begun = not is_unbegun(beginning)
            if is_begun and not any(line.content for line in read(beginning)):
                raise ForeignFile(
                    f"{self.path} is not a heads file", where=self.path, accepts="another path for the heads file"
                )
        except BaseException:
            os.close(file)
            raise
        status = os.fstat(file)
        self._open.release()
        self._open.file, self._open.is_begun = file, is_begun
        self._open.opened = OpenedFiles({self.path: (status.st_dev, status.st_ino)})

    def _check_file(self) -> None:
        """Rejects a path that is not a regular file, such as a device that never stops sending data."""
        with self._errors, suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(self.path).st_mode):
                raise Unusable(f"{self.path} is not a file", where=self.path, accepts="a file for the heads")

    def _make(self) -> None:
        """Creates a missing file. Other processes never see it empty, unless the file system has no links."""
        if not os.path.lexists(self.path):
            put_new(self.path, self._ledger, self._fresh(FirstLine(FORMAT, now())))

    def _is_empty(self) -> bool:
        """Returns whether the file exists and is empty."""
        with self._errors, suppress(FileNotFoundError):
            return os.stat(self.path).st_size == 0
        return False

    def _fresh(self, begun: FirstLine) -> list[bytes]:
        marks: list[FirstLine | Mark] = [begun, *(mark(each, begun.at) for each in self._stored.all())]
        return [write(each, self._signer) for each in marks]

    def _replace(self, lines: Lines) -> bool:
        """Replaces the file by one with other lines. Returns whether that was done; see `replace`."""
        return replace(self.path, self._ledger, lines)

    def _compact_if_long(self, file: int) -> None:
        """Removes the lines that are no longer needed if the file has grown; see `compacted`."""

        def needed(before: bytes) -> list[bytes]:
            return [line.raw for line in compacted(list(read(before)), self._stored, self._signer)]

        if sys.platform == "win32" or os.fstat(file).st_size <= self._compact_at:
            return
        try:
            if self._replace(needed):
                self._compact_at = max(SMALL, GROWTH * os.stat(self.path).st_size)
        except (OSError, Refused) as error:
            self._failed(error)

    # -------------------------------------------------------------------------------------------- reading

    def lines(self) -> list[HeadsLine]:
        """Returns the lines of the file; empty if it is missing.

        Raises:
            ReadOnly: The file may not be read; other errors of the file system raise other `StoreRefused`.
        """
        self._check_file()
        with self._errors, suppress(FileNotFoundError), open(self.path, "rb") as opened:
            return list(read(opened.read()))
        return []

    def check(self, session: str) -> None:
        """Compares the last known head of a session with the ledger. This is done whenever a session is opened.

        Raises:
            Cut: Entries are missing or were replaced.
            ReadOnly: See `lines`.
        """
        if self._latest is None:
            self._latest = latest(self.lines(), self._signer)
        if self._cut(self._latest, session) is not None:
            self._latest = latest(self.lines(), self._signer)  # another process may have renewed the file
            cut = self._cut(self._latest, session)
            if cut is not None:
                cut.accepts = "a backup of the ledger; or `affray heads --renew`, to go on with what is left"
                raise cut

    def _cut(self, known: Mapping[str, Mark], session: str) -> Cut | None:
        return judge(known[session], self._stored) if session in known else None

    def examine(self, session: str | None = None) -> HeadsReport | None:
        """Compares the file with the ledger.

        Args:
            session: The only session whose heads are compared; None compares all.

        Returns:
                The report; None if there is no file.

        Raises:
            ReadOnly: See `lines`.
        """
        with self._errors:
            if identity(self.path) is None:
                return None
        return examine(self.path, self.lines(), self._stored, self._signer, session)

    def renew(self, by: Who | None = None, why: str = "", *, patience: float = 30.0) -> None:
        """Rewrites the file from the ledger, which is taken to be right: heads of lost entries are forgotten.

        Use it after restoring a backup, to accept a loss, or to sign the lines from now on.

        Args:
            by: The person who renews the file.
            why: The reason, which is stored in the first line.
            patience: Seconds to wait for other processes.

        Raises:
            Busy: Another process held the file for longer.
            ReadOnly: The file may not be written, and nothing was changed; or another `StoreRefused`.
        """

        def try_to() -> bool:
            return self._replace(lambda _: self._fresh(FirstLine(FORMAT, now(), by, why)))

        with self._errors, self._mutex:
            self._make()
            self._open.release()
            if not patiently(try_to, time.monotonic() + patience):
                raise Busy(f"another process has held {self.path} for {patience:g} s", where=self.path)
            self._open.waiting.clear()
            self._latest = None
