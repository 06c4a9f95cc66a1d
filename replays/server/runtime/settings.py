"""What whoever runs a server decides."""

import msgspec

from ledger.stores import Store, open_store


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A server's settings; what is left out is fit for a campaign site on one machine."""

    ledger: str
    """The store's address."""
    keys: tuple[str, ...]
    """What tokens are signed with: the last one signs, any of them is believed."""
    heads: str | None = None
    """Where the heads file is, if not beside the ledger; its lines are signed with the keys."""
    origins: tuple[str, ...] = ()
    """Web sites whose pages may call from a browser; none unless said."""
    proxies: tuple[str, ...] = ("127.0.0.1",)
    """Addresses whose word is taken for who calls through them."""
    body: int = 1_000_000
    """Bytes that a request may have, an imported session among them."""
    rate: float = 100.0
    """Requests a second that one caller may make on average, and twice as many at once; 0 for any number."""
    connections: int = 2_000
    """Open connections at the same time, live feeds included."""
    feeds: int = 100
    """Live feeds that one token may have open at the same time, in each process."""
    seconds: float = 30.0
    """Until a request is given up, or a reader who takes nothing in."""
    entries: int = 40_000
    """Of the sessions in use so many entries are held in memory, each of a thousand bytes; of the others none."""
    studies: int = 2
    """Processes that answer long questions (odds, previews, audits); one more answers brief ones."""
    study_time: float = 20.0
    """Seconds until a question is given up, once its answering has begun."""

    def open(self, *, only_read: bool = False) -> Store:
        """Opens the ledger.

        Args:
            only_read: Nothing is to be written, and no ledger is made where there is none.

        Raises:
            Refused: It cannot be opened.
        """
        keys = [key.encode() for key in self.keys]
        return open_store(
            self.ledger, create=not only_read, patience=self.seconds / 3, only_read=only_read, heads=self.heads,
            keys=keys,
        )  # fmt: skip
