"""Where the log is kept. `open_store(url)` is the way in."""

from pathlib import Path

from ledger.errors import NoSuchSession, UnknownStore
from ledger.stores.store import Head, Store

__all__ = ("Head", "Store", "open_store")


def open_store(url: str, *, create: bool = True) -> Store:
    """Open the store at an address.

    Args:
        url: ``memory://``, or ``sqlite:///relative/path.db``, ``sqlite:////absolute/path.db``.
        create: Make it where there is none; otherwise that is refused.

    Raises:
        NoSuchSession: There is no ledger there, and none is to be made.
        UnknownStore: No store is known for that address.
        StoreRefused: It cannot be opened; the slug says why.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "memory":
        from ledger.stores.memory import MemoryStore

        return MemoryStore()
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        from ledger.stores.sqlite import SqliteStore

        if not create and not Path(rest[1:]).exists():
            raise NoSuchSession(f"there is no ledger at {url}", where="ledger", accepts="play a fight first")
        return SqliteStore(rest[1:])
    raise UnknownStore(f"no store is known for {url!r}", where="ledger", accepts="memory:// or sqlite:///path.db")
