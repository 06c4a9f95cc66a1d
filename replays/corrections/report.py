"""Compares what was decided again on a corrected past with what stands: the report of a correction."""

from collections.abc import Sequence
from typing import NamedTuple

from ledger.entry import Entry
from ledger.events import Event, Json
from projections.combat import Combat
from projections.views.document import State
from replays.corrections import diff as compare
from replays.corrections.change import said
from replays.corrections.diff import Report
from replays.corrections.rebase import Pulled
from replays.corrections.redecide import decided_today
from replays.sessions.log import Log
from replays.sessions.wording import document


class Today(NamedTuple):
    """A stretch of what stands, as today's rules decide it."""

    combat: Combat
    """What is so at its end."""
    told: list[tuple[int, Event]]
    """Its events, with the entries that have them."""
    drift: list[int]
    """The entries that today's rules decide otherwise than is recorded."""


class Corrected(NamedTuple):
    """What is corrected, and why."""

    entry: Entry
    before: int
    """The entry that stood before it."""
    change: Json
    why: str


def today(log: Log, before: int, line: Sequence[Entry]) -> Today:
    """Returns a stretch of what stands, decided by today's rules; its arguments are those of `decided_today`."""
    return Today(*decided_today(log, before, line))


def report(log: Log, corrected: Corrected, was: Today, pulled: Pulled) -> Report:
    """Returns what a correction comes to.

    Args:
        log: The session's.
        corrected: What is corrected.
        was: What stands behind the corrected entry.
        pulled: What was decided again in its place.
    """
    now = [(seq, event) for seq, draft in enumerate(pulled.drafts, log.last + 1) for event in draft.events]
    before, after = _document(log, was.combat), _document(log, pulled.state)
    needed = tuple(compare.needed(was.combat, pulled.state, pulled.known()))
    left, state = tuple(pulled.left()), log.state(corrected.before)
    waiting = left if pulled.state.rests else ()
    return Report(
        kind="preview",
        entry=corrected.entry.seq,
        what=said(corrected.entry.command),
        change=corrected.change,
        why=corrected.why,
        flips=tuple(compare.flips(was.told, now, pulled.may_come if pulled.state.rests else compare.never, state)),
        shifts=tuple(compare.shifts(before, after)),
        needs_a_person=needed,
        waits=waiting,
        set_aside=(*pulled.set_aside(), *(() if waiting else left)),
        reread=tuple(compare.reread(was.told, now)),
        drift=tuple(was.drift),
        before=before,
        after=after,
    )


def _document(log: Log, combat: Combat) -> State:
    return document(combat, log.session, entries=log.last, head=log.head, digest=log.digest)
