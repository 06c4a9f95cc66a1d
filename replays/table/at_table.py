"""What the words of the table work on: a fight, the person who speaks, and what they may see."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from ledger.audience import Viewer
from ledger.commands import Command
from ledger.entry import Who
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.api.session import Session
from replays.table.done import VerbResult


class TableContext(Protocol):
    """A fight, and a person at its table; see `replays.table.table.Table`."""

    session: Session
    who: Who
    """The person, and the seat they speak from."""
    dice: str
    """Who rolls; a word of `verbs.DICE`."""
    defaults: str
    """Whose choices take their default; a word of `verbs.DEFAULTS`."""
    seen_by: tuple[str, ...] | None
    """Who may see what the present line does; None for everybody."""

    @property
    def game(self) -> Ruleset:
        """The rules it is played by."""

    @property
    def eyes(self) -> Viewer:
        """What this person may see."""

    @property
    def seen(self) -> Combat:
        """The state, as this person sees it."""

    def latest_key(self) -> str:
        """Returns the key of the latest roll that was thrown."""

    def terms_of(self, kind: str) -> Iterator[str]:
        """Yields what a declaration of a kind takes, a line a field."""

    def words_of(self, field: str) -> Iterator[str]:
        """Yields what a field may say, a line a kind of declaration that has it."""

    def do(self, line: str) -> VerbResult:
        """Does what a line says: a word of the table, or an answer."""

    def check(self, command: Command) -> None:
        """Refuses what could not be performed now."""

    def add(self, texts: Iterable[str]) -> None:
        """Brings combatants in, all or none."""

    def perform(self, *commands: Command) -> None:
        """Performs commands, all or none."""

    def before_lines(self, count: int) -> int:
        """Returns the entry that stood before the last lines of this table."""

    def back(self, to: int, why: str) -> None:
        """Takes everything after an entry back."""

    def forward(self, why: str) -> None:
        """Takes the latest undo back."""
