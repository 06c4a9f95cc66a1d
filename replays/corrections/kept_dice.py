"""Counts the dice that lie the same on two lines of a session: those that a correction keeps."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from ledger.dice import parse
from ledger.entry import Entry
from ledger.events import DiceRolled, DiceTold
from replays.corrections.diff import Report

Die = tuple[str, object]
"""The key of a roll and a face, or the counts of all its dice."""


class DiceKept(msgspec.Struct, frozen=True):
    """The dice of a branch beside those of the line that it leaves."""

    kept: int
    """The dice of that line, from the changed entry on, that lie the same in the branch."""
    recorded: int
    """All dice of that line from the changed entry on."""
    needed: int
    """The dice to be thrown for the rolls that are open in the branch only."""


def dice_kept(before: Iterable[Entry], after: Iterable[Entry], report: Report) -> DiceKept:
    """Compares the dice of two lines.

    Args:
        before: The entries of the line that is left, from the changed entry on.
        after: The entries of the branch in their place.
        report: The report of the change.
    """
    was, now = _dice(before), _dice(after)
    needed = sum(len(parse(each.dice).sides) - len(each.known) for each in report.dice_needed)
    return DiceKept((was & now).total(), was.total(), needed)


def _dice(entries: Iterable[Entry]) -> Counter[Die]:
    found = Counter[Die]()
    for event in (event for entry in entries for event in entry.events):
        match event:
            case DiceRolled(key=key, faces=faces):
                found.update((key, face) for face in faces)
            case DiceTold(key=key, dice=dice, counts=counts):
                found[key, tuple(sorted(counts.items()))] += len(parse(dice).sides)
            case _:
                pass
    return found
