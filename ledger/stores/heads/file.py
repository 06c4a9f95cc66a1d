"""The heads file: appended to by several processes, brought to the disk once a second, compacted, written anew.

Each write begins with a line end, so that a line which was torn by a crash stays alone. Nobody who appends waits for a
lock. A process puts another file in the place of this one to begin it, to compact it or to write it anew: see
`replacing`. So a line may stand there twice, which does no harm. On Windows, where an open file cannot be replaced, it
only grows.

A line waits for the disk a second at most and holds up no commit: a timer does it, so that it is done where nothing
more is written, too. Only the first commit after which there is a file waits until that is begun.
"""

import logging
import os
import stat
import sys
import time
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from threading import Lock, Timer

from ledger.entry import Who
from ledger.errors import Busy, Cut, ForeignFile, Refused, Unusable
from ledger.stores.heads.check import Ends, Report, compacted, emptied, examine, judge, latest
from ledger.stores.heads.line import FORMAT, Begun, Line, Mark, Noted, Signer, is_unbegun, mark, now, read, write
from ledger.stores.heads.replacing import Lines, put_new, replace, write_whole
from ledger.stores.places import Places, identity
from ledger.stores.sqlite.errors import Plainly
from ledger.stores.turns import patiently

SYNC = 1.0
"""Seconds that a line waits for the disk at most, but for how long the disk itself takes."""
SMALL = 65_536
"""Bytes of a file that is not worth compacting."""
BEGINNING = 10.0
"""Seconds to wait for another process that is just beginning the file."""
GROWTH = 4
"""The file is compacted when it is so many times longer than after the last time."""

_LOG = logging.getLogger(__name__)


