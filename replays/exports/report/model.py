"""A report of a fight as data: what a page shows, gathered from the record as one seat may see it."""

import msgspec

from ledger.entry import Entry
from replays.corrections.change import kind_in_words
from replays.exports.report.sums import Sum
from replays.exports.report.tracker import Row, Series
from replays.exports.report.words import Word


class Told(msgspec.Struct, frozen=True):
    """A sentence with its page."""

    text: str
    source: str = ""


class Line(msgspec.Struct, frozen=True):
    """An entry, or the part of one that belongs to a turn."""

    seq: int
    by: str
    said: tuple[Told | Word, ...]
    sums: tuple[Sum, ...] = ()


class Turn(msgspec.Struct, frozen=True):
    """What happened in somebody's turn; without a title, what happened between turns."""

    title: str
    lines: tuple[Line, ...]


class Round(msgspec.Struct, frozen=True):
    """A round, or what happened before and after the fight."""

    title: str
    turns: tuple[Turn, ...]
    rows: tuple[Row, ...]
    """The tracker at its end."""
    caption: str
    """When that was."""
    first: int
    """The place of its first entry among those that stand, from 0."""


class Fallen(msgspec.Struct, frozen=True):
    """An entry that no longer stands."""

    line: Line
    because: int
    """The entry that took it back; 0 for a rewinding itself."""


class Head(msgspec.Struct, frozen=True):
    """What a report begins with."""

    title: str
    session: str
    ruleset: str
    """The game's title where it is installed, else its name."""
    profile: str
    source: str
    """Where the fight comes from, if it is printed somewhere."""
    policies: dict[str, str]
    entries: int
    standing: int
    digest: str
    seat: str
    """For whom the report is."""
    played: tuple[tuple[str, tuple[str, ...]], ...]
    """Each person with the names of those they play."""
    wrote: tuple[str, ...]
    """Everybody who entered something."""
    dates: tuple[str, str]
    """The days of the first entry and of the last."""


class Cited(msgspec.Struct, frozen=True):
    """A book with its pages that the fight cites."""

    code: str
    title: str
    pages: tuple[tuple[str, tuple[int, ...]], ...]
    """Page and heading, with the entries that cite it."""


class Report(msgspec.Struct, frozen=True):
    """Everything on the page."""

    head: Head
    rounds: tuple[Round, ...]
    names: dict[str, str]
    """What people call the combatants, by id."""
    series: tuple[Series, ...]
    words: tuple[Word, ...]
    """What no rule decided, of entries that stand."""
    fallen: tuple[Fallen, ...]
    cited: tuple[Cited, ...]


def out_of_sight(entry: Entry, *, visible: bool) -> Told:
    """What is said of an entry that has no sentence.

    Args:
        entry: The entry.
        visible: May the reader see what was asked for?
    """
    return Told(f"{kind_in_words(entry.command).capitalize()}: nothing to tell." if visible else "Out of sight.")
