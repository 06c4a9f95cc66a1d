"""Decides a whole log again by today's rules, from its recorded answers."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

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
from replays.corrections.diff import compared
from replays.corrections.recorded_answers import trim_faces, underlying
from replays.sessions.hidden_names import answering
from replays.sessions.log import Log

_AT_ONCE = 64
"""How many entries `Redeciding` decides at once."""
LATEST = 2_000
"""How many of its latest decisions `Redeciding` keeps at most. An older one that is needed is made again."""


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


class Today(NamedTuple):
    """A stretch of standing entries, as today's rules decide it."""

    combat: Combat
    """The state at its end."""
    events: list[tuple[int, Event]]
    """Its events that are compared with a correction, each with the number of its entry."""
    drift: list[int]
    """The entries that today's rules decide differently from the record."""


class Redeciding:
    """Decides a stretch of standing entries by today's rules, each on the state that today's rules gave so far.

    It goes only as far as decisions are asked for. A correction asks for them one by one, so that few states are in
    memory at a time.

    Args:
        log: The session's log.
        before: The entry on which the stretch stands.
        line: The stretch, in order.
    """

    def __init__(self, log: Log, before: int, line: Sequence[Entry]) -> None:
        self._log, self._line, self._place = log, line, 0
        self._combat = log.state(before)
        self._events: list[tuple[int, Event]] = []
        self._drift: list[int] = []
        self._latest: dict[int, Decision] = {}

    def decision(self, seq: int) -> Decision | None:
        """Returns what today's rules decide for an entry; None if they refuse it, or it is not among the latest."""
        while self._place < len(self._line) and self._line[self._place].seq <= seq:
            self._decide_some()
        return self._latest.get(seq)

    def finish(self) -> Today:
        """Decides the rest of the stretch; an entry that today's rules refuse keeps its recorded events."""
        while self._place < len(self._line):
            self._decide_some()
        return Today(self._combat, self._events, self._drift)

    def _decide_some(self) -> None:
        """Decides the next entries, and forgets as many of the oldest decisions."""
        for entry in self._line[self._place : self._place + _AT_ONCE]:
            self._decide(entry)
        for entry in self._line[max(0, self._place - LATEST) : max(0, self._place + _AT_ONCE - LATEST)]:
            self._latest.pop(entry.seq, None)
        self._place += _AT_ONCE

    def _decide(self, entry: Entry) -> None:
        found = _decided(entry, self._combat, self._log.entry)
        if isinstance(found, Divergence):
            events, self._combat = entry.events, fold(entry.events, self._combat)
        else:
            events, self._combat = found.events, found.after
            if events == entry.events:  # one copy of them is enough
                found = Decision(found.before, found.command, found.overrules, entry.events, found.after)
            self._latest[entry.seq] = found
        if isinstance(found, Divergence) or not _states_the_same(found.events, entry.events):
            self._drift.append(entry.seq)
        self._events += compared(entry.seq, events)


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
