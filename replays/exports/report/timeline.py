"""Groups the entries of a report by round and turn; splits an entry in which one turn ends and another begins."""

from collections.abc import Mapping, Sequence

import msgspec

from ledger import events as e
from ledger.entry import Entry
from projections.combat import Combat, fold
from replays.exports.report.model import Line, Round, Told, Turn
from replays.exports.report.sums import Sum
from replays.exports.report.tracker import Row, rows
from replays.exports.report.words import Word

_HEADINGS = (e.RoundBegan, e.TurnBegan)
"""Events that become headings."""
_BEFORE, _AFTER = "Before the fight", "After the fight"
_CAPTIONS = {_BEFORE: "As the fight begins", _AFTER: "In the end"}


class Said(msgspec.Struct, frozen=True):
    """The text of an entry, by the identity of its events, in order."""

    entry: Entry
    before: Combat
    by_event: Mapping[int, Told | Word]
    sums: Sequence[Sum] = ()
    lead: tuple[Told | Word, ...] = ()
    """Text about the entry itself, or its only text."""


class _Turn(msgspec.Struct):
    title: str = ""
    lines: list[Line] = []


class _Round(msgspec.Struct):
    title: str
    first: int
    turns: list[_Turn] = msgspec.field(default_factory=lambda: [_Turn()])
    is_named: bool = True
    rows: tuple[Row, ...] = ()


class Timeline:
    """Groups standing entries by round and turn as they are added."""

    def __init__(self) -> None:
        self._rounds = [_Round(_BEFORE, 0)]
        self.count = 0
        """The number of entries added."""

    def take(self, said: Said) -> None:
        """Adds an entry."""
        entry, part, sums = said.entry, list(said.lead), list[Sum]()
        is_told = False
        last = {one.key: _last(entry, one.key) for one in said.sums}
        for place, event in enumerate(entry.events):
            if isinstance(event, e.CombatBegan | e.RoundBegan | e.TurnBegan):
                if not (isinstance(event, e.RoundBegan) and self._is_unnamed):
                    is_told |= self._put(entry, part, sums)
                    part, sums = [], []
                self._divide(event, fold(entry.events[: place + 1], said.before), said, place)
            if id(event) in said.by_event and not isinstance(event, _HEADINGS):
                part.append(said.by_event[id(event)])
            sums += [one for one in said.sums if last[one.key] == place]
            if isinstance(event, e.CombatEnded):
                is_told |= self._put(entry, part, sums)
                part, sums = [], []
                self._close(fold(entry.events[:place], said.before))
                self._rounds.append(_Round(_AFTER, self.count))
        if not self._put(entry, part, sums) and not is_told:
            self._put(entry, list(said.by_event.values()), [])
        self.count += 1

    def rounds(self, combat: Combat) -> tuple[Round, ...]:
        """Returns all rounds.

        Args:
            combat: The final state.
        """
        self._close(combat)
        filled = [each for each in self._rounds if any(turn.lines for turn in each.turns)]
        return tuple(
            Round(
                each.title,
                tuple(Turn(turn.title, tuple(turn.lines)) for turn in each.turns if turn.lines),
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

    def _put(self, entry: Entry, part: list[Told | Word], sums: list[Sum]) -> bool:
        if part or sums:
            self._rounds[-1].turns[-1].lines.append(Line(entry.seq, entry.by.name, tuple(part), tuple(sums)))
        return bool(part or sums)

    def _divide(self, event: e.Event, combat: Combat, said: Said, place: int) -> None:
        """Adds a heading: of a turn, a round, or a fight whose first round has not begun."""
        now, clock = self._rounds[-1], combat.clock
        fight = f"Combat {clock.combat}, round" if clock.combat > 1 else "Round"
        if isinstance(event, e.TurnBegan):
            name = combat.roster.name(event.who)
            now.turns.append(_Turn(f"{name}, pass {clock.number}" if clock.number else name))
        elif isinstance(event, e.RoundBegan) and self._is_unnamed:
            now.title, now.is_named = f"{fight} {event.round}", True
        else:
            self._close(fold(said.entry.events[:place], said.before))
            is_named = isinstance(event, e.RoundBegan)
            title = f"{fight} {clock.round}" if is_named else f"Combat {clock.combat}"
            self._rounds.append(_Round(title, self.count, is_named=is_named))

    def _close(self, combat: Combat) -> None:
        self._rounds[-1].rows = rows(combat)


def _last(entry: Entry, key: str) -> int:
    """Returns the index of the last event of a roll."""
    mine = [
        place
        for place, event in enumerate(entry.events)
        if (its := getattr(event, "key", "")) == key or its.startswith(key + "/")
    ]
    return mine[-1] if mine else len(entry.events) - 1
