"""Undo, redo and going back to an entry: the part of a session that rewinds it."""

from collections.abc import Callable

from ledger.audience import shared
from ledger.commands import Command, Rewind
from ledger.entry import Entry, Who
from ledger.events import Audience
from machines.engine.framing import check_open
from replays.api import old_repeats, prepare
from replays.api.consistency import consistently
from replays.api.previews import Previews
from replays.api.seat_refusals import check_asked
from replays.sessions import ports
from replays.sessions import undo as rewinding
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft, Log
from replays.sessions.permissions import GM
from replays.sessions.writer import ANYWHERE, Writer, secretly


class Rewinds(Previews):
    """A session that can be rewound.

    Args:
        log: The session's.
        draw: Throws dice for `DrawDice`, where the session has committed to no seed.
        clock: Says when entries are appended.
    """

    def __init__(self, log: Log, draw: ports.Drawer, clock: Callable[[], str]) -> None:
        super().__init__(log)
        self._drafting = Drafting(log, draw)
        self._writer = Writer(log, clock, old_repeats.is_same)

    def _drafts(self, command: Command, by: Who) -> list[Draft]:
        """A command decided on the present state."""
        return prepare.drafts(self.log, self._drafting, command, by)

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
        command = Rewind(to, why, seen_by=seen_by)
        check_asked(self.combat, by, command)

        def drafts() -> list[Draft]:
            return self._drafts(self._rewinding(rewinding.other(self.log, to), why, seen_by), by)

        return self._writer.write(drafts, command, by, expected, batch)[0]

    def _rewinding(self, to: int, why: str, seen_by: Audience) -> Rewind:
        """Returns the command that goes back to an entry; its reason is as secret as what is taken back."""
        head = self.log.timeline.head_at(to)
        of_itself = rewinding.audience(self.log, head) if why else None
        return Rewind(head, why, seen_by=shared([seen_by, of_itself]))

    @consistently
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
        command = Rewind(ANYWHERE, why, seen_by=seen_by)
        return self._back(("undo", span), command, lambda log: rewinding.target(log, span), by, expected, batch)

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
        command = Rewind(ANYWHERE, why, seen_by=seen_by)
        return self._back(("redo",), command, rewinding.redone, by, expected, batch)

    def _back(  # noqa: PLR0917
        self,
        what: tuple[str, ...],
        asked: Rewind,
        to: Callable[[Log], int],
        by: Who,
        expected: int | None,
        batch: str | None,
    ) -> Entry:
        """Rewinds to wherever that is when the command is decided; a repeat means what it meant the first time."""
        check_asked(self.combat, by, asked)
        why, seen_by = asked.why, asked.seen_by

        def meant(log: Log) -> Rewind:
            check_open(log.combat)
            return Rewind(log.timeline.head_at(to(log)), why, seen_by=seen_by)

        def drafts() -> list[Draft]:
            check_open(self.log.combat)
            return self._drafts(self._rewinding(to(self.log), why, seen_by), by)

        command = old_repeats.rewind_of(self.log, batch, meant, asked)
        request = (*what, why, *secretly(seen_by))
        return self._writer.write(drafts, command, by, expected, batch, asked=request)[0]
