"""Checks paths, and detects opened files that were moved, replaced or deleted."""

import errno
import os
import time
from collections.abc import Mapping

from ledger.errors import Unusable

GRAIN, COARSE_GRAIN = 100_000_000, 3_000_000_000
"""Nanoseconds after a change of a folder within which it may change again without a newer modification time. The
second is for file systems that store whole seconds, or every other second as FAT does: for a time without a
fraction."""

Identity = tuple[int, int] | None


def identity(path: str) -> Identity:
    """Returns the device and inode of the file at a path; None if there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def check_name(path: str, where: str) -> None:
    """Rejects a path that no file can have: with a null byte, a lone surrogate, or a name that is too long.

    Args:
        path: The path.
        where: The origin of the path, for the refusal.

    Raises:
        Unusable: No file can have that path.
    """
    try:
        os.stat(path)
    except ValueError as error:  # UnicodeEncodeError is one
        raise Unusable(f"{path!r} cannot be the name of a file", where=where, accepts="a path") from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise Unusable(f"a file name cannot have {len(path)} characters", where=where, accepts="a path") from error


class OpenedFiles:
    """The opened files of one folder.

    While nothing in the folder is created, deleted or renamed, its modification time stays the same, and only the
    folder is examined: newer Linux makes the next write to a file slower after the file's times were read.

    Args:
        opened: The identity of the file opened at each path; None for a file that was missing, and has to stay missing.
    """

    def __init__(self, opened: Mapping[str, Identity]) -> None:
        self.opened = opened
        self._folder = os.path.dirname(next(iter(opened)))
        self._settled: tuple[int, int, int] | None = None

    def lost(self) -> str | None:
        """Returns the path of a file that was deleted, moved, replaced or created; None if all are unchanged."""
        try:
            folder = os.stat(self._folder)
        except FileNotFoundError:
            return next(iter(self.opened))
        found = folder.st_dev, folder.st_ino, folder.st_mtime_ns
        if found == self._settled:
            return None
        lost = next((path for path, opened in self.opened.items() if identity(path) != opened), None)
        grain = GRAIN if folder.st_mtime_ns % 1_000_000_000 else COARSE_GRAIN
        is_settled = lost is None and time.time_ns() - folder.st_mtime_ns > grain
        self._settled = found if is_settled else None
        return lost
