"""The model of a report: the contents of the page, gathered from the record as one seat may see it."""

import msgspec

from replays.exports.recap.model import Recap
from replays.exports.report.health import DownMark
from replays.exports.report.sums import ReportRoll
from replays.exports.report.tracker import Series, TrackerRow
from replays.exports.report.words import Word


class CitedSentence(msgspec.Struct, frozen=True):
    """A sentence, with the page it cites."""

    text: str
    source: str = ""


class ReportLine(msgspec.Struct, frozen=True):
    """An entry, or the part of one that belongs to a turn."""

    seq: int
    by: str
    said: tuple[CitedSentence | Word, ...]
    sums: tuple[ReportRoll, ...] = ()


class ReportTurn(msgspec.Struct, frozen=True):
    """The entries of a turn; without a title, those between turns."""

    title: str
    lines: tuple[ReportLine, ...]


class ReportRound(msgspec.Struct, frozen=True):
    """A round, or the time before and after the fight."""

    title: str
    turns: tuple[ReportTurn, ...]
    rows: tuple[TrackerRow, ...]
    """The tracker at its end."""
    caption: str
    """The time that the tracker shows."""
    first: int
    """The index of its first entry among those that stand, from 0."""


class Fallen(msgspec.Struct, frozen=True):
    """An entry that no longer stands."""

    line: ReportLine
    because: int
    """The entry that undid it; 0 for a rewind itself."""


class ReportHeader(msgspec.Struct, frozen=True):
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


class FightReport(msgspec.Struct, frozen=True):
    """The contents of the page."""

    head: ReportHeader
    rounds: tuple[ReportRound, ...]
    names: dict[str, str]
    """The names of the combatants, by id."""
    series: tuple[Series, ...]
    downs: dict[str, tuple[DownMark, ...]]
    """For each combatant, the moments of going down."""
    recap: Recap
    words: tuple[Word, ...]
    """Decisions that override rules, of entries that stand."""
    fallen: tuple[Fallen, ...]
    cited: tuple[Cited, ...]
