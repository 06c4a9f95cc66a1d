"""The host as a reader of the sessions of a campaign."""

from collections.abc import Callable
from typing import TypeVar

from ledger.audience import EVERYTHING, Viewer
from ledger.stores import Store
from projections.combat import Combat
from replays.api.session import Session
from replays.server.callers.seat_token import Caller

T = TypeVar("T")


class HostReader(Caller):
    """The host at one session of a campaign; it sees everything, and performs nothing.

    Only routes that have checked for the host's token may make one. The token ends with its key, or when it expires.
    """

    def eyes(self, combat: Combat) -> Viewer:  # noqa: ARG002  as for other callers
        """Returns the viewer who sees everything."""
        return EVERYTHING

    def checked(self, store: Store, session: Session, work: Callable[[Session], T]) -> T:  # noqa: ARG002
        """Does a piece of work.

        Args:
            store: The store of the session.
            session: The session.
            work: Receives the session.
        """
        return work(session)
