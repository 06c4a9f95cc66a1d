"""Finds dice that lay on the table already when the missing dice of a roll were thrown; they were not thrown again."""

from collections.abc import Mapping

import msgspec

from ledger.commands import DrawDice, TypeDice
from replays.corrections.deferred import deferred
from replays.corrections.recorded_answers import ROLLS, RecordedAnswers
from replays.sessions.log import Log


class Lying(msgspec.Struct, frozen=True):
    """Faces of a roll that a correction had left lying on the table."""

    count: int = 0
    """Their number; they are the first ones of the roll."""
    entry: int = 0
    """The entry in which they were thrown."""


Lay = Mapping[int, Lying]
"""Faces that lay already, by the entry of the roll."""
NONE = Lying()


def lay_already(log: Log) -> Lay:
    """Returns the rolls of which some dice lay already, so that only the others were thrown.

    Args:
        log: The whole log.
    """
    first = log.corrections[0] if log.corrections else log.last
    return {
        entry.seq: lying
        for entry in log.entries(after=first)
        if entry.origin is None and isinstance(entry.command, ROLLS) and entry.command.provenance
        if (lying := _lying(log, entry.after, entry.command)).count
    }


def _lying(log: Log, head: int, command: TypeDice | DrawDice) -> Lying:
    rest = next((rest for rest in log.state(head).rests if rest.key == command.key), None)
    entries = deferred(log, head).entries if rest is not None else ()
    for entry in entries:
        known = RecordedAnswers((entry,), log.entry).known(rest) if rest is not None else None
        if known is not None:
            return Lying(len(known.faces), entry.seq) if command.faces[: len(known.faces)] == known.faces else NONE
    return NONE
