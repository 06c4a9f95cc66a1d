"""Rewinds a session: undo, redo and going back to an entry."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ledger.commands import Command, Note, Rewind
from ledger.entry import Entry, Who
from ledger.events import Audience
from replays.api.consistency import consistently
from replays.api.listeners import Listener
from replays.api.pipeline import Handled, Pipeline
from replays.api.previews import Previews
from replays.api.repeats import answered
from replays.api.request import ANYWHERE, Request, bound_audience, by_hand
from replays.corrections.waiting import Waiting
from replays.sessions import ports, undo
from replays.sessions.log import Log
from replays.sessions.permissions import GM


class Rewinds(Previews):
    """A session that can be written to and rewound.

    Args:
        log: The session's log.
        draw: Draws dice for `DrawDice`, where the session has committed to no seed.
        clock: Returns the time at which entries are appended.
    """

    def __init__(self, log: Log, draw: ports.Drawer, clock: Callable[[], str]) -> None:
        super().__init__(log)
        self._pipeline = Pipeline(log, self._view_cache, draw, clock)

    @property
    def waiting(self) -> Waiting:
        """Recorded answers that corrections have deferred."""
        return self._pipeline.waiting

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls a listener with each request's entries, once they are appended; returns a function that ends that.

        Inside a group commit of the ledger's (`Store.together`) the entries are durable only when the commit is. A
        listener that raises stops nothing; see `replays.api.listeners`.
        """
        return self._pipeline.listeners.add(listener)

    @contextmanager
    def keyed(self, key: str | None, binds: tuple[Any, ...]) -> Iterator[None]:
        """Performs the first request that is made inside under an idempotency key; None for none.

        Args:
            key: The key.
            binds: What a repeat must have in common with it.
        """
        self._pipeline.next_key = (key, binds) if key is not None else None
        try:
            yield
        finally:
            self._pipeline.next_key = None

    def under_key(self, key: str, binds: tuple[Any, ...], by: Who) -> list[Entry]:
        """Returns the entries of the request that `keyed` performed under a key before; empty if there was none.

        Raises:
            KeyReused: The key belongs to another request or another person.
        """
        return answered(self.log, Request(Note(""), by, batch=key, binds=binds))

    @consistently
    def _handled(self, request: Request) -> Handled:
        """Handles a request; all requests of a session pass through here."""
        return self._pipeline.handle(request)

    @consistently
    def _together(self, commands: Sequence[Command], whole: Request) -> list[Entry]:
        """Handles several commands as one request; see `Pipeline.handle_batch`."""
        return self._pipeline.handle_batch(commands, whole)

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
        """Makes entry `to` the last that stands: undo, redo and the undo of a correction.

        Everyone sees that it was done. The reason is visible to `seen_by`, and at most to those who see any part of
        what was undone.

        Raises:
            NoSuchEntry: There is no entry of that number.
            NothingToUndo: It is already the last that stands.
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
        """Undoes the latest step, exchange, turn or round.

        Args:
            span: ``step``, ``exchange``, ``turn`` or ``round``.
            why: The reason, for the record.
            seen_by: Who may see the reason; by default those who see any part of what is undone.
            by: The caller.
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            NothingToUndo: There is nothing of that span.
        """
        command = by_hand(Rewind(ANYWHERE, why, seen_by=seen_by), by)
        binds = ("undo", span, why, *bound_audience(seen_by))
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
        """Reverts the latest undo, as long as no new command was decided. Arguments are those of `undo`.

        Raises:
            NothingToRedo: Nothing was undone, or a new command was decided since.
        """
        command = by_hand(Rewind(ANYWHERE, why, seen_by=seen_by), by)
        binds = ("redo", why, *bound_audience(seen_by))
        return self._rewound(Request(command, by, expected, batch, binds, undo.redone))

    def _rewound(self, request: Request) -> Entry:
        """Handles a request that is answered by one entry."""
        return self._handled(request).entries[0]
