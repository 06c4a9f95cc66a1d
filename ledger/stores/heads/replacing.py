"""Creates a heads file, or replaces it atomically, while other processes append to it.

A process that replaces the file holds a lock on the old one, and then copies the lines that were appended to the old
one in the meantime. A process that has appended a line checks whether its file is still in place, and else appends the
line to the new one.
"""

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress

from ledger.stores.fair_lock import try_lock
from ledger.stores.opened_files import identity

Lines = Callable[[bytes], Iterable[bytes] | None]
"""Returns the new lines, given the content of the file; None to leave the file unchanged."""

_NO_LINKS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK)
"""The errors of a file system without hard links."""


def put_new(path: str, like: str, lines: Iterable[bytes]) -> None:
    """Creates a file with its lines atomically; does nothing if another process was faster.

    On a file system without hard links the file is created empty, for `replace` to fill.

    Args:
        path: The file.
        like: The file whose permissions it gets.
        lines: The first lines.

    Raises:
            OSError: The file cannot be written; nothing was left behind.
    """
    file, part = tempfile.mkstemp(prefix=f"{os.path.basename(path)}.", suffix=".part", dir=os.path.dirname(path))
    try:
        _permit(file, like)
        write_whole(file, b"".join(b"\n" + line for line in lines))
        os.fsync(file)
        os.link(part, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with suppress(FileExistsError):
            os.close(created(path, os.O_EXCL, like))
    finally:
        os.close(file)
        with suppress(OSError):
            os.unlink(part)
    _sync_folder(path)


def replace(path: str, like: str, lines: Lines) -> bool:
    """Replaces a file by one with other lines, unless another process is replacing it.

    Args:
        path: The file.
        like: The file whose permissions it gets.
        lines: Returns the new lines.

    Returns:
            Whether the file was replaced or needed no change.

    Raises:
            OSError: The file cannot be written; nothing was changed.
    """
    file = os.open(path, os.O_RDWR)
    try:
        status = os.fstat(file)
        if not try_lock(file) or identity(path) != (status.st_dev, status.st_ino):
            return False
        before = read_from(file, 0)
        new = lines(before)
        if new is not None:
            _put(path, like, b"".join(b"\n" + line for line in new), lambda: read_from(file, len(before)))
    finally:
        os.close(file)
    return True


def _put(path: str, like: str, data: bytes, late: Callable[[], bytes]) -> None:
    part = f"{path}.part"
    file = created(part, os.O_TRUNC | os.O_APPEND, like)
    try:
        write_whole(file, data)
        os.fsync(file)
        os.replace(part, path)
        meanwhile = late()
        if meanwhile:
            write_whole(file, meanwhile)
            os.fsync(file)
    except OSError:
        with suppress(OSError):
            os.unlink(part)
        raise
    finally:
        os.close(file)
    _sync_folder(path)


def write_whole(file: int, data: bytes) -> None:
    """Writes all bytes in one call.

    Raises:
        OSError: Only a part was written, or nothing.
    """
    if os.write(file, data) != len(data):
        raise OSError("only a part was written")


def created(path: str, how: int, like: str) -> int:
    """Creates a file with the permissions of another, and returns it open for writing."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    _permit(file, like)
    return file


def _permit(file: int, like: str) -> None:
    """Sets the permissions of an open file to those of another."""
    if sys.platform != "win32":
        os.fchmod(file, os.stat(like).st_mode & 0o666)


def read_from(file: int, place: int) -> bytes:
    """Returns the content of a file from a position on."""
    os.lseek(file, place, os.SEEK_SET)
    return b"".join(iter(lambda: os.read(file, 1 << 20), b""))


def _sync_folder(path: str) -> None:
    """Syncs the folder of a file, if the system supports it."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
