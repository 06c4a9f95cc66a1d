"""Decides which of the server processes that share a file of webhooks sends messages: the one that has a lock."""

import os
import stat

from ledger.stores.fair_lock import try_lock
from replays.server.webhooks.hooks_file import MEMORY


class Leadership:
    """The lock of the sending process; the system releases it when the process ends, however it ends.

    Args:
        path: The file of webhooks; the lock is a file beside it, with ``-lock`` at the end of its name.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: int | None = None

    def leads(self) -> bool:
        """Returns whether this process sends, and takes the lock if it is free."""
        if self._path == MEMORY or self._file is not None:
            return True
        file = os.open(f"{self._path}-lock", os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR)
        if not try_lock(file):
            os.close(file)
            return False
        self._file = file
        return True

    def close(self) -> None:
        """Releases the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
