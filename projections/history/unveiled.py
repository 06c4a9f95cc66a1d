"""Secrets that were told later: parts of earlier entries that more people may see from then on.

Like the draws this is about the whole log, standing or not: what was shown was shown, also where the showing is undone,
and also where the entry is performed again.
"""

from collections.abc import Callable, Iterable

import msgspec

from ledger.audience import either
from ledger.commands import Join
from ledger.entry import Entry
from ledger.events import Audience, Event, SecretRevealed

COMMAND = 0
"""The part of an entry that is its command; its events are counted from 1."""


class Unveiled:
    """Who may see what more, by entry and part.

    Args:
        of: Finds an entry by its number.
    """

    def __init__(self, of: Callable[[int], Entry]) -> None:
        self._of = of
        self._to: dict[int, dict[int, Audience]] = {}
        self.count = 0
        """How often something was told."""

    def add(self, events: Iterable[Event]) -> None:
        """Events more."""
        for event in events:
            if isinstance(event, SecretRevealed):
                self.count += 1
                mine = self._to.setdefault(event.entry, {})
                for part in event.parts:
                    mine[part] = either(mine.get(part, ()), event.to)

    def entry(self, entry: Entry) -> Entry:
        """An entry as it may be seen by now."""
        told = self._told(entry) if self._to else {}
        if not told:
            return entry
        command = entry.command
        if COMMAND in told:
            command = msgspec.structs.replace(command, seen_by=either(command.seen_by, told[COMMAND]))
            if isinstance(command, Join):
                command = msgspec.structs.replace(command, sheet_seen_by=either(command.sheet_seen_by, told[COMMAND]))
        events = (
            msgspec.structs.replace(event, seen_by=either(event.seen_by, told[part])) if part in told else event
            for part, event in enumerate(entry.events, 1)
        )
        return msgspec.structs.replace(entry, command=command, events=tuple(events))

    def _told(self, entry: Entry) -> dict[int, Audience]:
        """What was told of an entry, or of one that it performs again."""
        told = dict(self._to.get(entry.seq, {}))
        first = entry
        while first.origin is not None and 0 < first.origin < first.seq:
            first = self._of(first.origin)
            shown = self._to.get(first.seq, {})
            audiences = {name: shown[part] for part, name in _names(first) if part in shown}
            for part, name in _names(entry):
                if name in audiences:
                    told[part] = either(told.get(part, ()), audiences[name])
        return told


def _names(entry: Entry) -> Iterable[tuple[int, tuple[str, ...]]]:
    """Each part with a name that it has where it is performed again, too."""
    yield COMMAND, ()
    for part, event in enumerate(entry.events, 1):
        named = (str(getattr(event, field, "")) for field in ("key", "who", "name"))
        yield part, (type(event).__name__, str(event.seen_by is None), *named)
