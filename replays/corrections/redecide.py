"""Decides a whole log again by today's rules, from its recorded answers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

import msgspec

from ledger.commands import Command, OpenSession
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Event
from machines.contract.ruleset import ruleset
from machines.engine.decide import Decision, decision
from machines.secrecy.visibility import HARM
from projections.combat import Combat, fold
from projections.views.stand_ins import without_stand_ins
from replays.corrections.recorded_answers import trim_faces, underlying
from replays.sessions.hidden_names import answering
from replays.sessions.log import Log


class Divergence(msgspec.Struct, frozen=True):
    """An entry that today's rules decide differently from the record."""

    seq: int
    recorded: tuple[Event, ...]
    decided: tuple[Event, ...]
    refused: str = ""
    """Why today's rules refuse it; empty where they do not."""

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
    """Yields every entry, standing or not, that today's rules decide differently.

    Args:
        log: The session's log.
        watch: Called after each entry with the number of its events.
    """
    combat, tip, decide = Combat(), 0, _decided
    for entry in log.entries():
        if entry.after != tip:
            combat = log.state(entry.after)
        found = decide(entry, combat, log.entry)
        if isinstance(found, Decision) and found.events == entry.events:
            combat = found.after
        else:
            decide = _decided_or_failed
            yield Divergence(entry.seq, entry.events, found.events) if isinstance(found, Decision) else found
            combat = fold(entry.events, combat)
        tip = entry.seq
        watch(len(entry.events))


def decided_today(
    log: Log, before: int, line: Sequence[Entry], decisions: dict[int, Decision] | None = None
) -> tuple[Combat, list[tuple[int, Event]], list[int]]:
    """Decides a stretch of standing entries by today's rules, each on the state that today's rules gave so far.

    Args:
        log: The session's log.
        before: The entry on which the stretch stands.
        line: The stretch, in order.
        decisions: Receives the decisions, by entry.

    Returns:
        The final state; the events, each with the number of its entry; the entries that are decided differently today.
        An entry that today's rules refuse keeps its recorded events.
    """
    combat, numbered, drift = log.state(before), list[tuple[int, Event]](), list[int]()
    for entry in line:
        found = _decided(entry, combat, log.entry)
        if isinstance(found, Divergence):
            events, combat = entry.events, fold(entry.events, combat)
        else:
            events, combat = found.events, found.after
            if decisions is not None:
                decisions[entry.seq] = found
        if isinstance(found, Divergence) or not _states_the_same(found.events, entry.events):
            drift.append(entry.seq)
        numbered += zip(repeat(entry.seq), events)
    return combat, numbered, drift


def _states_the_same(found: Sequence[Event], events: Sequence[Event]) -> bool:
    """Returns whether two lists of events state the same facts, whatever their audience."""
    return found == events or list(_facts(found)) == list(_facts(events))


def _facts(events: Sequence[Event]) -> Iterator[Event]:
    for event in without_stand_ins(events):
        shown = msgspec.structs.replace(event, seen_by=None)
        yield msgspec.structs.replace(shown, why="") if isinstance(event, HARM) else shown  # the reason may be redacted


def _decided_or_failed(entry: Entry, combat: Combat, of: Callable[[int], Entry]) -> Decision | Divergence:
    """Decides an entry after a divergence: the state then comes from no rules, so any exception may be raised."""
    try:
        return _decided(entry, combat, of)
    except Exception as error:
        problem = f"it stands on what no rules have made: {type(error).__name__}"
        return Divergence(entry.seq, entry.events, (), problem)


def _as_recorded(command: Command, combat: Combat) -> Command:
    """Completes the command under an overrule, which is recorded as it was first requested."""
    return answering(trim_faces(command, combat), combat)


def _decided(entry: Entry, combat: Combat, of: Callable[[int], Entry]) -> Decision | Divergence:
    """Returns the decision of an entry's command by today's rules; the divergence where they refuse it."""
    command, overrules = underlying(entry, of)
    game = ruleset(command.ruleset if isinstance(command, OpenSession) else combat.session.ruleset)
    try:
        asked = _as_recorded(command, combat) if entry.command is not command else command
        return decision(game, combat, asked, overrules)
    except Refused as refusal:
        return Divergence(entry.seq, entry.events, (), str(refusal))
