"""The model of a report: the contents of the page, gathered from the record as one seat may see it."""

import msgspec

from ledger.entry import Entry
from replays.corrections.change import kind_in_words
from replays.exports.report.sums import Sum
from replays.exports.report.tracker import Row, Series
from replays.exports.report.words import Word


class Told(msgspec.Struct, frozen=True):
    """A sentence, with the page it cites."""

    text: str
    source: str = ""


class Line(msgspec.Struct, frozen=True):
    """An entry, or the part of one that belongs to a turn."""

    seq: int
    by: str
    said: tuple[Told | Word, ...]
    sums: tuple[Sum, ...] = ()


class Turn(msgspec.Struct, frozen=True):
    """The entries of a turn; without a title, those between turns."""

    title: str
    lines: tuple[Line, ...]


class Round(msgspec.Struct, frozen=True):
    """A round, or the time before and after the fight."""

    title: str
    turns: tuple[Turn, ...]
    rows: tuple[Row, ...]
    """The tracker at its end."""
    caption: str
    """The time that the tracker shows."""
    first: int
    """The index of its first entry among those that stand, from 0."""


class Fallen(msgspec.Struct, frozen=True):
    """An entry that no longer stands."""

    line: Line
    because: int
    """The entry that undid it; 0 for a rewind itself."""


class Head(msgspec.Struct, frozen=True):
    """The head of the page."""

    title: str
    session: str
    ruleset: str
    """The game's title where it is installed, else its name."""
    profile: str
    source: str
    """Where the fight is printed, if it is."""
    policies: dict[str, str]
    entries: int
    standing: int
    digest: str
    seat: str
    """The seat that the report is for."""
    played: tuple[tuple[str, tuple[str, ...]], ...]
    """Each person with the names of their combatants."""
    wrote: tuple[str, ...]
    """Each person who wrote an entry."""
    dates: tuple[str, str]
    """The days of the first entry and of the last."""


class Cited(msgspec.Struct, frozen=True):
    """A book, with the pages that the fight cites."""

    code: str
    title: str
    pages: tuple[tuple[str, tuple[int, ...]], ...]
    """Page and heading, with the entries that cite it."""


class Report(msgspec.Struct, frozen=True):
    """The contents of the page."""

    head: Head
    rounds: tuple[Round, ...]
    names: dict[str, str]
    """The names of the combatants, by id."""
    series: tuple[Series, ...]
    words: tuple[Word, ...]
    """Decisions that override rules, of entries that stand."""
    fallen: tuple[Fallen, ...]
    cited: tuple[Cited, ...]


def out_of_sight(entry: Entry, *, visible: bool) -> Told:
    """Returns the sentence for an entry that has no other.

    Args:
        entry: The entry.
        visible: Whether the viewer may see its command.
    """
    return Told(f"{kind_in_words(entry.command).capitalize()}: nothing to tell." if visible else "Out of sight.")
