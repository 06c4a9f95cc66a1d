"""The interface that the words of the table work on: a session, a person, and what that person may see."""

from collections.abc import Iterable
from typing import Protocol

from ledger.audience import Viewer
from ledger.commands import Command, Declare
from ledger.entry import Who
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from replays.api.session import Session
from replays.table.done import FirstOdds, VerbResult
from replays.table.language.declarations import DeclarationParser
from replays.table.language.questions import Question
from replays.table.recent_events import RecentEvents


class TableContext(Protocol):
    """A session and a person at its table; see `replays.table.table.Table`."""

    session: Session
    who: Who
    """The person, with the seat."""
    dice: str
    """Which rolls are drawn without asking; a word of `settings.DICE`."""
    defaults: str
    """Which choices take their default without asking; a word of `settings.DEFAULTS`."""
    files: bool
    """Whether lines may name files of this machine."""
    seen_by: tuple[str, ...] | None
    """Who may see what the current line writes; None for all."""

    first_odds: FirstOdds
    """Receives sampled odds where the final ones take long."""

    @property
    def game(self) -> Ruleset:
        """The ruleset of the session."""

    @property
    def eyes(self) -> Viewer:
        """This person as a viewer."""

    @property
    def seen(self) -> Combat:
        """The state, as this person sees it."""

    @property
    def recent(self) -> RecentEvents:
        """The latest events that stand, as this person sees them."""

    def question(self, only: str = "") -> Question:
        """Returns what the table asks this person now; with `only`, what it asks this combatant."""

    def declaration(self, line: str) -> Declare | None:
        """Returns the declaration that a line means now; None if it means none."""

    def declaration_parser(self, question: Question, only: str = "") -> DeclarationParser:
        """Returns the parser of what this person could declare now."""

    def do(self, line: str) -> VerbResult:
        """Executes a line: a word of the table, or an answer."""

    def check(self, command: Command) -> None:
        """Refuses a command that could not be performed now."""

    def add(self, texts: Iterable[str], sides: Iterable[str] = ()) -> None:
        """Adds combatants, all or none."""

    def perform(self, *commands: Command) -> None:
        """Performs commands, all or none."""

    def keep(self, *, dice: str = "", defaults: str = "") -> None:
        """Changes settings of this table and records them, so that they are kept with the session."""

    def before_lines(self, count: int) -> int:
        """Returns the entry that stood before the last lines of this table."""

    def rewind(self, to: int, why: str) -> None:
        """Undoes all that follows an entry."""

    def redo(self, why: str) -> None:
        """Reverts the latest undo."""
