"""Where files lie: what can be a path, and whether those that were opened lie there still."""

import errno
import os
import time
from collections.abc import Mapping

from ledger.errors import Unusable

GRAIN, COARSE_GRAIN = 100_000_000, 3_000_000_000
"""Nanoseconds: a folder that changed so lately may change again without a newer time. The second is for file systems
that keep whole seconds, or every other one as FAT does: for a time without a fraction."""

Identity = tuple[int, int] | None


def identity(path: str) -> Identity:
    """Which file lies there; None where there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def check_name(path: str, where: str) -> None:
    """Refuses what can be no file's path: a null byte, half a letter, a name that is too long.

    Args:
        path: The path.
        where: Who has said it, for the refusal.

    Raises:
        Unusable: It can be none.
    """
    try:
        os.stat(path)
    except ValueError as error:  # UnicodeEncodeError is one
        raise Unusable(f"{path!r} cannot be a file's name", where=where, accepts="a path") from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise Unusable(f"a file's name cannot have {len(path)} letters", where=where, accepts="a path") from error


class Places:
    """Files of one folder that were opened.

    While nothing in the folder is made, deleted or renamed, its time stands still, and it alone is asked: newer Linux
    makes the next write to a file slower once somebody has asked for the file's own times.

    Args:
        opened: Which file was opened at each path; one that was missing is to stay away.
    """

    def __init__(self, opened: Mapping[str, Identity]) -> None:
        self.opened = opened
        self._folder = os.path.dirname(next(iter(opened)))
        self._settled: tuple[int, int, int] | None = None

    def lost(self) -> str | None:
        """Returns the first file that has been deleted, moved, replaced or put there; None where all is as it was."""
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
