"""What one seat may see: the same fold over the events that are shown to it, so nothing else can shine through."""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.audience import Viewer
from ledger.entry import Entry, Seat, Who
from ledger.events import Event
from projections.combat import Combat


def viewer(who: Who, combat: Combat) -> Viewer:
    """Somebody's eyes: a player's are those of the combatants they roll for."""
    combatants = combat.roster.played_by(who.name) if who.seat is Seat.PLAYER else frozenset()
    return Viewer(who.seat, combatants)


def shown(entries: Iterable[Entry], eyes: Viewer) -> Iterator[Event]:
    """The events that these eyes may see."""
    return (event for entry in entries for event in entry.events if eyes.may_see(event.seen_by))


def hidden_parts(entry: Entry, eyes: Viewer) -> tuple[int, ...]:
    """The parts of an entry that these eyes may not see: 0 is its command, then its events."""
    audiences = (entry.command.seen_by, *(event.seen_by for event in entry.events))
    parts = tuple(part for part, audience in enumerate(audiences) if not eyes.may_see(audience))
    sheet = getattr(entry.command, "sheet_seen_by", None)
    return (0, *parts) if 0 not in parts and not eyes.may_see(sheet) else parts


def redacted(entry: Entry, eyes: Viewer) -> Entry:
    """The entry with only the events that these eyes may see; its command is left for those who may see it."""
    return msgspec.structs.replace(entry, events=tuple(shown((entry,), eyes)))
