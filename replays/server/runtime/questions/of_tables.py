"""Questions of the table that are answered in a worker process: what a line means, and what a line finds."""

from typing import Any

from replays.api.session import Session
from replays.server.callers.seat_token import Caller
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.table.online.sending import found
from replays.table.online.tables import Tables
from replays.table.online.understanding import understood

_TABLES = Tables()
"""The tables of this process, which answers one question at a time."""


class UnderstoodLine(SessionQuestion, frozen=True):
    """Asks what a line means that is being typed."""

    line: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the sentences and the completions."""
        return understood(_TABLES.of(session, caller.who), self.line)


class FoundByLine(SessionQuestion, frozen=True):
    """Asks for what a line finds that writes nothing, such as `odds` or `audit`."""

    line: str
    answers: tuple[str, ...] = ()

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns what it finds."""
        return found(_TABLES.of(session, caller.who), self.line, self.answers)
