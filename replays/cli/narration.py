"""Displays what a line of the interactive table wrote and found, above the combatants and the question."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from rich.console import Console

from ledger import events as e
from ledger.commands import ApplyModifier
from ledger.entry import Entry
from replays.cli import board, tracker
from replays.cli.screen import MARK, hanging, safe
from replays.cli.views.log_view import marked_events
from replays.cli.views.result_view import refusal, verb_result
from replays.exports.narrative import narrate
from replays.table.done import LineResult
from replays.table.language.attack_line import attack_line
from replays.table.table import Table

_NO_END, _FEWEST = 10_000, 3
"""Number of lines for what happened without a terminal, where there is no limit; minimum above a correction."""
_MOST_ON_A_LINE = 4
"""More sentences than this seldom share a line."""
_INDENT = 6
"""Width of the number of an entry, with a space."""
_PARTS = e.ModifierApplied | e.FigureFound | e.OrderFixed | e.ResourceSpent | e.TurnEnded
"""Events that state how something came about, or that the tracker shows: the first to be omitted for want of room."""
_ROLLS = e.DiceRolled | e.Chosen | e.PassBegan | e.ReadingChanged
"""Events that are omitted next: their results follow."""


class _Told(NamedTuple):
    """A sentence of what happened."""

    seq: int
    """The number of its entry."""
    sentence: str
    rank: int
    """How soon it is omitted for want of room; 0 for last."""


def line_result(console: Console, table: Table, result: LineResult, below: int = 0) -> None:
    """Shows the result of a line.

    Args:
        console: The console to print to.
        table: The table.
        result: The result.
        below: The number of lines about a correction that follow below.
    """
    if result.refused is not None:
        refusal(console, result.refused)
    entries(console, table, result.entries, below)
    verb_result(console, table, result.done)


def entries(console: Console, table: Table, written: Sequence[Entry], below: int = 0) -> None:
    """Shows what was written; after a correction, only the entries with a different result.

    Where a screen has too little room, results are kept, and the sums that led to them are omitted first.

    Args:
        console: The console to print to.
        table: The table.
        written: The entries.
        below: The number of lines about a correction that follow below.
    """
    again = [entry for entry in written if entry.origin is not None and _as_before(table, entry)]
    given = [each.command for each in written if isinstance(each.command, ApplyModifier)]
    modifiers = [*table.attached.waiting(table.session.combat), *given]
    told = [each for entry in written if entry not in again for each in _told(table, entry, modifiers)]
    width = console.width - _INDENT
    shown, omitted = _within(told, max(_FEWEST, _room(console, table) - bool(again) - below), width)
    if omitted:
        more = "1 sentence" if omitted == 1 else f"{omitted} sentences"
        console.print(f"[dim]      … {more} more: log {len(written)}[/]")
    before = 0
    for seq, sentence in shown:
        for line in hanging(sentence, width):
            console.print(f"[cyan]{'' if seq == before else seq:>5}[/] {safe(line)}", soft_wrap=True)
            before = seq
    if again:
        console.print(f"[dim]      {len(again)} more performed again, with the same result[/]")


def _told(table: Table, entry: Entry, modifiers: Sequence[ApplyModifier]) -> Iterator[_Told]:
    """Yields the sentences of an entry; an attack that it declares is described in one line, with its modifiers."""
    before = table.state_at(entry.after)
    attack = attack_line(table.game, entry, before, modifiers)
    if attack is None:
        yield from (_Told(entry.seq, text, _rank(event)) for event, text in marked_events(_brief(entry), before))
        return
    if entry.origin is not None:
        yield _Told(entry.seq, f"Entry {entry.origin} is performed again.", 0)
    yield _Told(entry.seq, f"{MARK} {attack.text}" if attack.declared.seen_by is not None else attack.text, 0)
    for event, text in marked_events(attack.entry, before):
        if event is not None:
            yield _Told(entry.seq, text, _rank(event))


def _rank(event: e.Event | None) -> int:
    return 2 if isinstance(event, _PARTS) else 1 if isinstance(event, _ROLLS) else 0


def _within(told: Sequence[_Told], room: int, width: int) -> tuple[Sequence[tuple[int, str]], int]:
    """Returns what fits in a number of lines, and how many sentences are omitted.

    Where not all fit, sentences share lines, and the most important ones are kept, of these the latest.
    """
    whole = [each[:2] for each in told]
    if _height(whole, width) <= room:
        return whole, 0
    if len(told) <= _MOST_ON_A_LINE * room and _height(_packed(told, room, width), width) <= room:
        return _packed(told, room, width), 0
    kept: list[int] = []
    for place in sorted(range(len(told)), key=lambda each: (told[each].rank, -each)):
        more = sorted([*kept, place])
        if _height(_packed([told[each] for each in more], room - 1, width), width) < room:
            kept = more
    return _packed([told[place] for place in kept], room - 1, width), len(told) - len(kept)


def _height(lines: Iterable[tuple[int, str]], width: int) -> int:
    return sum(len(hanging(sentence, width)) for _, sentence in lines)


def _packed(told: Sequence[_Told], room: int, width: int) -> list[tuple[int, str]]:
    """Returns the numbers and sentences of entries; as far as room is wanting, sentences of an entry share a line."""
    lines, place = [each[:2] for each in told], 0
    while place + 1 < len(lines) and _height(lines, width) > room:
        (seq, one), (next_seq, other) = lines[place : place + 2]
        if seq == next_seq and len(one) + 1 + len(other) < width:
            lines[place : place + 2] = [(seq, f"{one} {other}")]
        else:
            place += 1
    return lines


def _brief(entry: Entry) -> Entry:
    """Returns an entry without the initiative scores that its order repeats."""
    if not any(isinstance(event, e.OrderFixed) for event in entry.events):
        return entry
    events = tuple(event for event in entry.events if not isinstance(event, e.InitiativeScored))
    return msgspec.structs.replace(entry, events=events)


def _room(console: Console, table: Table) -> int:
    """Returns the number of lines for what happened, above tracker and question; unlimited without a terminal."""
    if not console.is_terminal:
        return _NO_END
    others = tracker.height(console, table) + board.BELOW + board.options_height(console, table)
    return max(board.LEAST, console.height - others)


def _as_before(table: Table, entry: Entry) -> bool:
    """Returns whether an entry that was performed again has the same narration as its original."""
    origin = table.session.log.entry(entry.origin or 0)
    before = set(narrate(origin, table.state_at(origin.after)))
    return all(sentence in before for sentence in list(narrate(entry, table.state_at(entry.after)))[1:])
