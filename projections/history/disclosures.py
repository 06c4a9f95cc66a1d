"""Disclosures: parts of earlier entries that more people may see since they were revealed.

Like draws, disclosures concern the whole log and not only the entries in force: what was shown stays shown, even if the
disclosure is undone or the entry is performed again.
"""

from collections.abc import Callable, Iterable

import msgspec

from ledger.audience import either
from ledger.commands import Join
from ledger.entry import Entry
from ledger.events import Audience, Event, SecretRevealed

COMMAND = 0
"""The part of an entry that is its command; its events are counted from 1."""


class Disclosures:
    """The audiences to which parts of entries were disclosed.

    Args:
        entry_of: Returns the entry of a number.
    """

    def __init__(self, entry_of: Callable[[int], Entry]) -> None:
        self._entry_of = entry_of
        self.audiences: dict[int, dict[int, Audience]] = {}
        """The disclosed parts of each entry, each with the audience that was added."""
        self.count = 0
        """The number of disclosures."""

    def add(self, events: Iterable[Event]) -> None:
        """Adds the disclosures among the events of one more entry."""
        for event in events:
            if type(event) is SecretRevealed:
                self.count += 1
                parts = self.audiences.setdefault(event.entry, {})
                for part in event.parts:
                    parts[part] = either(parts.get(part, ()), event.to)

    def entry(self, entry: Entry) -> Entry:
        """Returns an entry with the audiences that its command and events have after all disclosures."""
        disclosed = self._audiences_of(entry) if self.audiences else {}
        if not disclosed:
            return entry
        command = entry.command
        if COMMAND in disclosed:
            command = msgspec.structs.replace(command, seen_by=either(command.seen_by, disclosed[COMMAND]))
            if isinstance(command, Join):
                sheet_seen_by = either(command.sheet_seen_by, disclosed[COMMAND])
                command = msgspec.structs.replace(command, sheet_seen_by=sheet_seen_by)
        events = (
            msgspec.structs.replace(event, seen_by=either(event.seen_by, disclosed[part]))
            if part in disclosed
            else event
            for part, event in enumerate(entry.events, 1)
        )
        return msgspec.structs.replace(entry, command=command, events=tuple(events))

    def _audiences_of(self, entry: Entry) -> dict[int, Audience]:
        """Returns the added audiences of an entry, by part: its own, and those of the entries that it is a copy of."""
        disclosed = dict(self.audiences.get(entry.seq, {}))
        first = entry
        while first.origin is not None and 0 < first.origin < first.seq:
            first = self._entry_of(first.origin)
            parts = self.audiences.get(first.seq, {})
            audiences = {name: parts[part] for part, name in _part_names(first) if part in parts}
            for part, name in _part_names(entry):
                if name in audiences:
                    disclosed[part] = either(disclosed.get(part, ()), audiences[name])
        return disclosed


def _part_names(entry: Entry) -> Iterable[tuple[int, tuple[str, ...]]]:
    """Yields each part of an entry with a name by which it is found in a copy of the entry, as after a redo."""
    yield COMMAND, ()
    for part, event in enumerate(entry.events, 1):
        fields = (str(getattr(event, field, "")) for field in ("key", "who", "name"))
        yield part, (type(event).__name__, str(event.seen_by is None), *fields)
