"""Stores ledgers in NATS JetStream. `JetStreamStore` is the backend; importing it loads `nats`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.stores.jetstream.store import JetStreamStore

__all__ = ("JetStreamStore",)


def __getattr__(name: str) -> Any:
    """Imports and returns the backend; `names` can be imported without the library."""
    if name != "JetStreamStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ledger.stores.jetstream.store import JetStreamStore

    return JetStreamStore
