"""The heads file: appended to by several processes, brought to the disk once a second, compacted, written anew.

Each write begins with a line end, so that a line which was torn by a crash stays alone. A process appends under a
shared lock; compacting the file, or writing it anew, takes the whole lock and puts another file in its place, which the
others notice by its identity. On Windows, which has no such locks, the file is never compacted.

A line waits for the disk a second at most and holds up no commit: a timer does it, so that it is done where nothing
more is written, too. What waits because another process compacts the file is appended by the same timer.
"""

import logging
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Lock, Timer

from ledger.entry import Who
from ledger.errors import Busy, Cut, ForeignFile, Refused, Unusable
from ledger.stores.heads.check import Ends, Report, compacted, examine, judge, latest
from ledger.stores.heads.line import BEGINNING, FORMAT, Begun, Line, Mark, Noted, Signer, mark, now, read, write
from ledger.stores.turns import identity, is_locked, patiently, unlock

SYNC = 1.0
"""Seconds that a line waits for the disk at most, but for how long the disk itself takes."""
SMALL = 65_536
"""Bytes of a file that is not worth compacting."""
GROWTH = 4
"""The file is compacted when it is so many times longer than after the last time."""

_LOG = logging.getLogger(__name__)


class _Open:
    """What is open, and what waits; apart, so that it can be brought to the disk when nothing else is left."""

    def __init__(self) -> None:
        self.file = -1
        self.identity: tuple[int, int] | None = None
        self.waiting: list[bytes] = []
        self.is_dirty = False

    def release(self) -> None:
        """Brings what was written to the disk and lets go of the file."""
        file, self.file = self.file, -1
        if file >= 0:
            with suppress(OSError):
                if self.is_dirty:
                    os.fsync(file)
            self.is_dirty = False
            os.close(file)


