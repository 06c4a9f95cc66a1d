"""A branch of a record: a line that was not played, in sentences, with the state at its end."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ledger.commands import AnyCommand
from ledger.entry import Entry
from projections.combat import Combat, fold
from projections.views.document import OpenRest, State
from replays.corrections.change import kind_in_words
from replays.corrections.diff import Aside, Report, outcomes
from replays.corrections.kept_dice import DiceKept
from replays.exports.documents import Speaker
from replays.exports.narrative import sentences
from replays.sessions.log import Log
from replays.views.state_document import rests


class BranchStep(msgspec.Struct, frozen=True):
    """An entry of a branch, in sentences."""

    seq: int
    """Its number in the branch; entries of the record keep theirs, others are counted on from its last one."""
    after: int
    """The entry that it stands on."""
    by: Speaker
    origin: int | None
    """The entry that it performs again; null where there is none."""
    recorded: int | None
    """The entry of the record that it is, or performs again; null where it is new in the branch."""
    kind: str
    """The kind of its command in words."""
    narration: tuple[str, ...]
    """The entry in sentences; never empty."""
    command: AnyCommand
    """The command, as the entry has it."""
    rest: OpenRest | None
    """The roll or the choice that the command answers, as it was open; null where it answers none."""
    outcomes: dict[str, str]
    """The outcomes of tests and exchanges that the entry brings, by key."""


class BranchLine(msgspec.Struct, frozen=True):
    """A line of entries as it would be after some changes; it is never written."""

    upto: int
    """The last entry of the record that the branch is based on."""
    first: int
    """The number of the first entry of the last change; 0 where there is no change."""
    report: Report | None
    """What the last change leads to, against the branch before it; null where no entry is changed."""
    dice: DiceKept | None
    """The dice that the last change keeps; null where no entry is changed."""
    steps: tuple[BranchStep, ...]
    """The entries of the line; fewer than all of them where they are too many for one answer."""
    is_whole: bool
    """Whether `steps` leads to the end of the line; if not, ask again with `after`."""
    state: State
    """The state at the end of the line."""
    waits: tuple[Aside, ...]
    """Recorded answers that are used once the open rolls and choices are answered."""


def branch_steps(log: Log, line: list[int], upto: int, size: int | None = None) -> Iterator[BranchStep]:
    """Yields the entries of a line, in sentences.

    Args:
        log: The log of the branch.
        line: The numbers of entries that stand on one another.
        upto: The last entry of the record.
        size: The bytes of JSON after which there are no further steps; None for no such bound.
    """
    left = size
    for entry, before in _with_states(log, line):
        step = _step(log, entry, before, upto)
        yield step
        if left is not None:
            left -= len(msgspec.json.encode(step))
            if left <= 0:
                return


def _with_states(log: Log, line: list[int]) -> Iterator[tuple[Entry, Combat]]:
    """Yields each entry of a line with the state before it."""
    combat: Combat | None = None
    for entry in _disclosed(log, log.entries_of(line)):
        before = (log.state(entry.after) if entry.after else Combat()) if combat is None else combat
        yield entry, before
        combat = fold(entry.events, before)


def _disclosed(log: Log, entries: Iterable[Entry]) -> Iterator[Entry]:
    return (log.disclosures.entry(entry) for entry in entries)


def _step(log: Log, entry: Entry, before: Combat, upto: int) -> BranchStep:
    return BranchStep(
        entry.seq, entry.after, Speaker(entry.by.name, entry.by.seat), entry.origin, _recorded(log, entry, upto),
        kind_in_words(entry.command), _sentences(entry, before), entry.command, _answered(entry, before),
        outcomes((entry.seq, event) for event in entry.events),
    )  # fmt: skip


def _sentences(entry: Entry, before: Combat) -> tuple[str, ...]:
    """Returns an entry in sentences; one that is performed again has those of its first performance."""
    return tuple(sentences(msgspec.structs.replace(entry, origin=None), before))


def _recorded(log: Log, entry: Entry, upto: int) -> int | None:
    """Returns the entry of the record that an entry is, or performs again, however often it was performed."""
    here: Entry = entry
    while here.seq > upto:
        if here.origin is None:
            return None
        here = log.entry(here.origin)
    return here.seq


def _answered(entry: Entry, before: Combat) -> OpenRest | None:
    """Returns the open roll or choice that an entry answers."""
    key: Any = getattr(entry.command, "key", None)
    if not any(rest.key == key for rest in before.rests):
        return None
    return next((rest for rest in rests(before) if rest["key"] == key), None)
