"""Displays what a line of the interactive table wrote and found, above the combatants and the question."""

from collections.abc import Sequence

import msgspec
from rich.console import Console

from ledger.entry import Entry
from ledger.events import InitiativeScored, OrderFixed
from replays.cli import board
from replays.cli.screen import safe
from replays.cli.views.log_view import marked
from replays.cli.views.result_view import refusal, verb_result
from replays.exports.narrative import narrate
from replays.table.done import LineResult
from replays.table.table import Table

_NO_END = 10_000
"""Number of lines for what happened without a terminal: no limit."""


def line_result(console: Console, table: Table, result: LineResult) -> None:
    """Shows the result of a line."""
    if result.refused is not None:
        refusal(console, result.refused)
    entries(console, table, result.entries)
    verb_result(console, table, result.done)


def entries(console: Console, table: Table, written: Sequence[Entry]) -> None:
    """Shows what was written; after a correction, only the entries with a different result."""
    numbered: list[tuple[str, str]] = []
    again = [entry for entry in written if entry.origin is not None and _as_before(table, entry)]
    for entry in written:
        if entry not in again:
            sentences = marked(_brief(entry), table.state_at(entry.after))
            numbered += [(str(entry.seq) if not place else "", each) for place, each in enumerate(sentences)]
    room = _room(console, table)
    if len(numbered) > room:
        console.print(f"[dim]      … {len(numbered) - room} lines more: log {len(written)}[/]")
    for seq, sentence in numbered[-room:]:
        console.print(f"[cyan]{seq:>5}[/] {safe(sentence)}", overflow="ellipsis", no_wrap=True)
    if again:
        console.print(f"[dim]      {len(again)} more performed again, with the same result[/]")


def _brief(entry: Entry) -> Entry:
    """Returns an entry without the initiative scores that its order repeats."""
    if not any(isinstance(event, OrderFixed) for event in entry.events):
        return entry
    events = tuple(event for event in entry.events if not isinstance(event, InitiativeScored))
    return msgspec.structs.replace(entry, events=events)


def _room(console: Console, table: Table) -> int:
    """Returns the number of lines for what happened, above tracker and question; unlimited without a terminal."""
    if not console.is_terminal:
        return _NO_END
    return max(
        board.LEAST, console.height - len(table.seen.roster.here()) - board.BELOW - board.options_height(console, table)
    )


def _as_before(table: Table, entry: Entry) -> bool:
    """Returns whether an entry that was performed again has the same narration as its original."""
    origin = table.session.log.entry(entry.origin or 0)
    before = set(narrate(origin, table.state_at(origin.after)))
    return all(sentence in before for sentence in list(narrate(entry, table.state_at(entry.after)))[1:])
