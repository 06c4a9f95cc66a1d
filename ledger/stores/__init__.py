"""Where the log is kept. `open_store(url)` is the way in."""

from ledger.errors import UnknownStore
from ledger.stores.store import Head, Store

__all__ = ("Head", "Store", "open_store")


def open_store(url: str) -> Store:
    """Open the store at an address, making it where there is none.

    Args:
        url: ``memory://``, or ``sqlite:///relative/path.db``, ``sqlite:////absolute/path.db``.

    Raises:
        UnknownStore: No store is known for that address.
        StoreRefused: It cannot be opened; the slug says why.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "memory":
        from ledger.stores.memory import MemoryStore

        return MemoryStore()
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        from ledger.stores.sqlite import SqliteStore

        return SqliteStore(rest[1:])
    raise UnknownStore(f"no store is known for {url!r}", where="ledger", accepts="memory:// or sqlite:///path.db")
