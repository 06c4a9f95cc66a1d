"""Begins a heads file, or replaces its lines, whole or not at all, while other processes append to it.

Who replaces the file holds a lock on the one that lies there, and afterwards takes over what was appended to that one
meanwhile; who has appended looks whether it is still the same file, and else appends once more.
"""

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress

from ledger.stores.places import identity
from ledger.stores.turns import try_lock

Lines = Callable[[bytes], Iterable[bytes] | None]
"""Makes the new lines of what stands there; None where all is to stay as it is."""

_NO_LINKS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK)
"""What a file system answers that knows no links."""


def put_new(path: str, like: str, lines: Iterable[bytes]) -> None:
    """Puts a new file where there is none, with all its lines; does nothing where another process was faster.

    Where the file system knows no links, the file is left empty, for `replace` to fill.

    Args:
        path: The file.
        like: The file that it gets the permissions of.
        lines: What it begins with.

    Raises:
        OSError: It cannot be written; nothing was left.
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
    """Puts a file with other lines in the place of one that is there, unless another process does so just now.

    Args:
        path: The file.
        like: The file that it gets the permissions of.
        lines: Makes its lines.

    Returns:
        Whether it was done, or nothing was to be done.

    Raises:
        OSError: It cannot be written; nothing was changed.
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
    """Writes all of it.

    Raises:
        OSError: It was written in part only, or not at all.
    """
    if os.write(file, data) != len(data):
        raise OSError("it was written in part only")


def created(path: str, how: int, like: str) -> int:
    """Returns a new file, open for writing, with the permissions of another."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    _permit(file, like)
    return file


def _permit(file: int, like: str) -> None:
    """Gives an open file the permissions of another."""
    if sys.platform != "win32":
        os.fchmod(file, os.stat(like).st_mode & 0o666)


def read_from(file: int, place: int) -> bytes:
    """Returns what stands in a file from some byte on."""
    os.lseek(file, place, os.SEEK_SET)
    return b"".join(iter(lambda: os.read(file, 1 << 20), b""))


def _sync_folder(path: str) -> None:
    """Brings to the disk which file has that name, where the system knows how."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
