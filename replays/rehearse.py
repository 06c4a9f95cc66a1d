"""Rehearsal: a whole log decided again, by today's rules, from its own answers."""

from collections.abc import Iterator

import msgspec

from ledger.commands import OpenSession, Overrule
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Event
from machines.decider import decide
from machines.ruleset import ruleset
from projections.combat import Combat, fold
from replays.log import Log
from replays.recorded import fewer_faces, underlying


class Divergence(msgspec.Struct, frozen=True):
    """An entry that today's rules decide otherwise."""

    seq: int
    recorded: tuple[Event, ...]
    decided: tuple[Event, ...]
    refused: str = ""
    """Why today's rules refuse it, if they do."""

    @property
    def first(self) -> tuple[Event | None, Event | None]:
        """The first pair of events that differ: as recorded, as decided now."""
        for place in range(max(len(self.recorded), len(self.decided))):
            was = self.recorded[place] if place < len(self.recorded) else None
            now = self.decided[place] if place < len(self.decided) else None
            if was != now:
                return was, now
        return None, None


def rehearse(log: Log) -> Iterator[Divergence]:
    """Every entry, standing or not, that today's rules would decide otherwise; none in a log that they made."""
    kept: dict[int, Entry] = {}
    combat, tip = Combat(), 0
    origins = _origins(log)
    for entry in log.entries():
        if entry.seq in origins:
            kept[entry.seq] = entry
        if entry.after != tip:
            combat = log.state(entry.after)
        found = _decided(entry, combat, kept)
        if found != entry.events:
            yield found if isinstance(found, Divergence) else Divergence(entry.seq, entry.events, found)
        combat, tip = fold(entry.events, combat), entry.seq


def _decided(entry: Entry, combat: Combat, kept: dict[int, Entry]) -> tuple[Event, ...] | Divergence:
    command, overrules = underlying(entry, kept.__getitem__)
    game = ruleset(command.ruleset if isinstance(command, OpenSession) else combat.session.ruleset)
    try:
        decided = fewer_faces(command, combat) if entry.command is not command else command
        return decide(game, combat, decided, overrules)
    except Refused as refusal:
        return Divergence(entry.seq, entry.events, (), str(refusal))


def _origins(log: Log) -> frozenset[int]:
    """Entries that an overruling goes back to; only these are kept in memory."""
    chained = {entry.seq: entry.origin for entry in log.entries() if isinstance(entry.command, Overrule)}
    return frozenset(origin for origin in chained.values() if origin is not None)
