"""Secrets that were told later: parts of earlier entries that more people may see from then on.

Like the draws this is about the whole log, standing or not: what was shown was shown, also where the showing is undone.
"""

from collections.abc import Iterable

import msgspec

from ledger.commands import Join
from ledger.entry import Entry
from ledger.events import Audience, Event, SecretRevealed


class Unveiled:
    """Who may see what more, by entry and part."""

    def __init__(self) -> None:
        self._to: dict[int, dict[int, Audience]] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Events more."""
        for event in events:
            if isinstance(event, SecretRevealed):
                mine = self._to.setdefault(event.entry, {})
                for part in event.parts:
                    mine[part] = _both(mine.get(part, ()), event.to)

    def entry(self, entry: Entry) -> Entry:
        """An entry as it may be seen by now."""
        told = self._to.get(entry.seq)
        if told is None:
            return entry
        command = entry.command
        if 0 in told:
            command = msgspec.structs.replace(command, seen_by=_both(command.seen_by, told[0]))
            if isinstance(command, Join):
                command = msgspec.structs.replace(command, sheet_seen_by=_both(command.sheet_seen_by, told[0]))
        events = (
            msgspec.structs.replace(event, seen_by=_both(event.seen_by, told[part])) if part in told else event
            for part, event in enumerate(entry.events, 1)
        )
        return msgspec.structs.replace(entry, command=command, events=tuple(events))


def _both(one: Audience, other: Audience) -> Audience:
    return None if one is None or other is None else tuple(dict.fromkeys((*one, *other)))
