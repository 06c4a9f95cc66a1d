"""The settings of a server."""

import msgspec

from ledger.stores import Store, open_store


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A server's settings; the defaults suit a campaign site on one machine."""

    ledger: str
    """The store's address."""
    keys: tuple[str, ...]
    """The keys that sign tokens: the last one signs, and a signature of any of them is accepted."""
    heads: str | None = None
    """Path of the heads file, if it is not beside the ledger; its lines are signed with the keys."""
    origins: tuple[str, ...] = ()
    """Web sites whose pages may call the server from a browser; by default none."""
    proxies: tuple[str, ...] = ("127.0.0.1",)
    """Addresses of proxies that are trusted to forward the caller's address."""
    body: int = 1_000_000
    """Maximum size of a request in bytes; it also limits an imported session."""
    rate: float = 100.0
    """Requests a second that one caller may make on average, and twice as many at once; 0 for no limit."""
    connections: int = 2_000
    """Maximum number of open connections, live feeds included."""
    feeds: int = 100
    """Maximum number of live feeds that one token may have open in each process."""
    seconds: float = 30.0
    """Seconds after which a request is given up, or a slow reader is disconnected."""
    entries: int = 40_000
    """Number of entries, of a thousand bytes each, that the session cache may hold in memory."""
    studies: int = 2
    """Number of worker processes for long questions (odds, previews, audits); one more answers brief questions."""
    study_time: float = 20.0
    """Seconds after which a question is given up; the time in the queue does not count."""
    hooks: str = ""
    """Path of the file of webhooks, if it is not beside the ledger; `off` for no webhooks."""
    hook_private: tuple[str, ...] = ()
    """Networks that webhooks may be sent to although they are not public."""
    one_core: bool = False
    """Whether the threads of each process stay on one core, where the system can do that."""
    is_quiet: bool = False
    """Whether the log has only warnings and errors."""
    listens: tuple[str, int] = ("127.0.0.1", 0)
    """The address and the port at which the server listens; `serve` sets it."""

    def open(self, *, only_read: bool = False) -> Store:
        """Opens the ledger.

        Args:
            only_read: Opens the ledger only for reading, and creates none.

        Raises:
            Refused: The ledger cannot be opened.
        """
        keys = [key.encode() for key in self.keys]
        return open_store(
            self.ledger, create=not only_read, patience=self.seconds / 3, only_read=only_read, heads=self.heads,
            keys=keys,
        )  # fmt: skip
