"""What people do with a record, and the doors to it. `Session` is the embeddable object."""

from ledger.entry import Seat, Who
from ledger.errors import Refused
from replays.session import Session

__all__ = ("Refused", "Seat", "Session", "Who")