class _Open:
    """What is open, and what waits; apart, so that it can be brought to the disk when nothing else is left."""

    def __init__(self) -> None:
        self.file = -1
        self.places = Places({"": None})
        self.waiting: dict[str, bytes] = {}
        """Of each session the last line that is to be appended."""
        self.is_begun = False
        """Whether it has a first line."""
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
        only_read: The ledger cannot be written, and neither is the file.

    Raises:
        Unusable: Its folder is not there.
        ForeignFile: Another program's file is there.
        ReadOnly: It may not be read or written; or another refusal of the file system, in plain words.
    """

    def __init__(
        self, path: str, ledger: str, ends: Ends, signer: Signer | None = None, *, only_read: bool = False
    ) -> None:
        self.path = path
        self._plainly = Plainly(path)
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
        self._was_empty = False
        if not os.path.isdir(os.path.dirname(path)):
            raise Unusable(f"there is no folder {os.path.dirname(path)}", where=path)
        if not only_read:
            with self._plainly, suppress(FileNotFoundError):
                self._reopen()
                self._was_empty = self._is_empty()

    # -------------------------------------------------------------------------------------------- writing

    def add(self, noted: Iterable[Noted]) -> None:
        """Appends what a transaction has made of its sessions, once it is committed; it raises nothing."""
        at = now()
        lines = {each.session: write(mark(each, at), self._signer) for each in noted}
        if lines:
            with self._mutex:
                self._open.waiting |= lines
                self._append()
                if self._timer is None:
                    self._wake()

    def check_begun(self) -> None:
        """Refuses to write into a ledger whose heads file was found empty: what it remembered is lost.

        Raises:
            HeadsBroken: It is still empty.
        """
        if self._was_empty and self._is_empty():
            raise emptied(self.path)
        self._was_empty = False

    def close(self) -> None:
        """Appends what waits, brings it to the disk, and lets go of the file."""
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

    def _append(self) -> None:
        """Writes what waits."""
        data = b"".join(b"\n" + line for line in self._open.waiting.values())
        try:
            while not self._try_append(data):
                self._open.is_dirty = False  # what stands there is nobody's heads file any more
                self._open.release()
            self._open.waiting.clear()
            self._has_failed = False
        except (OSError, Refused) as error:
            self._failed(error)

    def _try_append(self, data: bytes) -> bool:
        """Appends to the file that is open, and tells whether it is the one that is still there."""
        if self._open.file < 0:
            self._make()
            self._reopen()
        if not self._open.is_begun:
            self._begin()
        self._write(data)
        if self._open.places.lost() is not None:
            return False
        if os.lseek(self._open.file, 0, os.SEEK_END) <= len(data):  # it was emptied meanwhile
            _LOG.warning("the heads file %s was emptied, and is begun anew with what the ledger holds", self.path)
            self._begin(why="it was emptied while the ledger was in use")
        return True

    def _begin(self, why: str = "") -> None:
        """Writes what the ledger holds, all of it or nothing, before what others have appended meanwhile."""

        def whole(before: bytes) -> list[bytes] | None:
            found = [] if is_unbegun(before) else list(read(before))
            if any(isinstance(line.said, Begun) for line in found):
                return None  # another process was faster
            return [*self._fresh(Begun(FORMAT, now(), why=why)), *(line.raw for line in found)]

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
        """Says so once, until it works again."""
        if not self._has_failed:
            reason = error.strerror or error if isinstance(error, OSError) else error
            _LOG.warning("the heads file %s cannot be written: %s", self.path, reason)
        self._has_failed = True

    # -------------------------------------------------------------------------------------------- opening, making

    def _reopen(self) -> None:
        self._check_file()
        file = os.open(self.path, os.O_RDWR | os.O_APPEND)
        try:
            with open(self.path, "rb") as opened:
                beginning = opened.read(SMALL)
            is_begun = not is_unbegun(beginning)
            if is_begun and not any(line.said for line in read(beginning)):
                raise ForeignFile(f"{self.path} is no heads file", where=self.path, accepts="another place for it")
        except BaseException:
            os.close(file)
            raise
        status = os.fstat(file)
        self._open.release()
        self._open.file, self._open.is_begun = file, is_begun
        self._open.places = Places({self.path: (status.st_dev, status.st_ino)})

    def _check_file(self) -> None:
        """Refuses what is no file, such as a device, from which would be read without an end."""
        with self._plainly, suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(self.path).st_mode):
                raise Unusable(f"{self.path} is not a file", where=self.path, accepts="a file for the heads")

    def _make(self) -> None:
        """Begins the file, where there is none: it is never seen empty, unless the file system knows no links."""
        if not os.path.lexists(self.path):
            put_new(self.path, self._ledger, self._fresh(Begun(FORMAT, now())))

    def _is_empty(self) -> bool:
        """Whether there is a file, and nothing in it."""
        with self._plainly, suppress(FileNotFoundError):
            return os.stat(self.path).st_size == 0
        return False

    def _fresh(self, begun: Begun) -> list[bytes]:
        marks: list[Begun | Mark] = [begun, *(mark(each, begun.at) for each in self._ends.all())]
        return [write(each, self._signer) for each in marks]

    def _replace(self, lines: Lines) -> bool:
        """Puts a file with other lines in its place, and tells whether it was done; see `replace`."""
        return replace(self.path, self._ledger, lines)

    def _compact_if_long(self, file: int) -> None:
        """Leaves out what is no longer needed, where the file has grown; see `compacted`."""

        def needed(before: bytes) -> list[bytes]:
            return [line.raw for line in compacted(list(read(before)), self._ends, self._signer)]

        if sys.platform == "win32" or os.fstat(file).st_size <= self._compact_at:
            return
        try:
            if self._replace(needed):
                self._compact_at = max(SMALL, GROWTH * os.stat(self.path).st_size)
        except (OSError, Refused) as error:
            self._failed(error)

    # -------------------------------------------------------------------------------------------- reading

    def lines(self) -> list[Line]:
        """Returns what stands in the file; nothing where there is none.

        Raises:
            ReadOnly: It may not be read; or another refusal of the file system, in plain words.
        """
        self._check_file()
        with self._plainly, suppress(FileNotFoundError), open(self.path, "rb") as opened:
            return list(read(opened.read()))
        return []

    def check(self, session: str) -> None:
        """Compares the last known head of a session with the ledger: what it costs to open one.

        Raises:
            Cut: Entries are missing, or others stand in their place.
            ReadOnly: See `lines`.
        """
        if self._latest is None:
            self._latest = latest(self.lines(), self._signer)
        if self._cut(self._latest, session) is not None:
            self._latest = latest(self.lines(), self._signer)  # another process may have written the file anew
            cut = self._cut(self._latest, session)
            if cut is not None:
                cut.accepts = "a backup of the ledger; or `affray heads --renew`, to go on with what is left"
                raise cut

    def _cut(self, known: Mapping[str, Mark], session: str) -> Cut | None:
        return judge(known[session], self._ends) if session in known else None

    def examine(self, session: str | None = None) -> Report | None:
        """Compares the file with the ledger.

        Args:
            session: The only one whose heads are compared; None compares all.

        Returns:
            What was found; None where there is no file.

        Raises:
            ReadOnly: See `lines`.
        """
        with self._plainly:
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
            ReadOnly: It may not be written, and nothing was changed; or another refusal of the file system.
        """

        def try_to() -> bool:
            return self._replace(lambda _: self._fresh(Begun(FORMAT, now(), by, why)))

        with self._plainly, self._mutex:
            self._make()
            self._open.release()
            if not patiently(try_to, time.monotonic() + patience):
                raise Busy(f"another process has held {self.path} for {patience:g} s", where=self.path)
            self._open.waiting.clear()
            self._latest = None
