"""Groups the entries of a report by round and turn; splits an entry in which one turn ends and another begins."""

from collections.abc import Mapping, Sequence

import msgspec

from ledger import events as e
from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.exports.report.model import CitedSentence, ReportLine, ReportRound, ReportTurn
from replays.exports.report.sums import ReportRoll
from replays.exports.report.tracker import TrackerRow, rows
from replays.exports.report.words import Word

_HEADINGS = (e.RoundBegan, e.TurnBegan)
"""Events that become headings."""
_BEFORE, _AFTER = "Before the fight", "After the fight"
_CAPTIONS = {_BEFORE: "As the fight begins", _AFTER: "In the end"}


class EntryText(msgspec.Struct, frozen=True):
    """The text of an entry, by the identity of its events, in order."""

    entry: Entry
    before: Combat
    by_event: Mapping[int, CitedSentence | Word]
    sums: Sequence[ReportRoll] = ()
    lead: tuple[CitedSentence | Word, ...] = ()
    """Text about the entry itself, or its only text."""


class _OpenTurn(msgspec.Struct):
    """A turn while its lines are collected."""

    title: str = ""
    lines: list[ReportLine] = []


class _OpenRound(msgspec.Struct):
    """A round while its turns are collected."""

    title: str
    first: int
    turns: list[_OpenTurn] = msgspec.field(default_factory=lambda: [_OpenTurn()])
    is_named: bool = True
    rows: tuple[TrackerRow, ...] = ()


class RoundGrouper:
    """Groups standing entries by round and turn as they are added."""

    def __init__(self) -> None:
        self._rounds = [_OpenRound(_BEFORE, 0)]
        self.count = 0
        """The number of entries added."""

    def add(self, text: EntryText) -> None:
        """Adds an entry."""
        entry, part, sums = text.entry, list(text.lead), list[ReportRoll]()
        has_lines = False
        last = {one.key: _last(entry, one.key) for one in text.sums}
        for place, event in enumerate(entry.events):
            if isinstance(event, e.CombatBegan | e.RoundBegan | e.TurnBegan):
                if not (isinstance(event, e.RoundBegan) and self._is_unnamed):
                    has_lines |= self._put(entry, part, sums)
                    part, sums = [], []
                self._divide(event, fold(entry.events[: place + 1], text.before), text, place)
            if id(event) in text.by_event and not isinstance(event, _HEADINGS):
                part.append(text.by_event[id(event)])
            sums += [one for one in text.sums if last[one.key] == place]
            if isinstance(event, e.CombatEnded):
                has_lines |= self._put(entry, part, sums)
                part, sums = [], []
                self._close(fold(entry.events[:place], text.before))
                self._rounds.append(_OpenRound(_AFTER, self.count))
        if not self._put(entry, part, sums) and not has_lines:
            self._put(entry, list(text.by_event.values()), [])
        self.count += 1

    def rounds(self, combat: Combat) -> tuple[ReportRound, ...]:
        """Returns all rounds.

        Args:
            combat: The final state.
        """
        self._close(combat)
        filled = [each for each in self._rounds if any(turn.lines for turn in each.turns)]
        return tuple(
            ReportRound(
                each.title,
                tuple(ReportTurn(turn.title, tuple(turn.lines)) for turn in each.turns if turn.lines),
                each.rows,
                _CAPTIONS.get(each.title, f"At the end of {each.title.lower()}"),
                each.first,
            )
            for each in filled
        )

    @property
    def _is_unnamed(self) -> bool:
        """Whether a fight has begun, but not its first round."""
        return not self._rounds[-1].is_named

    def _put(self, entry: Entry, part: list[CitedSentence | Word], sums: list[ReportRoll]) -> bool:
        if part or sums:
            self._rounds[-1].turns[-1].lines.append(ReportLine(entry.seq, entry.by.name, tuple(part), tuple(sums)))
        return bool(part or sums)

    def _divide(self, event: e.Event, combat: Combat, text: EntryText, place: int) -> None:
        """Adds a heading: of a turn, a round, or a fight whose first round has not begun."""
        now, clock = self._rounds[-1], combat.clock
        if isinstance(event, e.TurnBegan):
            name = combat.roster.name(event.who)
            now.turns.append(_OpenTurn(f"{name}, pass {clock.number}" if clock.number else name))
        elif isinstance(event, e.RoundBegan) and self._is_unnamed:
            now.title, now.is_named = round_title(clock.combat, event.round), True
        else:
            self._close(fold(text.entry.events[:place], text.before))
            is_named = isinstance(event, e.RoundBegan)
            title = round_title(clock.combat, clock.round) if is_named else f"Combat {clock.combat}"
            self._rounds.append(_OpenRound(title, self.count, is_named=is_named))

    def _close(self, combat: Combat) -> None:
        self._rounds[-1].rows = rows(combat)


def round_title(combat: int, number: int) -> str:
    """Returns the heading of a round; from the second combat of a session on, with its number."""
    return f"Combat {combat}, round {number}" if combat > 1 else f"Round {number}"


def _last(entry: Entry, key: str) -> int:
    """Returns the index of the last event of a roll."""
    mine = [
        place
        for place, event in enumerate(entry.events)
        if (its := getattr(event, "key", "")) == key or its.startswith(key + "/")
    ]
    return mine[-1] if mine else len(entry.events) - 1
