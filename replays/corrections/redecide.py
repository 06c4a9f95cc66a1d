"""Rehearsal: a whole log decided again, by today's rules, from its own answers."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ledger.commands import Command, OpenSession
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Event
from machines.contract.ruleset import ruleset
from machines.engine.decide import decided
from machines.secrecy.visibility import HARM
from projections.combat import Combat, fold
from projections.views.stand_ins import without_stand_ins
from replays.corrections.recorded_answers import fewer_faces, underlying
from replays.sessions.hidden_names import answering
from replays.sessions.log import Log


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


def rehearse(log: Log, watch: Callable[[int], None] = lambda _: None) -> Iterator[Divergence]:
    """Every entry, standing or not, that today's rules would decide otherwise; none in a log that they made.

    Args:
        log: The session's.
        watch: Is told after each entry how many events it has.
    """
    combat, tip, decide = Combat(), 0, _decided
    for entry in log.entries():
        if entry.after != tip:
            combat = log.state(entry.after)
        found, after = decide(entry, combat, log.entry)
        if found != entry.events:
            decide = _decided_if_it_can_be
            yield found if isinstance(found, Divergence) else Divergence(entry.seq, entry.events, found)
            after = fold(entry.events, combat)
        combat, tip = after, entry.seq
        watch(len(entry.events))


def decided_today(log: Log, before: int, line: Sequence[Entry]) -> tuple[Combat, list[tuple[int, Event]], list[int]]:
    """A stretch of what stands, decided by today's rules on what came of them so far.

    Args:
        log: The session's.
        before: The entry on which the stretch stands.
        line: The stretch, in its order.

    Returns:
        What is so then; the events with the entries that have them; the entries that are decided otherwise today, as
        they were recorded where today's rules refuse them.
    """
    combat, told, drift = log.state(before), list[tuple[int, Event]](), list[int]()
    for entry in line:
        found, after = _decided(entry, combat, log.entry)
        events = entry.events if isinstance(found, Divergence) else found
        if isinstance(found, Divergence) or not _says_the_same(found, entry.events):
            drift.append(entry.seq)
        told += ((entry.seq, event) for event in events)
        combat = fold(events, combat) if isinstance(found, Divergence) else after
    return combat, told, drift


def _says_the_same(found: Sequence[Event], events: Sequence[Event]) -> bool:
    """Did the same happen, whoever may see what of it?"""
    return found == events or list(_facts(found)) == list(_facts(events))


def _facts(events: Sequence[Event]) -> Iterator[Event]:
    for event in without_stand_ins(events):
        shown = msgspec.structs.replace(event, seen_by=None)
        yield msgspec.structs.replace(shown, why="") if isinstance(event, HARM) else shown  # a reason may be hidden


def _decided_if_it_can_be(
    entry: Entry, combat: Combat, of: Callable[[int], Entry]
) -> tuple[tuple[Event, ...] | Divergence, Combat]:
    """The same behind an entry that is decided otherwise: it stands on what no rules made, so anything may fail."""
    try:
        return _decided(entry, combat, of)
    except Exception as error:
        problem = f"it stands on what no rules have made: {type(error).__name__}"
        return Divergence(entry.seq, entry.events, (), problem), combat


def _as_then(command: Command, combat: Combat) -> Command:
    """What is decided beneath an overruling: it is on record as it was asked first, not as it was completed then."""
    return answering(fewer_faces(command, combat), combat)


def _decided(entry: Entry, combat: Combat, of: Callable[[int], Entry]) -> tuple[tuple[Event, ...] | Divergence, Combat]:
    """What follows from an entry's command today, and what is so then; or why it is refused."""
    command, overrules = underlying(entry, of)
    game = ruleset(command.ruleset if isinstance(command, OpenSession) else combat.session.ruleset)
    try:
        asked = _as_then(command, combat) if entry.command is not command else command
        return decided(game, combat, asked, overrules)
    except Refused as refusal:
        return Divergence(entry.seq, entry.events, (), str(refusal)), combat
