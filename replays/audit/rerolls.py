"""Finds second thoughts: a die was seen, its declaration was undone, and another one was made.

Undoing is not a free re-roll: the same declaration finds the same die. But a different declaration is made with
knowledge of that die. That is often legitimate; the audit lists each case.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ledger import events as e
from ledger.entry import Entry
from ledger.events import Json
from replays.audit.event_index import person
from replays.sessions.log import Log
from replays.sessions.undo import branches, rewound_to


class Declaration(msgspec.Struct, frozen=True):
    """A declaration."""

    key: str
    kind: str
    who: str
    """The combatant."""
    terms: Json
    entry: int
    by: str
    """The person."""


class SeenDie(msgspec.Struct, frozen=True):
    """Dice that were seen before they were undone."""

    key: str
    faces: tuple[int, ...]
    entry: int


class SecondThought(msgspec.Struct, frozen=True):
    """A different declaration after a die was seen and undone."""

    undone: Declaration
    seen: tuple[SeenDie, ...]
    rewind: int
    """The entry that undid it."""
    by: str
    """The person who undid it."""
    why: str
    then: Declaration
    """The declaration made instead."""


class _Pending(msgspec.Struct):
    """A declaration that was undone after dice were seen."""

    declaration: Declaration
    seen: tuple[SeenDie, ...]
    rewind: Entry


def second_thoughts(log: Log) -> Iterator[SecondThought]:
    """Yields every declaration that differs from an undone one whose dice were seen.

    Args:
        log: The session's log, as the viewer may see it.
    """
    entries: dict[int, Entry] = {}
    pending: list[_Pending] = []
    undone: list[Declaration] = []
    made: dict[str, list[int]] = {}
    """The entries with a declaration, by its key."""
    for entry in log.entries():
        entries[entry.seq] = entry
        to = rewound_to(entry)
        if to is not None:
            left, redone = branches(log.timeline, log.timeline.head_at(entry.seq - 1), to)
            if redone:
                again = frozenset(redone)
                pending = [one for one in pending if one.declaration.entry not in again]
                undone = [one for one in undone if one.entry not in again]
            branch = [entries[seq] for seq in left]
            declarations = [one for each in branch for one in _declared(each)]
            declarations = [one for one in declarations if not _is_any_in_force(log, made[one.key], to)]
            pending += _with_seen_dice(declarations, branch, entry)
            undone += declarations
            continue
        for now in _declared(entry):
            made.setdefault(now.key, []).append(entry.seq)
            if entry.origin is None:
                yield from _compared(now, pending, undone)


def _is_any_in_force(log: Log, entries: Iterable[int], head: int) -> bool:
    """Returns whether one of these entries is in force with a head."""
    return any(seq <= head and log.timeline.stands(seq, head) for seq in entries)


def _compared(now: Declaration, pending: list[_Pending], undone: list[Declaration]) -> Iterator[SecondThought]:
    """Yields the undone declarations with dice that a new one replaces; none where it repeats an undone one."""
    again = any(_is_same(now, one) for one in undone)
    mine = [one for one in pending if one.declaration.who == now.who]
    of_key = [one for one in mine if one.declaration.key == now.key]
    for one in of_key or ([] if again else mine[-1:]):
        pending.remove(one)
        if not _is_same(one.declaration, now):
            why = getattr(one.rewind.command, "why", "")
            yield SecondThought(one.declaration, one.seen, one.rewind.seq, person(one.rewind), why, now)


def _is_same(one: Declaration, other: Declaration) -> bool:
    return (one.key, one.kind, one.who, one.terms) == (other.key, other.kind, other.who, other.terms)


def _declared(entry: Entry) -> Iterator[Declaration]:
    """Yields the declarations of an entry."""
    for event in entry.events:
        if isinstance(event, e.Declared):
            yield Declaration(event.key, event.kind, event.by, event.terms, entry.seq, person(entry))


def _with_seen_dice(declarations: list[Declaration], branch: list[Entry], rewind: Entry) -> Iterator[_Pending]:
    """Yields those declarations of an undone branch whose dice were seen."""
    dice = [
        SeenDie(event.key, event.faces, entry.seq)
        for entry in branch
        for event in entry.events
        if isinstance(event, e.DiceRolled) and event.faces
    ]
    for one in declarations:
        seen = tuple(die for die in dice if die.key.startswith(one.key + "/"))
        if seen:
            yield _Pending(one, seen, rewind)
