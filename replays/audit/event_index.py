"""Indexes the events of a line by key, with the entry that first recorded each."""

from collections.abc import Callable, Iterable

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.views.stand_ins import without_stand_ins
from replays.corrections.recorded_answers import original
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


class EventIndex:
    """The events of a line, by key.

    Args:
        entries: The entries of the line, in order.
        of: Finds an entry by its number.
        wording: The wording of their game.
    """

    def __init__(self, entries: Iterable[Entry], of: Callable[[int], Entry], wording: Wording) -> None:
        self.wording = wording
        self.all: list[IndexedEvent] = []
        """All events, in order."""
        self.by_key: dict[str, list[IndexedEvent]] = {}
        self.declared: dict[str, e.Declared] = {}
        self.asked: dict[str, e.RollRequested | e.ChoiceRequested] = {}
        """The latest request of each roll or choice; a request is repeated when its pool changes."""
        self.dice: list[IndexedEvent] = []
        for entry in entries:
            first = original(entry, of)
            for event in without_stand_ins(entry.events):
                self._add(entry, event, first if first is not entry and event in first.events else entry)

    def _add(self, entry: Entry, event: e.Event, first: Entry) -> None:
        fact = IndexedEvent(len(self.all), entry, event, first)
        self.all.append(fact)
        key = key_of(event)
        if key:
            self.by_key.setdefault(key, []).append(fact)
        match event:
            case e.Declared():
                self.declared.setdefault(key, event)
            case e.RollRequested() | e.ChoiceRequested():
                self.asked[key] = event
            case e.DiceRolled():
                self.dice.append(fact)

    def of(self, key: str) -> list[IndexedEvent]:
        """Returns the events under a key."""
        return self.by_key.get(key, [])

    def of_roll(self, key: str) -> list[IndexedEvent]:
        """Returns the events under a key, with later dice of the same roll."""
        later = [fact for fact in self.dice if key_of(fact.event).startswith(key + "/")]
        return sorted([*self.of(key), *later], key=lambda fact: fact.place) if later else self.of(key)

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
    return EventIndex(line, log.entry, wording(log.combat.session))


def person(entry: Entry) -> str:
    """Returns the name and seat of an entry's author."""
    return f"{entry.by.name} ({entry.by.seat.value})" if entry.by.name != entry.by.seat else entry.by.name


def key_of(event: e.Event) -> str:
    """Returns the key of an event; empty where it has none."""
    return str(getattr(event, "key", ""))
