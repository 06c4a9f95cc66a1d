"""Finds slips: figures that a person decided against or without the rules, and what the rules would have given.

A slip is an overruled figure, a gamemaster's modifier on dice that lay already, or a value set without a rule. Its
effect is found by performing what followed again without it, within a budget.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from ledger.commands import ApplyModifier, Overrule
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Adjusted, Event, Overruled
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.views.document import State
from projections.views.stand_ins import without_stand_ins
from replays.audit.event_index import person
from replays.corrections import diff as compare
from replays.corrections.recorded_answers import RecordedAnswers, reissue
from replays.scripts.run import run
from replays.sessions.intent import Intent
from replays.sessions.log import Log
from replays.sessions.wording import wording
from replays.views.state_document import document

BUDGET = 2_000
"""How many entries of a session are performed again, at most, to find the effects of its slips."""

Kind = Literal["overrule", "modifier", "adjustment"]
Figure = int | str | None


class Slip(msgspec.Struct, frozen=True):
    """One figure that no rule decided."""

    entry: int
    kind: Kind
    about: str
    """The key of the roll or exchange, or the combatant."""
    figure: str
    rule_says: Figure
    gm_says: Figure
    why: str
    by: str
    """The person who decided it, with their seat."""
    without: "Without | None" = None
    """What would differ without it; None where the budget does not suffice, or the rules refuse."""


class Without(msgspec.Struct, frozen=True):
    """How the fight would have ended without a slip, with the same dice and choices."""

    flips: tuple[compare.Flip, ...]
    shifts: tuple[compare.Shift, ...]
    waits: int
    """The number of rolls and choices that it would wait for, because they were never made."""

    @property
    def is_same(self) -> bool:
        """Whether nothing would differ."""
        return not (self.flips or self.shifts or self.waits)


def slips(log: Log, budget: int = BUDGET) -> Iterator[Slip]:
    """Yields the slips of the standing entries, in order.

    Args:
        log: The session's log.
        budget: How many entries may be performed again, over all slips, to find their effects; the latest slips come
            first,
            because the fewest entries follow them.
    """
    line = log.timeline.line()
    found = [
        (slip, entry, first, line[place + 1 :])
        for place, entry in enumerate(log.entries_of(line))
        for slip, first in _of_entry(log, entry)
    ]
    known: list[Slip] = []
    for slip, entry, first, rest in reversed(found):
        budget -= len(rest) + 1
        without = _without(log, entry, first, rest) if budget >= 0 else None
        known.append(msgspec.structs.replace(slip, without=without))
    return reversed(known)


_First = Intent | None
"""What is performed in the entry's place; None where it is dropped."""


def _of_entry(log: Log, entry: Entry) -> Iterator[tuple[Slip, _First]]:
    command = entry.command
    if isinstance(command, ApplyModifier) and entry.after != log.timeline.head_at(entry.seq - 1):
        told = (command.key, "modifier", 0, command.value, command.why)
        yield Slip(entry.seq, "modifier", *told, person(entry)), None
    listed: set[tuple[str, str]] = set()
    for event in without_stand_ins(entry.events):
        match event:
            case Overruled(key=key, figure=name) if (key, name) in listed:
                pass  # a test that is read again is overruled again
            case Adjusted(who=who, what=what, before=before, after=after, why=why):
                yield Slip(entry.seq, "adjustment", who, what, before, after, why, person(entry)), None
            case Overruled(key=key, rule_says=rule, gm_says=says, why=why):
                listed.add((key, event.figure))
                by = person(_first_overrule(entry, event, log.entry))
                figure = wording(log.combat.session).figure(event)
                yield Slip(entry.seq, "overrule", key, figure, rule, says, why, by), _ruled(log, entry, event)
            case _:
                pass


def _first_overrule(entry: Entry, event: Overruled, of: Callable[[int], Entry]) -> Entry:
    """Returns the entry that first overruled a figure; later ones repeat the overrule."""
    said, word = entry, (event.key, event.figure, event.gm_says)
    while isinstance(entry.command, Overrule) and entry.origin is not None:
        if (entry.command.key, entry.command.figure, entry.command.value) == word:
            said = entry
        entry = of(entry.origin)
    return said


def _ruled(log: Log, entry: Entry, event: Overruled) -> Intent:
    """Returns the entry's intent without the overrule of one figure."""
    asked = reissue(entry, log.entry)
    others = tuple(each for each in asked.overrules if (each.key, each.figure) != (event.key, event.figure))
    return Intent(asked.command, asked.by, asked.decided, others, asked.origin)


# ------------------------------------------------------------------------------------------------ without it


def _without(log: Log, entry: Entry, first: _First, rest: list[int]) -> Without | None:
    """Returns what would differ at the end; None where today's rules refuse."""
    state, told = log.state(entry.after), list[tuple[int, Event]]()
    game = ruleset(state.session.ruleset)
    later = list(log.entries_of(rest))

    def perform(asked: Intent) -> Combat:
        nonlocal state
        events = decide(game, state, asked.decided, asked.overrules)
        told.extend((asked.origin or 0, event) for event in events)
        state = fold(events, state)
        return state

    try:
        if first is not None:
            perform(first)
        run(lambda: game, state, RecordedAnswers(later, log.entry), perform)
    except Refused:
        return None
    was = [(each.seq, event) for each in (entry, *later) for event in each.events]
    before, after = _document(log, log.combat), _document(log, state)
    waits = sum(1 for _ in compare.needed(log.combat, state, {}))
    return Without(tuple(compare.flips(was, told)), tuple(compare.shifts(before, after)), waits)


def _document(log: Log, combat: Combat) -> State:
    return document(combat, log.session, entries=log.last, head=log.head, digest=log.digest)
