"""Reads lines from a terminal, with arrow keys, history and completion."""

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


class TableCompleter(Completer):
    """Completes lines with the words of the table."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
        """Yields the words that fit at the cursor."""
        for word in completions(self._table, document.text_before_cursor):
            yield Completion(word.text, start_position=-word.back, display_meta=word.about)


class SafeHistory(FileHistory):
    """A history in a file; if the file cannot be written, the history is kept in memory."""

    def store_string(self, string: str) -> None:
        """Stores a line if the file can be written."""
        try:
            super().store_string(string)
        except OSError:
            return


def history() -> History:
    """Returns the history of earlier calls: ``$XDG_STATE_HOME/affray/history``."""
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    try:
        path = Path(home).expanduser() / "affray" / "history"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return SafeHistory(str(path))


class LineReader:
    """Reads lines after a prompt, with arrow keys, history and completion; wakes when another person writes.

    Args:
        table: Provides completions, and whether another person has written.
        toolbar: Returns the text of the bottom line.
        kept: The history; by default the one in the file.
        keys: The input; by default the keyboard.
        screen: The output; by default the terminal.
        every: Seconds between checks of the log.
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
            completer=TableCompleter(table),
            complete_while_typing=False,
            bottom_toolbar=self._bottom,
            input=keys,
            output=screen,
        )

    def __call__(self, prompt: str, begun: str = "") -> str | None:
        """Returns a line; None if another person wrote and nothing was typed.

        Args:
            prompt: The text before the line.
            begun: The text that the line starts with.
        """
        self._news = self._woken = False
        line = self._session.prompt(prompt, default=begun, pre_run=self._watch)
        return None if self._woken else line

    def _bottom(self) -> str:
        return " news: Enter ·" + self._toolbar() if self._news else self._toolbar()

    def _watch(self) -> None:
        """Checks the log as long as the prompt is shown; in the same thread, because the store is not shared."""
        self._session.app.create_background_task(self._look())

    async def _look(self) -> None:
        app = self._session.app
        while not self._woken:
            await asyncio.sleep(self._every)
            try:
                self._news = self._table.is_behind
            except Refused:  # the next line reports it
                return
            if self._news and not self._session.default_buffer.text and not app.is_done:
                self._woken = True
                app.exit(result="")
            elif self._news:
                app.invalidate()
