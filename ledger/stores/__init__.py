"""Storage of logs: `open_store(url)` opens a store."""

from collections.abc import Sequence
from os.path import realpath
from pathlib import Path

from ledger.errors import NoSuchSession, UnknownStore, Unusable
from ledger.stores.opened_files import check_name
from ledger.stores.store import PATIENCE, Batch, Head, Store

__all__ = ("Batch", "Head", "Store", "is_same_ledger", "migrate", "name_of_ledger", "open_store")

_POSTGRES = ("postgresql", "postgres")
_NATS = ("nats", "tls")


def open_store(
    url: str,
    *,
    create: bool = True,
    patience: float = PATIENCE,
    only_read: bool = False,
    heads: str | None = None,
    keys: Sequence[bytes] = (),
) -> Store:
    """Opens the store at an address.

    Args:
        url: ``memory://``, ``sqlite:///relative/path.db``, ``sqlite:////absolute/path.db`` or
            ``postgresql://user:password@host:5432/database`` or ``nats://user:password@host1,host2,host3/ledger``.
        create: Whether to create a missing file; otherwise it is refused. Databases are never created: see `migrate`.
        patience: Seconds to wait for the lock or for an answer before `Busy` is raised.
        only_read: Whether to refuse writes. Of a file nothing is changed, nor of those beside it, and none is created.
            A ledger in JetStream whose address gives its `shards` is then opened also while it accepts no writes.
        heads: For a file: the path of its heads file, if not beside it; a file, or an existing folder.
        keys: The keys that sign the lines of the heads file: the last one signs, any of them verifies.

    Raises:
        NoSuchSession: There is no ledger, and `create` is False.
        UnknownStore: The address names no known kind of store.
        StoreRefused: The store cannot be opened; the subclass has the reason.
    """
    scheme, _, rest = url.partition("://")
    if heads is not None and scheme != "sqlite":
        raise Unusable(f"{scheme}:// has no heads file", where="heads", accepts="a ledger at sqlite:///…")
    if scheme == "memory":
        from ledger.stores.memory import MemoryStore

        return MemoryStore()
    if scheme in _POSTGRES:
        try:
            from ledger.stores.postgres.store import PostgresStore
        except ImportError as error:
            raise _no_library("PostgreSQL", "postgres") from error
        return PostgresStore(url, patience=patience, only_read=only_read)
    if scheme in _NATS:
        try:
            from ledger.stores.jetstream.store import JetStreamStore
        except ImportError as error:
            raise _no_library("NATS", "nats") from error
        return JetStreamStore(url, patience=patience, only_read=only_read)
    if scheme == "sqlite" and len(rest) > 1 and rest.startswith("/"):
        from ledger.stores.sqlite.store import SqliteStore

        check_name(rest[1:], "ledger")
        if not create and not Path(rest[1:]).exists():
            raise NoSuchSession(f"there is no ledger at {url}", where="ledger", accepts="play a fight first")
        return SqliteStore(rest[1:], patience=patience, only_read=only_read, heads=heads, keys=keys)
    raise UnknownStore(
        f"{_shown(url)!r} is not the address of a store",
        where="ledger",
        accepts="memory:// or sqlite:///path.db or postgresql://host/database or nats://host1,host2,host3/ledger",
    )


def migrate(url: str) -> tuple[str, ...]:
    """Creates the tables of a store, or brings them up to date.

    Only a database needs this: a file is created and brought up to date when it is opened.

    Args:
        url: The address, as for `open_store`.

    Returns:
        The names of the applied migrations; empty if the tables were up to date.

    Raises:
        StoreRefused: The migration failed; nothing was changed.
    """
    scheme = url.partition("://")[0]
    if scheme in _POSTGRES:
        try:
            from ledger.stores.postgres.migrations import migrate as migrate_postgres
        except ImportError as error:
            raise _no_library("PostgreSQL", "postgres") from error
        return migrate_postgres(url)
    if scheme in _NATS:
        try:
            from ledger.stores.jetstream.migrations import migrate as migrate_jetstream
        except ImportError as error:
            raise _no_library("NATS", "nats") from error
        return migrate_jetstream(url)
    open_store(url).close()
    return ()


def is_same_ledger(one: str, other: str) -> bool:
    """Returns whether two addresses certainly name one ledger. Names of hosts are compared as they are written.

    Args:
        one: An address, as for `open_store`.
        other: Another address.

    Raises:
        UnknownStore: An address is malformed.
    """
    return not _places(one).isdisjoint(_places(other))


def name_of_ledger(url: str) -> str:
    """Returns the address of a ledger as messages show it: that of a database without password and options.

    Args:
        url: An address, as for `open_store`.

    Raises:
        UnknownStore: The address is malformed.
    """
    scheme = url.partition("://")[0]
    if scheme in _POSTGRES:
        from ledger.stores.postgres.address import parse as parse_postgres

        return parse_postgres(url).name
    if scheme in _NATS:
        from ledger.stores.jetstream.servers.address import parse as parse_nats

        return parse_nats(url).name
    return url


def _places(url: str) -> frozenset[str]:
    """Returns each place that an address names; none for a ledger in memory, and where a library is missing."""
    scheme, _, rest = url.partition("://")
    try:
        if scheme in _POSTGRES:
            from ledger.stores.postgres.address import parse as parse_postgres

            return frozenset((parse_postgres(url).place,))
        if scheme in _NATS:
            from ledger.stores.jetstream.servers.address import parse as parse_nats

            return parse_nats(url).places
    except ImportError:  # `open_store` refuses it, with the name of the library
        return frozenset()
    return frozenset((realpath(rest[1:]),)) if scheme == "sqlite" and len(rest) > 1 else frozenset()


def _no_library(system: str, extra: str) -> Unusable:
    return Unusable(
        f"the library for {system} is not installed", where="ledger", accepts=f"pip install 'affray[{extra}]'"
    )


def _shown(url: str) -> str:
    """Returns an address without the part that may contain a password, which is all before the last @."""
    before, at, behind = url.rpartition("@")
    scheme, separator, _ = before.partition("://")
    return f"{scheme if separator else ''}{separator}…@{behind}" if at else url
