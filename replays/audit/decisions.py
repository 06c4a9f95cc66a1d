"""Finds decisions of people that override the rules, each once: at its first entry, not where it is performed again."""

from collections.abc import Iterator, Mapping

import msgspec

from ledger.commands import Command
from ledger.entry import Entry
from replays.sessions.log import Log


class DecisionEntry(msgspec.Struct, frozen=True):
    """The first entry of a decision."""

    entry: Entry
    stands: bool
    """Whether it stands, there or where it is performed again."""
    again: tuple[int, ...] = ()
    """The entries in which it is performed again."""


def first_decisions(log: Log, kinds: type[Command] | tuple[type[Command], ...]) -> Iterator[DecisionEntry]:
    """Yields the commands of some kinds, each with its first entry, in the order of the log.

    Args:
        log: The session's log.
        kinds: The kinds of commands.
    """
    standing = frozenset(log.timeline.line())
    found: dict[int, Entry] = {}
    firsts: dict[int, int] = {}
    repeated: dict[int, list[int]] = {}
    for entry in log.entries():
        if not isinstance(entry.command, kinds):
            continue
        found[entry.seq] = entry
        before = found.get(_repeated_entry(log, entry, found))
        same = before is not None and before.command == entry.command
        firsts[entry.seq] = first = firsts[before.seq] if before is not None and same else entry.seq
        repeated.setdefault(first, []).append(entry.seq)
    for first, seqs in repeated.items():
        entry = log.disclosures.entry(found[first])
        yield DecisionEntry(entry, not standing.isdisjoint(seqs), tuple(seqs[1:]))


def _repeated_entry(log: Log, entry: Entry, found: Mapping[int, Entry]) -> int:
    """Returns the entry among the found ones that another entry performs again, at any depth; 0 where there is none."""
    origin = entry.origin
    while origin is not None and origin not in found:
        origin = log.entry(origin).origin
    return origin or 0
