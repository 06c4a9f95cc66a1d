"""Undo, redo and going back to an entry: the part of a session that rewinds it."""

from collections.abc import Callable

from ledger.commands import Rewind
from ledger.entry import Entry, Who
from ledger.events import Audience
from replays.api.consistency import consistently
from replays.api.listeners import Listener
from replays.api.pipeline import Handled, Pipeline
from replays.api.previews import Previews
from replays.api.request import ANYWHERE, Request, by_hand, secretly
from replays.corrections.waiting import Waiting
from replays.sessions import ports, undo
from replays.sessions.log import Log
from replays.sessions.permissions import GM


class Rewinds(Previews):
    """A session that can be written to, and rewound.

    Args:
        log: The session's.
        draw: Throws dice for `DrawDice`, where the session has committed to no seed.
        clock: Says when entries are appended.
    """

    def __init__(self, log: Log, draw: ports.Drawer, clock: Callable[[], str]) -> None:
        super().__init__(log)
        self._pipeline = Pipeline(log, self._seeing, draw, clock)

    @property
    def waiting(self) -> Waiting:
        """Recorded answers that corrections have left for later."""
        return self._pipeline.waiting

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Has each request's entries told to a listener, once they are appended; returns what ends that.

        Inside a group commit of the ledger's (`Store.together`) they are durable only when that is. A listener that
        raises stops nothing; see `replays.api.listeners`.
        """
        return self._pipeline.listeners.add(listener)

    @consistently
    def _handled(self, request: Request) -> Handled:
        """Every request of a session is handled here, and nowhere else."""
        return self._pipeline.handle(request)

    def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Make entry `to` the last that stands: undo, redo and the undo of a correction.

        Everybody sees that it was done; who may see the reason is `seen_by`, and at most who sees anything of what was
        taken back.

        Raises:
            NoSuchEntry: There is none of that number.
            NothingToUndo: It is the last that stands already.
        """
        command = by_hand(Rewind(to, why, seen_by=seen_by), by)
        return self._rewound(Request(command, by, expected, batch, entry_meant=lambda log: undo.other(log, to)))

    def undo(
        self,
        span: str = "step",
        *,
        why: str = "",
        seen_by: Audience = None,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Take the latest back.

        Args:
            span: ``step``, ``exchange``, ``turn`` or ``round``.
            why: The reason, for the record.
            seen_by: Who may see the reason; left out, who sees anything of what is taken back.
            by: Who takes it back.
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            NothingToUndo: There is nothing of that kind.
        """
        command = by_hand(Rewind(ANYWHERE, why, seen_by=seen_by), by)
        binds = ("undo", span, why, *secretly(seen_by))
        return self._rewound(Request(command, by, expected, batch, binds, lambda log: undo.target(log, span)))

    def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Take the latest undo back, while nothing new was decided. Arguments are those of `undo`.

        Raises:
            NothingToRedo: Nothing was undone, or something new was decided since.
        """
        command = by_hand(Rewind(ANYWHERE, why, seen_by=seen_by), by)
        binds = ("redo", why, *secretly(seen_by))
        return self._rewound(Request(command, by, expected, batch, binds, undo.redone))

    def _rewound(self, request: Request) -> Entry:
        """Handles a request that is answered by one entry."""
        return self._handled(request).entries[0]
