"""What people do with a record, and the doors to it. `Session` is the embeddable object."""

from typing import TYPE_CHECKING

from ledger.on_first_use import loaded_on_first_use

if TYPE_CHECKING:
    from ledger.entry import Seat, Who
    from ledger.errors import Refused
    from replays.api.session import Session

__all__ = ("Refused", "Seat", "Session", "Who")

__version__ = "0.1.0"
"""The version of Affray, from which the build takes that of the package."""

__getattr__ = loaded_on_first_use(
    __name__,
    {
        "Refused": "ledger.errors",
        "Seat": "ledger.entry",
        "Session": "replays.api.session",
        "Who": "ledger.entry",
    },
)
