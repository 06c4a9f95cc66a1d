"""The protocol that embedded and remote sessions share: code that is written for `Playing` works with both."""

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
from replays.corrections.change import Change, EntryChange
from replays.corrections.diff import Report
from replays.exports.recap.model import Recap
from replays.exports.theatre.branch import BranchLine
from replays.exports.theatre.model import Outline, ReplaySteps
from replays.odds.fight.chances import FightChances
from replays.odds.luck import Luck
from replays.odds.odds import Odds
from replays.views.frames import MOST_STEPS


class Playing(Protocol):
    """A session: `replays.api.session.Session` or `RemoteSession`."""

    @property
    def id(self) -> str:
        """The session's id."""

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table is waiting for."""

    def options(self) -> tuple[Possibility, ...]:
        """Returns what is legal now, with the numbers, and what is not, with the reason."""

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yields the entries of the log in order, whether they stand or not."""

    def state(self, at: int | None = None) -> State:
        """Returns the state as a plain document, now or after an entry."""

    def perform(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> Entry:
        """Performs a command and returns its entry."""

    def perform_all(
        self,
        command: Command | list[Command] | tuple[Command, ...],
        *,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Sequence[Entry]:
        """Performs a command, or several all or none, and returns every entry that was written for it."""

    def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Makes entry `to` the last that stands."""

    def undo(
        self,
        span: str = "step",
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Undoes the latest step, exchange, turn or round."""

    def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Entry:
        """Reverts the latest undo."""

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
        """Replaces a figure with the gamemaster's value."""

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
        """Applies a gamemaster's modifier to a roll."""

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
        """Amends an old entry."""

    def preview(self, entry: int | str, change: Change, *, why: str = "", consent: bool = False) -> Report:
        """Returns what an amendment would change, without writing it."""

    def whatif(self, entry: int | str, change: Change) -> Report:
        """Returns what would have followed if an entry had been different; nothing is written."""

    def branch(
        self, changes: Sequence[EntryChange] = (), *, upto: int | None = None, since: int | None = None, after: int = 0
    ) -> BranchLine:
        """Returns the line that some changes lead to, each on top of the one before; nothing is written."""

    def why(self, subject: str, *, at: int | None = None) -> Why:
        """Explains a roll, an exchange, or a number of a combatant; now, or as of an entry."""

    def outline(self) -> Outline:
        """Returns the record as a whole: where rounds, turns and exchanges begin, what was undone, health over time."""

    def replay_page(self) -> bytes:
        """Returns the record as one HTML file that replays it in a browser, without a server."""

    def steps(self, after: int = 0, limit: int = MOST_STEPS) -> ReplaySteps:
        """Returns entries, each in sentences and with what it changes of the state."""

    def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> Odds:
        """Returns the odds of an open roll or of a declaration."""

    def chances(self, at: int | None = None) -> FightChances:
        """Returns the chances that the combatants are standing at the end of the fight, now or as of an entry."""

    def luck(self) -> Luck:
        """Compares the faces of the dice with the expected ones."""

    def recap(self) -> Recap:
        """Returns who went down, the turning points, luck and corrections."""

    def audit(self, head: str | None = None) -> Audit:
        """Checks whether the record is intact and the dice are honest."""

    def disputes(self) -> tuple[Disputed, ...]:
        """Returns the disputes of the session."""

    def dispute(self, dispute: str) -> Dispute:
        """Returns one dispute with its evidence."""

    def export(self) -> Iterator[bytes]:
        """Yields the session as JSON lines, without line ends."""

    def close(self) -> None:
        """Closes the session."""


if TYPE_CHECKING:
    from replays.api.session import Session
    from replays.client.synchronous.remote import RemoteSession

    def _both(embedded: Session, called: RemoteSession) -> tuple[Playing, Playing]:
        """Makes the type checker compare both classes with the protocol."""
        return embedded, called
