"""Lines from a terminal, with arrow keys, history and completion."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from replays.table.completing import completions

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


def reader(
    table: "Table",
    toolbar: Callable[[], str],
    kept: History | None = None,
    keys: "Input | None" = None,
    screen: "Output | None" = None,
) -> Callable[[str], str]:
    """Reads a line behind a prompt, with arrow keys, history and completion.

    Args:
        table: Knows what fits.
        toolbar: What stands at the bottom.
        kept: Earlier lines; left out, those in the file.
        keys: Left out, the keyboard.
        screen: Left out, the terminal.
    """
    session: PromptSession[str] = PromptSession(
        history=history() if kept is None else kept,
        completer=Words(table),
        complete_while_typing=False,
        bottom_toolbar=toolbar,
        input=keys,
        output=screen,
    )
    return session.prompt
