"""Displays the combatants at the interactive table: all of them below the prompt, or those that changed above it."""

from collections.abc import Collection

from rich.console import Console
from rich.text import Text

from ledger.entry import Seat
from replays.cli import screen
from replays.cli.tracker_rows import CombatantRow, laid_out, rows_of
from replays.table.table import Table


class Tracker:
    """The combatants, and what of them was printed last.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._printed: dict[str, list[str]] = {}
        """The words of the rows that were printed last, by combatant, without the mark of their turn."""
        self._moment: tuple[object, ...] = ()
        """The round and the combatants of the last time that all rows were printed."""

    def show(self, console: Console, *, is_corrected: bool = False) -> None:
        """Prints the rows that changed; all of them at first, in a new round, after a correction, and at a terminal.

        Args:
            console: The console to print to.
            is_corrected: Whether a correction was written since the last time.
        """
        state, clock = self._table.session.state(eyes=self._table.eyes), self._table.seen.clock
        rows = rows_of(state, fighting=clock.fighting, hidden=_hidden(self._table))
        lines = {row.who: each for row, each in zip(rows, laid_out(rows, console.width), strict=True)}
        plain = {who: " ".join(line.plain for line in each)[1:].split() for who, each in lines.items()}
        moment = (clock.combat, clock.round, clock.fighting, sorted(lines))
        is_whole = is_corrected or console.is_terminal or moment != self._moment
        if is_whole:
            console.rule(f"[dim]{screen.moment(clock)} · entry {state.head}[/]", align="left", style="dim")
        for who, each in lines.items():
            if is_whole or plain[who] != self._printed.get(who):
                console.print(*each, sep="\n", no_wrap=True, crop=True)
        self._printed, self._moment = plain, moment


def tracker(console: Console, table: Table) -> None:
    """Prints all combatants, below a line with the moment of the fight."""
    Tracker(table).show(console)


def height(console: Console, table: Table) -> int:
    """Returns the number of lines that the combatants need on a screen."""
    return len(pinned(table, console.width, console.height))


def pinned(table: Table, width: int, height: int) -> list[Text]:
    """Returns the lines of the combatants for a part of the screen that stays.

    Where they do not fit beside a question, unharmed combatants who are not acting are omitted, the last first.

    Args:
        table: The table.
        width: The columns of the screen.
        height: The lines of the screen.
    """
    state = table.session.state(eyes=table.eyes)
    rows = rows_of(state, fighting=table.seen.clock.fighting, hidden=_hidden(table))
    return _fitted(rows, width, max(_FEWEST, height - _OTHER_LINES))


def _hidden(table: Table) -> Collection[str]:
    """Returns for the gamemaster the combatants who are hidden from some players."""
    return table.seen.roster.hidden() if table.who.seat is Seat.GM else ()


_FEWEST, _OTHER_LINES = 3, 11
"""The least number of lines for combatants; the lines of a screen for what happened, the question and the prompt."""


def _fitted(rows: list[CombatantRow], width: int, most: int) -> list[Text]:
    shown = list(rows)
    while True:
        spare = next((row for row in reversed(shown) if not row.acts and not row.is_harmed), None)
        omitted = len(rows) - len(shown)
        if spare is None or len(shown) + bool(omitted) <= most:  # a row needs a line or more
            lines = [line for each in laid_out(shown, width) for line in each]
            if spare is None or len(lines) + bool(omitted) <= most:
                return [*lines, Text(f"  … {omitted} more without harm: show", style="dim")] if omitted else lines
        shown.remove(spare)
