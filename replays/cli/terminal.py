"""Lines from a terminal, with arrow keys, history and completion."""

import asyncio
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from ledger.errors import Refused
from replays.table.completion import completions

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from replays.table.table import Table


class Words(Completer):
    """Completion by what the table knows."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
        """The words that fit before the cursor."""
        for word in completions(self._table, document.text_before_cursor):
            yield Completion(word.text, start_position=-word.back, display_meta=word.about)


class Kept(FileHistory):
    """A history in a file; where it cannot be written, it lasts as long as the table."""

    def store_string(self, string: str) -> None:
        """Keep a line, if that can be."""
        try:
            super().store_string(string)
        except OSError:
            return


def history() -> History:
    """The lines of earlier evenings: ``$XDG_STATE_HOME/affray/history``."""
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    try:
        path = Path(home).expanduser() / "affray" / "history"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return Kept(str(path))


class Lines:
    """Reads lines behind a prompt, with arrow keys, history and completion; wakes when somebody else writes.

    Args:
        table: Knows what fits, and whether somebody else wrote.
        toolbar: What stands at the bottom.
        kept: Earlier lines; left out, those in the file.
        keys: Left out, the keyboard.
        screen: Left out, the terminal.
        every: Seconds between looks at the log.
    """

    def __init__(
        self,
        table: "Table",
        toolbar: Callable[[], str],
        kept: History | None = None,
        keys: "Input | None" = None,
        screen: "Output | None" = None,
        every: float = 1.0,
    ) -> None:
        self._table = table
        self._toolbar = toolbar
        self._every = every
        self._news = self._woken = False
        self._session: PromptSession[str] = PromptSession(
            history=history() if kept is None else kept,
            completer=Words(table),
            complete_while_typing=False,
            bottom_toolbar=self._bottom,
            input=keys,
            output=screen,
        )

    def __call__(self, prompt: str, begun: str = "") -> str | None:
        """A line; None where somebody else wrote and nothing was typed.

        Args:
            prompt: What stands before the cursor.
            begun: What stands behind it already.
        """
        self._news = self._woken = False
        line = self._session.prompt(prompt, default=begun, pre_run=self._watch)
        return None if self._woken else line

    def _bottom(self) -> str:
        return " news: Enter ·" + self._toolbar() if self._news else self._toolbar()

    def _watch(self) -> None:
        """The look at the log ends with the prompt, and happens between keys: no thread shares the store."""
        self._session.app.create_background_task(self._look())

    async def _look(self) -> None:
        app = self._session.app
        while not self._woken:
            await asyncio.sleep(self._every)
            try:
                self._news = self._table.is_behind
            except Refused:  # whoever types next is told
                return
            if self._news and not self._session.default_buffer.text and not app.is_done:
                self._woken = True
                app.exit(result="")
            elif self._news:
                app.invalidate()
