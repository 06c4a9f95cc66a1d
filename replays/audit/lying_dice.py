"""Finds faces that lay on the table already when the missing ones of a roll were thrown: those are not thrown again."""

from collections.abc import Mapping

import msgspec

from ledger.commands import DrawDice, TypeDice
from replays.corrections.deferred import deferred
from replays.corrections.recorded_answers import ROLLS, RecordedAnswers
from replays.sessions.log import Log


class Lying(msgspec.Struct, frozen=True):
    """Faces of a roll that lay already, for a correction had left them."""

    count: int = 0
    """So many, the first ones of the roll."""
    entry: int = 0
    """In which they were thrown."""


Lay = Mapping[int, Lying]
"""By the entry of the roll."""
NONE = Lying()


def lay_already(log: Log) -> Lay:
    """Finds the rolls of which a correction had left some dice lying, so that only the others were thrown.

    Args:
        log: The session, whole.
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
