"""Keeping ledgers in a PostgreSQL database. `PostgresStore` is the backend; `psycopg` is loaded with it, not before."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.stores.postgres.store import PostgresStore

__all__ = ("PostgresStore",)


def __getattr__(name: str) -> Any:
    """Returns the backend, loading it with its library: the tables (`schema`) can be read without that."""
    if name != "PostgresStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ledger.stores.postgres.store import PostgresStore

    return PostgresStore
