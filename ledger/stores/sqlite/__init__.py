"""Keeping a ledger in one SQLite file. `SqliteStore` is the backend; its modules are loaded when it is asked for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.stores.sqlite.store import SqliteStore

__all__ = ("SqliteStore",)


def __getattr__(name: str) -> Any:
    """Returns the backend. It is not loaded before: `heads` is used by it, and itself uses `errors`."""
    if name != "SqliteStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ledger.stores.sqlite.store import SqliteStore

    return SqliteStore