class HeadsFile:
    """A ledger's heads file. Threads may share it.

    The file is made by the first commit after which there is none, with the heads of all sessions that the ledger holds
    by then. What goes wrong with it afterwards is no reason to refuse a commit that has been made: it is logged.

    Args:
        path: The file.
        ledger: The ledger's file: the heads file gets its permissions.
        ends: The ledger.
        signer: Signs the lines; None where no key is known.

    Raises:
        Unusable: Its folder is not there.
        ForeignFile: Another program's file is there.
        OSError: It cannot be read or written.
    """

    def __init__(self, path: str, ledger: str, ends: Ends, signer: Signer | None = None) -> None:
        self.path = path
        self._ledger = ledger
        self._ends = ends
        self._signer = signer
        self._open = _Open()
        self._release = weakref.finalize(self, _Open.release, self._open)
        self._mutex = Lock()
        self._timer: Timer | None = None
        self._is_closed = False
        self._compact_at = SMALL
        self._has_failed = False
        self._latest: dict[str, Mark] | None = None
        if not os.path.isdir(os.path.dirname(path)):
            raise Unusable(f"there is no folder {os.path.dirname(path)}", where=path)
        with suppress(FileNotFoundError):
            self._reopen()

    # -------------------------------------------------------------------------------------------- writing

    def add(self, noted: Iterable[Noted]) -> None:
        """Appends what a transaction has made of its sessions, once it is committed; it raises nothing."""
        at = now()
        lines = [write(mark(each, at), self._signer) for each in {each.session: each for each in noted}.values()]
        if lines:
            with self._mutex:
                self._open.waiting += lines
                self._append()
                self._wake()

    def close(self) -> None:
        """Appends what waits, brings it to the disk, and lets go of the file."""
        with self._mutex:
            timer, self._timer, self._is_closed = self._timer, None, True
        if timer is not None:
            timer.cancel()
            timer.join()
        with self._mutex:
            if self._open.waiting:
                self._append(patience=SYNC)
            if self._open.file >= 0:
                self._compact_if_long(self._open.file)
            self._release()

    def _wake(self) -> None:
        if self._timer is None and not self._is_closed:
            timer = Timer(SYNC, self._tick)
            timer.daemon = True
            with suppress(RuntimeError):  # the interpreter ends: the file is brought to the disk when it is let go of
                timer.start()
                self._timer = timer

    def _tick(self) -> None:
        """Appends what waits, brings what was appended to the disk, and sees that the file does not grow for ever."""
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

    def _append(self, patience: float = 0.0) -> None:
        """Writes what waits, unless another process has the file for itself for longer than `patience` seconds."""
        try:
            size = self._enter(patience)
            if size is not None:
                try:
                    self._write(is_empty=size == 0)
                finally:
                    unlock(self._open.file)
            self._has_failed = False
        except (OSError, Refused) as error:
            self._failed(error)

    def _enter(self, patience: float) -> int | None:
        """Opens the file that is there now, making it where there is none, and takes a share of its lock.

        Returns:
            Its size; None where another process has it for itself.
        """
        while True:
            if self._open.file >= 0:
                if not is_locked(self._open.file, alone=False, patience=patience):
                    return None
                with suppress(FileNotFoundError):
                    status = os.stat(self.path)
                    if (status.st_dev, status.st_ino) == self._open.identity:
                        return status.st_size
                unlock(self._open.file)
            with suppress(FileExistsError):
                self._make()
            self._reopen()

    def _write(self, *, is_empty: bool) -> None:
        # Two processes may both find it empty: then both say what the ledger holds.
        fresh = self._fresh(Begun(FORMAT, now())) if is_empty else []
        data = b"".join(b"\n" + line for line in (*fresh, *self._open.waiting))
        self._open.is_dirty = True
        if os.write(self._open.file, data) != len(data):
            raise OSError("it was written in part only")
        self._open.waiting.clear()

    def _failed(self, error: Exception) -> None:
        """Says so once, until it works again."""
        if not self._has_failed:
            _LOG.warning("the heads file %s cannot be written: %s", self.path, error)
        self._has_failed = True

    # -------------------------------------------------------------------------------------------- opening, making

    def _reopen(self) -> None:
        file = os.open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            with open(self.path, "rb") as opened:
                beginning = opened.read(4096).lstrip(b"\0\n")
            if beginning and not beginning.startswith(BEGINNING):
                raise ForeignFile(f"{self.path} is no heads file", where=self.path, accepts="another place for it")
        except BaseException:
            os.close(file)
            raise
        status = os.fstat(file)
        self._open.release()
        self._open.file, self._open.identity = file, (status.st_dev, status.st_ino)

    def _make(self) -> None:
        """Makes an empty file; the first write into it says more.

        Raises:
            FileExistsError: It is there.
        """
        os.close(_created(self.path, os.O_EXCL, self._ledger))
        _sync_folder(self.path)

    def _fresh(self, begun: Begun) -> list[bytes]:
        marks: list[Begun | Mark] = [begun, *(mark(each, begun.at) for each in self._ends.all())]
        return [write(each, self._signer) for each in marks]

    def _replace(self, lines: Callable[[], Sequence[bytes]]) -> bool:
        """Puts a file with other lines in its place, if no other process writes just now.

        Args:
            lines: Returns them; called when nothing is appended any more.

        Returns:
            Whether it was done.
        """
        file = os.open(self.path, os.O_RDWR)
        part = f"{self.path}.part"
        try:
            status = os.fstat(file)
            if not is_locked(file, alone=True) or identity(self.path) != (status.st_dev, status.st_ino):
                return False
            with open(_created(part, os.O_TRUNC, self._ledger), "wb") as opened:
                opened.write(b"".join(b"\n" + line for line in lines()))
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(part, self.path)
            _sync_folder(self.path)
        finally:
            os.close(file)
        return True

    def _compact_if_long(self, file: int) -> None:
        """Leaves out what is no longer needed, where the file has grown; see `compacted`."""

        def needed() -> list[bytes]:
            return [line.raw for line in compacted(self.lines(), self._ends, self._signer)]

        if sys.platform == "win32" or os.fstat(file).st_size <= self._compact_at:
            return
        try:
            if self._replace(needed):
                self._compact_at = max(SMALL, GROWTH * os.stat(self.path).st_size)
        except (OSError, Refused) as error:
            self._failed(error)

    # -------------------------------------------------------------------------------------------- reading

    def lines(self) -> list[Line]:
        """Returns what stands in the file; nothing where there is none."""
        try:
            with open(self.path, "rb") as opened:
                return list(read(opened.read()))
        except FileNotFoundError:
            return []

    def check(self, session: str) -> None:
        """Compares the last known head of a session with the ledger: what it costs to open one.

        Raises:
            Cut: Entries are missing, or others stand in their place.
        """
        if self._latest is None:
            self._latest = latest(self.lines(), self._signer)
        if self._cut(self._latest, session) is not None:
            self._latest = latest(self.lines(), self._signer)  # another process may have written the file anew
            cut = self._cut(self._latest, session)
            if cut is not None:
                cut.accepts = (
                    f"a backup of the ledger, or `affray heads --renew` to go on with what is left ({self.path})"
                )
                raise cut

    def _cut(self, known: Mapping[str, Mark], session: str) -> Cut | None:
        return judge(known[session], self._ends) if session in known else None

    def examine(self, session: str | None = None) -> Report | None:
        """Compares the file with the ledger.

        Args:
            session: The only one whose heads are compared; None compares all.

        Returns:
            What was found; None where there is no file.
        """
        if identity(self.path) is None:
            return None
        return examine(self.path, self.lines(), self._ends, self._signer, session)

    def renew(self, by: Who | None = None, why: str = "", *, patience: float = 30.0) -> None:
        """Writes the file anew from what the ledger holds, which is taken for right: what was missing is forgotten.

        For what changes a ledger otherwise than by writing into it: a backup that was put back, a loss that is
        accepted, lines that are to be signed from now on.

        Args:
            by: Who says so.
            why: The reason; it stands in the first line.
            patience: Seconds to wait for other processes.

        Raises:
            Busy: Another process has held the file for longer.
            OSError: It cannot be written; nothing was changed.
        """

        def fresh() -> list[bytes]:
            return self._fresh(Begun(FORMAT, now(), by, why))

        with self._mutex:
            with suppress(FileExistsError):
                self._make()
            self._open.release()
            if not patiently(lambda: self._replace(fresh), time.monotonic() + patience):
                raise Busy(f"another process has held {self.path} for {patience:g} s", where=self.path)
            self._open.waiting.clear()
            self._latest = None


def _created(path: str, how: int, like: str) -> int:
    """Returns a new file, open for writing, with the permissions of another."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    if sys.platform != "win32":
        os.fchmod(file, os.stat(like).st_mode & 0o666)
    return file


def _sync_folder(path: str) -> None:
    """Brings to the disk which file has that name, where the system knows how."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
