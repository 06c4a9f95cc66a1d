"""Lays out combatants in rows: names are shortened first, and no damage, wound, condition or score is cut."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

import msgspec
from rich.text import Text

from ledger.key import UNSEEN
from machines.registry import vocabulary_of
from projections.views.document import CombatantView, State, TrackView
from replays.cli.screen import MARK, bar, safe

_WIDE = 100
"""Width from which on resources are shown of which nothing was spent."""
_SPENT = 2
"""How many spent resources names give way to."""
_NARROWEST = 8
"""The least room for conditions; a screen that is narrower is not served."""


class Fit(NamedTuple):
    """How much of a row is shown."""

    names: int
    """The longest name; 0 for full names beside ids."""
    bar: int
    """The width of a bar; 0 for none."""


_FITS = (Fit(0, 8), Fit(32, 8), Fit(16, 8), Fit(12, 8), Fit(9, 8), Fit(9, 4), Fit(7, 4), Fit(7, 0))
"""How much is shown, from the most to the least."""


class CombatantRow(msgspec.Struct, frozen=True):
    """A combatant in the tracker."""

    who: str
    name: str
    """The id, with the full name where the id is not just the same in other letters."""
    acts: bool
    score: str
    first: tuple[str, TrackView] | None
    """The first damage track."""
    others: tuple[tuple[str, TrackView], ...]
    """Every other one that is not empty."""
    words: tuple[str, ...]
    """Counters and conditions, with their levels."""
    spent: tuple[str, ...]
    """Resources of which something was spent."""
    unspent: tuple[str, ...]
    is_hidden: bool = False
    """Whether to mark it as hidden from some players."""

    @property
    def is_harmed(self) -> bool:
        """Whether anything but the name and the score is worth reading."""
        taken = self.first is not None and self.first[1].taken
        return bool(taken or self.others or self.words)

    @property
    def is_full(self) -> bool:
        """Whether a track has no room left."""
        tracks = (self.first, *self.others)
        return any(each is not None and each[1].capacity and each[1].taken >= each[1].capacity for each in tracks)


def rows_of(state: State, *, fighting: bool, hidden: Collection[str] = ()) -> list[CombatantRow]:
    """Returns the combatants in their order.

    Args:
        state: The state.
        fighting: Whether a fight is going on, so that they have scores.
        hidden: The combatants to mark as hidden from some players.
    """
    scores = dict(state.initiative if fighting else ())
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    return [_row(state, who, scores.get(who), is_hidden=who in hidden) for who in order]


def _row(state: State, who: str, score: int | None, *, is_hidden: bool) -> CombatantRow:
    combatant = state.combatants[who]
    is_short = combatant.name.lower().replace(" ", "-") in (who, f"the-{who}")
    called = _called(state, who)
    words = vocabulary_of(state.ruleset)
    tracks = [(words.harm(name), track) for name, track in combatant.tracks.items()]
    left = [(f"{name} {each.left}/{each.of}", each.left != each.of) for name, each in combatant.resources.items()]
    return CombatantRow(
        called,
        called if is_short or called != who else f"{who} ({combatant.name})",
        state.active == who,
        "" if score is None else str(score),
        tracks[0] if tracks else None,
        tuple(each for each in tracks[1:] if each[1].taken),
        tuple(_words(combatant, words.counters)),
        tuple(words for words, is_spent in left if is_spent),
        tuple(words for words, is_spent in left if not is_spent),
        is_hidden,
    )


def _called(state: State, who: str) -> str:
    """Returns the id of a combatant; of one who joined in secret the name, if no other combatant has it."""
    name = state.combatants[who].name
    others = [*state.combatants, *(one.name for each, one in state.combatants.items() if each != who)]
    return name if who.startswith(UNSEEN) and name not in others else who


def _words(combatant: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    """Yields counters and conditions."""
    for word in counters:
        count = combatant.count(word)
        if count:
            yield f"{count} {word.removesuffix('s') if count == 1 else word}"
    for each in combatant.conditions:
        yield each.name.replace("_", " ") + (f" {each.level}" if each.level is not None else "")


# ------------------------------------------------------------------------------------------------ on the screen


def laid_out(rows: Sequence[CombatantRow], width: int) -> list[list[Text]]:
    """Returns the lines of each row: one each, unless conditions do not fit beside the shortest name.

    Args:
        rows: The rows.
        width: The columns of the screen.
    """
    found = [_laid_out(rows, names, fit, width) for fit in _FITS if (names := _names(rows, fit)) is not None]
    best = min(found, key=lambda each: (sum(len(lines) for lines, _ in each), sum(omitted for _, omitted in each)))
    return [lines for lines, _ in best]


def _laid_out(
    rows: Sequence[CombatantRow], names: Sequence[Text], fit: Fit, width: int
) -> list[tuple[list[Text], int]]:
    """Returns the lines of each row, and how many of the first resources are omitted."""
    first = [Text() if row.first is None else _track(row.first, fit) for row in rows]
    scores = [_text(row.score) for row in rows]
    columns = [max((part.cell_len for part in parts), default=0) for parts in (names, scores, first)]
    parts = zip(rows, zip(names, scores, first, strict=True), strict=True)
    return [_lines(row, fit, cells, columns, width) for row, cells in parts]


def _names(rows: Sequence[CombatantRow], fit: Fit) -> list[Text] | None:
    """Returns the names in their columns; None if two of them would look alike."""
    marks = [f"{MARK} " if row.is_hidden else "" for row in rows]
    short = [shortened(row.who, fit.names) if fit.names else row.name for row in rows]
    names = [mark + name for mark, name in zip(marks, short, strict=True)]
    return [_text(each) for each in names] if len(set(names)) == len(names) or fit.names == 0 else None


def shortened(name: str, longest: int) -> str:
    """Returns a name with its middle omitted, so that a number at its end stays.

    >>> shortened("security-guard-12", 9), shortened("kade", 9)
    ('secur…-12', 'kade')
    """
    if len(name) <= longest:
        return name
    tail = re.search(_NUMBER, name)
    number = tail[0] if tail is not None and len(tail[0]) < longest - 2 else ""
    return f"{name[: longest - len(number) - 1]}…{number}"


_NUMBER = r"-?[0-9]*$"


def _track(track: tuple[str, TrackView], fit: Fit) -> Text:
    name, harm = track
    shown = f"{bar(harm.taken, harm.capacity, fit.bar)} " if fit.bar else ""
    return Text.from_markup(f"{shown}{safe(name)} {harm.taken}/{harm.capacity}")


def _essentials(row: CombatantRow, fit: Fit) -> list[Text]:
    """Returns what is never omitted from a row, after the first track."""
    return [*(_track(each, fit) for each in row.others), *map(_text, row.words)]


def _joined(parts: Iterable[Text]) -> Text:
    return Text(", ").join(parts)


def _text(words: str, style: str = "") -> Text:
    return Text.from_markup(safe(words), style=style)


def _lines(
    row: CombatantRow, fit: Fit, cells: tuple[Text, Text, Text], columns: Sequence[int], width: int
) -> tuple[list[Text], int]:
    """Returns the lines of one combatant, and how many of the first resources are omitted."""
    (name, score, track), (most, longest, tracks) = cells, columns
    name.stylize("bold" if row.acts else "dim" if row.is_full else "")
    head = Text("▶ " if row.acts else "  ") + name + Text(" " * (most - name.cell_len + 1))
    if longest:
        head += Text(" " * (longest - score.cell_len)) + score + Text(" ")
    head += track + Text(" " * (tracks - track.cell_len + 1))
    room = max(_NARROWEST, width - head.cell_len)
    lines = _filled(_essentials(row, fit), room)
    omitted = _add_resources(lines, row, width, room)
    found = [(Text(" " * head.cell_len) if place else head) + line for place, line in enumerate(lines)]
    for line in found:
        line.rstrip()
    return found, omitted


def _filled(parts: Iterable[Text], room: int) -> list[Text]:
    """Returns parts on as few lines as they fit; a part that is too long is divided between its words."""
    lines = [Text()]
    for part in parts:
        first, *others = [part] if part.cell_len < room else map(Text, wrap(part.plain, room - 1))
        longer = _joined([lines[-1], first] if lines[-1] else [first])
        if longer.cell_len < room or not lines[-1]:
            lines[-1] = longer
        else:
            lines[-1] += Text(",")
            lines.append(first)
        lines += others
    return lines


def _add_resources(lines: list[Text], row: CombatantRow, width: int, room: int) -> int:
    """Adds the resources that fit on the last line, and a mark for others; returns how many spent ones do not fit."""
    unspent = row.unspent if width >= _WIDE else ()
    parts = [*map(_text, row.spent), *(_text(each, "dim") for each in unspent)]
    for place, part in enumerate(parts):
        longer = _joined([lines[-1], part] if lines[-1] else [part])
        if longer.cell_len + (2 if place + 1 < len(parts) else 0) > room:
            lines[-1] += Text(" …" if lines[-1].cell_len + 2 <= room else "")
            return max(0, min(_SPENT, len(row.spent)) - place)
        lines[-1] = longer
    return 0
