"""What a session can do, wherever it is: code written against `Playing` plays an embedded and a called one alike."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ledger.commands import Command, Declare
from ledger.entry import Entry
from ledger.events import Audience
from machines.engine.options import Possibility
from projections.path import Rest
from projections.views.document import State
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.odds.luck import Luck
from replays.odds.odds import Odds


class Playing(Protocol):
    """A session to be played, undone and read: `replays.api.session.Session`, or `RemoteSession`."""

    @property
    def id(self) -> str:
        """The session's id."""

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table waits for."""

    def options(self) -> tuple[Possibility, ...]:
        """What is legal now, with the numbers, and why another thing is not."""

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """The entries of the log, standing or not, in order."""

    def state(self, at: int | None = None) -> State:
        """What is so, as a plain document."""

    def perform(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> Entry:
        """Ask for something; it is returned with all that followed."""

    def perform_all(
        self, command: Command, *, expected: int | None = None, batch: str | None = None
    ) -> Sequence[Entry]:
        """The same with every entry that was written for it."""

    def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Make entry `to` the last that stands."""

    def undo(
        self,
        span: str = "step",
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Take the latest back."""

    def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Take the latest undo back."""

    def overrule(
        self,
        key: str,
        figure: str,
        value: int | str,
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Sequence[Entry]:
        """Put the gamemaster's word in the place of a figure."""

    def modify(
        self,
        key: str,
        value: int,
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Sequence[Entry]:
        """Apply a gamemaster's modifier to a roll."""

    def amend(
        self,
        entry: int | str,
        change: Change,
        *,
        why: str,
        seen_by: Audience = None,
        consent: bool = False,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Amendment:
        """Correct an old entry."""

    def preview(self, entry: int | str, change: Change, *, why: str = "", consent: bool = False) -> Report:
        """What an amendment would come to."""

    def whatif(self, entry: int | str, change: Change) -> Report:
        """What would have come of something else."""

    def why(self, subject: str) -> Why:
        """Explain a roll, an exchange, or a figure of somebody's health."""

    def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> Odds:
        """What may come of an open roll or of a declaration."""

    def luck(self) -> Luck:
        """What the dice showed beside what was expected of them."""

    def audit(self, head: str | None = None) -> Audit:
        """Is the record whole, are the dice honest?"""

    def disputes(self) -> tuple[Disputed, ...]:
        """The disputes of the session."""

    def dispute(self, dispute: str) -> Dispute:
        """One of them."""

    def export(self) -> Iterator[bytes]:
        """The session as JSON lines, without line ends."""

    def close(self) -> None:
        """Let go of it."""


if TYPE_CHECKING:
    from replays.api.session import Session
    from replays.client.remote import RemoteSession

    def _both(embedded: Session, called: RemoteSession) -> tuple[Playing, Playing]:
        """Both are."""
        return embedded, called
