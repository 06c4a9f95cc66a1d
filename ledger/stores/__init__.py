"""Where the log is kept. `open_store(url)` is the way in."""

from collections.abc import Sequence
from pathlib import Path

from ledger.errors import NoSuchSession, UnknownStore, Unusable
from ledger.stores.places import check_name
from ledger.stores.store import PATIENCE, Batch, Head, Store

__all__ = ("Batch", "Head", "Store", "migrate", "open_store")

_POSTGRES = ("postgresql", "postgres")


def open_store(
    url: str,
    *,
    create: bool = True,
    patience: float = PATIENCE,
    only_read: bool = False,
    heads: str | None = None,
    keys: Sequence[bytes] = (),
) -> Store:
    """Open the store at an address.

    Args:
        url: ``memory://``, ``sqlite:///relative/path.db``, ``sqlite:////absolute/path.db`` or
            ``postgresql://user:password@host:5432/database``.
        create: Make it where there is none; otherwise that is refused. A database is never made: see `migrate`.
        patience: Seconds to wait for one's turn or for an answer before `Busy`.
        only_read: Nothing is to be written; a file is opened so that nothing is changed or put beside it.
        heads: Of a file: where its heads file is, if not beside it; a file, or a folder that is there.
        keys: What the lines of the heads file are signed with: the last one signs, any of them is believed.

    Raises:
        NoSuchSession: There is no ledger there, and none is to be made.
        UnknownStore: No store is known for that address.
        StoreRefused: It cannot be opened; the slug says why.
    """
    scheme, _, rest = url.partition("://")
    if heads is not None and scheme != "sqlite":
        raise Unusable(f"{scheme}:// keeps no heads file", where="heads", accepts="a ledger at sqlite:///…")
    if scheme == "memory":
        from ledger.stores.memory import MemoryStore

        return MemoryStore()
    if scheme in _POSTGRES:
        try:
            from ledger.stores.postgres.store import PostgresStore
        except ImportError as error:
            raise _no_library() from error
        return PostgresStore(url, patience=patience)
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        from ledger.stores.sqlite.store import SqliteStore

        check_name(rest[1:], "ledger")
        if not create and not Path(rest[1:]).exists():
            raise NoSuchSession(f"there is no ledger at {url}", where="ledger", accepts="play a fight first")
        return SqliteStore(rest[1:], patience=patience, only_read=only_read, heads=heads, keys=keys)
    raise UnknownStore(
        f"no store is known for {_shown(url)!r}",
        where="ledger",
        accepts="memory:// or sqlite:///path.db or postgresql://host/database",
    )


def migrate(url: str) -> tuple[str, ...]:
    """Make the tables of a store, or bring them up to date.

    Only a database needs it: a file is made, and brought up to date, when it is opened.

    Args:
        url: As for `open_store`.

    Returns:
        The names of the migrations that were applied; none where nothing was to be done.

    Raises:
        StoreRefused: It cannot be done; nothing was changed.
    """
    if url.partition("://")[0] in _POSTGRES:
        try:
            from ledger.stores.postgres.migrations import migrate as migrate_postgres
        except ImportError as error:
            raise _no_library() from error
        return migrate_postgres(url)
    open_store(url).close()
    return ()


def _no_library() -> Unusable:
    return Unusable(
        "the library for PostgreSQL is not installed", where="ledger", accepts="pip install 'affray[postgres]'"
    )


def _shown(url: str) -> str:
    """An address without what may be a password."""
    scheme, separator, rest = url.rpartition("@")[0].partition("://")
    return f"{scheme}://…@{url.rpartition('@')[2]}" if separator and rest else url
