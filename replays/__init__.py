"""What people do with a record, and the doors to it. `Session` is the embeddable object."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.entry import Seat, Who
    from ledger.errors import Refused
    from replays.api.session import Session

__all__ = ("Refused", "Seat", "Session", "Who")

_HOME = {"Refused": "ledger.errors", "Seat": "ledger.entry", "Session": "replays.api.session", "Who": "ledger.entry"}


def __getattr__(name: str) -> Any:
    """The public names, loaded when they are first asked for: `affray --version` needs none of them."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
