"""Stores a ledger in one SQLite file. `SqliteStore` is the backend; its modules are imported on first use."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.stores.sqlite.store import SqliteStore

__all__ = ("SqliteStore",)


def __getattr__(name: str) -> Any:
    """Imports and returns the backend on first use, because of a cycle: it uses `heads`, which uses `errors`."""
    if name != "SqliteStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ledger.stores.sqlite.store import SqliteStore

    return SqliteStore
