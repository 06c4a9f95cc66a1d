"""Indexes the events of a line by key, with the entry that first recorded each."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.views.stand_ins import without_stand_ins
from replays.sessions.log import Log
from replays.sessions.wording import Wording, wording
from replays.views.seat_log import seen_log


class IndexedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event, with the entry that has it."""

    place: int
    """Its index among the events of the line."""
    entry: Entry
    event: e.Event
    first: Entry
    """The entry that first recorded it; the same entry, unless that performs another one again."""


_INDEXED = frozenset({e.Declared, e.RollRequested, e.ChoiceRequested, e.DiceRolled, e.DiceTold})
"""The kinds of events that are also found otherwise than by their key."""


class EventIndex:
    """The events of a line, by key.

    Args:
        entries: The entries of the line, in order.
        original: Finds the first entry of which one is a repetition.
        wording: The wording of their game.
    """

    def __init__(self, entries: Iterable[Entry], original: Callable[[Entry], Entry], wording: Wording) -> None:
        self.wording = wording
        self.all: list[IndexedEvent] = []
        """All events, in order."""
        self.by_key: dict[str, list[IndexedEvent]] = {}
        self.declared: dict[str, e.Declared] = {}
        self.asked: dict[str, e.RollRequested | e.ChoiceRequested] = {}
        """The latest request of each roll or choice; a request is repeated when its pool changes."""
        self._dice_below: dict[str, list[IndexedEvent]] = {}
        """Thrown dice, by each key that their own key is below of."""
        self._keys_below: dict[str, list[str]] = {}
        self._keys_of: dict[str, list[str]] = {}
        """Keys of rolls, by the exchange that a request names."""
        for entry in entries:
            first = original(entry)
            for event in without_stand_ins(entry.events):
                self._add(entry, event, first if first is not entry and event in first.events else entry)

    def _add(self, entry: Entry, event: e.Event, first: Entry) -> None:
        fact = IndexedEvent(len(self.all), entry, event, first)
        self.all.append(fact)
        key = key_of(event)
        if key:
            self._add_key(key, fact)
        if type(event) not in _INDEXED:  # most are not
            return
        match event:
            case e.Declared():
                self.declared.setdefault(key, event)
            case e.RollRequested() | e.ChoiceRequested():
                self.asked[key] = event
                if isinstance(event, e.RollRequested) and event.of:
                    self._keys_of.setdefault(event.of, []).append(key)
            case e.DiceRolled() | e.DiceTold():
                for above in _above(key):
                    self._dice_below.setdefault(above, []).append(fact)

    def _add_key(self, key: str, fact: IndexedEvent) -> None:
        known = self.by_key.get(key)
        if known is not None:
            known.append(fact)
            return
        self.by_key[key] = [fact]
        for above in _above(key):
            self._keys_below.setdefault(above, []).append(key)

    def of(self, key: str) -> list[IndexedEvent]:
        """Returns the events under a key."""
        return self.by_key.get(key, [])

    def of_roll(self, key: str) -> list[IndexedEvent]:
        """Returns the events under a key, with later dice of the same roll."""
        later = self._dice_below.get(key, ())
        return sorted([*self.of(key), *later], key=lambda fact: fact.place) if later else self.of(key)

    def below(self, key: str) -> Sequence[str]:
        """Returns the keys below a key, in the order of their first events."""
        return self._keys_below.get(key, ())

    def rolls_of(self, exchange: str) -> list[str]:
        """Returns the keys of the rolls whose latest request names an exchange."""
        keys = dict.fromkeys(self._keys_of.get(exchange, ()))
        return [key for key in keys if isinstance(asked := self.asked[key], e.RollRequested) and asked.of == exchange]

    def exchange_of(self, key: str) -> str:
        """Returns the key of the exchange that a key belongs to; empty where it belongs to none."""
        asked = self.asked.get(key)
        here = asked.of if isinstance(asked, e.RollRequested) and asked.of else key
        while here and here not in self.declared:
            here = here.rpartition("/")[0]
        return here


def facts(log: Log, eyes: Viewer = EVERYTHING, head: int | None = None) -> EventIndex:
    """Returns the indexed events of a line.

    Args:
        log: The session's log.
        eyes: The viewer.
        head: The last entry of the line; by default the present head.
    """
    log = seen_log(log, eyes)
    line = map(log.disclosures.entry, log.entries_of(log.timeline.line(head)))
    return EventIndex(line, log.original, wording(log.combat.session))


def person(entry: Entry) -> str:
    """Returns the name and seat of an entry's author."""
    return f"{entry.by.name} ({entry.by.seat.value})" if entry.by.name != entry.by.seat else entry.by.name


def key_of(event: e.Event) -> str:
    """Returns the key of an event; empty where it has none."""
    return str(getattr(event, "key", ""))


def _above(key: str) -> Iterator[str]:
    """Yields the keys that a key is below of, the nearest first."""
    while "/" in key:
        key = key.rpartition("/")[0]
        yield key
