"""Selects the events and parts of entries that a viewer may see; a viewer's state is folded from these events alone."""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.audience import Viewer
from ledger.entry import Entry, Seat, Who
from ledger.events import Event
from projections.combat import Combat


def viewer(who: Who, combat: Combat) -> Viewer:
    """Returns what a person may see: a player sees what the players of their combatants may see."""
    combatants = combat.roster.played_by(who.name) if who.seat is Seat.PLAYER else frozenset()
    return Viewer(who.seat, combatants)


def shown(entries: Iterable[Entry], eyes: Viewer) -> Iterator[Event]:
    """Yields the events that a viewer may see."""
    return (event for entry in entries for event in entry.events if eyes.may_see(event.seen_by))


def hidden_parts(entry: Entry, eyes: Viewer) -> tuple[int, ...]:
    """Returns the parts of an entry that a viewer may not see: 0 is its command, 1 its first event."""
    audiences = (entry.command.seen_by, *(event.seen_by for event in entry.events))
    parts = tuple(part for part, audience in enumerate(audiences) if not eyes.may_see(audience))
    sheet = getattr(entry.command, "sheet_seen_by", None)
    return (0, *parts) if 0 not in parts and not eyes.may_see(sheet) else parts


def redacted(entry: Entry, eyes: Viewer) -> Entry:
    """Returns an entry with only the events that a viewer may see; its command is not redacted here."""
    return msgspec.structs.replace(entry, events=tuple(shown((entry,), eyes)))
