"""Describes the entries that a rewind sets aside, and those that it brings back."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ledger.entry import Entry
from ledger.events import DiceRolled, DiceTold
from replays.corrections.change import kind_in_words
from replays.exports.narrative import told
from replays.sessions import undo
from replays.sessions.log import Log
from replays.table.at_table import TableContext

_FIRST, _LATEST = 4, 2
"""How many entries at the beginning and at the end are listed; those between are counted."""


class MovedEntries:
    """The entries that a rewind sets aside, and those that it brings back.

    Args:
        table: The table of a gamemaster, who may see all of them.
        to: The entry that is to be the last that stands.
    """

    def __init__(self, table: TableContext, to: int) -> None:
        self._table = table
        log = table.session.log
        self.undone, self.restored = undo.branches(log.timeline, log.head, log.timeline.head_at(to))

    def is_plain_line(self) -> bool:
        """Returns whether the person alone wrote what is set aside, without dice, and nothing comes back."""
        entries = [self._entry(seq) for seq in self.undone]
        is_thrown = any(isinstance(event, DiceRolled | DiceTold) for entry in entries for event in entry.events)
        return not self.restored and not is_thrown and not self._others(self.undone)

    def question(self) -> str:
        """Returns the question whether to move them."""
        parts = [f"take back {numbered(self.undone)}{self._by_others()}"] if self.undone else []
        parts += [f"bring back {numbered(self.restored)}"] if self.restored else []
        return f"{', and '.join(parts)}?"

    def statement(self, *, is_listed: bool) -> str:
        """Returns what was moved; names the first entry, unless all of them were listed already."""
        verbs = (("took back", self.undone), ("brought back", self.restored))
        return ", and ".join(
            f"{verb} {numbered(moved)}{'' if is_listed else self._beginning(moved)}" for verb, moved in verbs if moved
        )

    def listed(self) -> tuple[str, ...]:
        """Returns a line for each entry; many are counted."""
        if not (self.undone and self.restored):
            return tuple(self._lines(self.undone or self.restored))
        return "taken back:", *self._lines(self.undone), "brought back:", *self._lines(self.restored)

    def _lines(self, moved: Sequence[int]) -> Iterator[str]:
        left = len(moved) - _FIRST - _LATEST
        shown = moved if left < 2 else (*moved[:_FIRST], 0, *moved[-_LATEST:])
        yield from (f"{seq:>5} {self._sentence(seq)}" if seq else f"      … {left} more" for seq in shown)

    def _beginning(self, moved: Sequence[int]) -> str:
        return f": {self._sentence(moved[0]).rstrip('.')}{', and what followed' if len(moved) > 1 else ''}"

    def _by_others(self) -> str:
        others = self._others(self.undone)
        some = "some " if any(self._entry(seq).by.name not in others for seq in self.undone) else ""
        return f" ({some}by {' and '.join(others)})" if others else ""

    def _others(self, moved: Sequence[int]) -> list[str]:
        """Returns the names of other persons who wrote some of the entries."""
        authors = (self._entry(seq).by for seq in moved)
        return list(dict.fromkeys(author.name for author in authors if author != self._table.who))

    def _sentence(self, seq: int) -> str:
        return first_sentence(self._table.session.log, seq)

    def _entry(self, seq: int) -> Entry:
        log = self._table.session.log
        return log.disclosures.entry(log.entry(seq))


def first_sentence(log: Log, seq: int) -> str:
    """Returns the first sentence of an entry, or the kind of its command in words."""
    entry = log.disclosures.entry(log.entry(seq))
    sentences = told(entry, log.state(entry.after))
    return next((text for event, text in sentences if event is not None), f"{kind_in_words(entry.command)}.")


def numbered(entries: Sequence[int]) -> str:
    """Returns entries by their numbers, in ranges.

    >>> numbered([7]), numbered([3, 4, 5, 9])
    ('entry 7', 'entries 3-5, 9')
    """
    runs = [[seq for _, seq in run] for _, run in groupby(enumerate(entries), key=lambda each: each[1] - each[0])]
    shown = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{'entry' if len(entries) == 1 else 'entries'} {shown}"
