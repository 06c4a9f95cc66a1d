"""Reads lines from a terminal, with arrow keys, history and completion."""

import asyncio
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, merge_formatted_text
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import is_dumb_terminal

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
        toolbar: Returns the text below the prompt, with its colors, for a width and height of the terminal.
        kept: The history; by default the one in the file.
        keys: The input; by default the keyboard.
        screen: The output; by default the terminal.
        every: Seconds between checks of the log.
    """

    def __init__(
        self,
        table: "Table",
        toolbar: Callable[[int, int], str],
        kept: History | None = None,
        keys: "Input | None" = None,
        screen: "Output | None" = None,
        every: float = 1.0,
    ) -> None:
        self._table = table
        self._toolbar = toolbar
        self._every = every
        self._news = self._woken = False
        self._below: dict[tuple[int, int], ANSI] = {}
        """The text below the present prompt, by the width and height of the terminal."""
        self._session: PromptSession[str] = PromptSession(
            history=history() if kept is None else kept,
            completer=TableCompleter(table),
            complete_while_typing=False,
            bottom_toolbar=self._bottom,
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
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
        self._below.clear()
        line = self._session.prompt(prompt, default=begun, pre_run=self._watch)
        return None if self._woken else line

    @property
    def keeps_tracker(self) -> bool:
        """Whether the combatants stay below the prompt, because the terminal reports where its cursor is."""
        app = self._session.app
        answers = app.output.responds_to_cpr and app.renderer.cpr_support != CPR_Support.NOT_SUPPORTED
        return not is_dumb_terminal() and (answers or app.renderer.height_is_known)

    def _bottom(self) -> AnyFormattedText:
        size = self._session.app.output.get_size()
        found = self._below.get((size.columns, size.rows))
        if found is None:
            found = self._below[size.columns, size.rows] = ANSI(self._toolbar(size.columns, size.rows))
        return merge_formatted_text([" news: Enter\n", found]) if self._news else found

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
