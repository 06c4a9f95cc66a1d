"""Stores ledgers in a PostgreSQL database. `PostgresStore` is the backend; importing it loads `psycopg`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.stores.postgres.store import PostgresStore

__all__ = ("PostgresStore",)


def __getattr__(name: str) -> Any:
    """Imports and returns the backend; `schema` can be imported without the library."""
    if name != "PostgresStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ledger.stores.postgres.store import PostgresStore

    return PostgresStore
