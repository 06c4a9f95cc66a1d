"""Reports a correction: compares the rebased line with the one that stands."""

from typing import NamedTuple

from ledger.entry import Entry
from ledger.events import Json
from projections.combat import Combat
from projections.views.document import State
from replays.corrections import diff as compare
from replays.corrections.change import summary
from replays.corrections.diff import Report
from replays.corrections.rebase import Rebase
from replays.corrections.redecide import Today
from replays.sessions.log import Log
from replays.views.state_document import document


class Corrected(NamedTuple):
    """The entry that is corrected, and the reason."""

    entry: Entry
    before: int
    """The number of the entry that it stands on."""
    change: Json
    why: str


def report(log: Log, corrected: Corrected, was: Today, rebase: Rebase) -> Report:
    """Returns the report of a correction.

    Args:
        log: The session's log.
        corrected: The corrected entry.
        was: The standing entries from there on, by today's rules.
        rebase: The rebased entries in their place.
    """
    drafts = enumerate(rebase.drafts, log.last + 1)
    now = [each for seq, draft in drafts for each in compare.compared(seq, draft.events)]
    before, after = _document(log, was.combat), _document(log, rebase.state)
    needed = tuple(compare.needed(was.combat, rebase.state, rebase.known()))
    left, state = tuple(rebase.left()), log.state(corrected.before)
    waiting = left if rebase.state.rests else ()
    return Report(
        kind="preview",
        entry=corrected.entry.seq,
        what=summary(corrected.entry.command),
        change=corrected.change,
        why=corrected.why,
        flips=tuple(
            compare.flips(was.events, now, rebase.is_pending if rebase.state.rests else compare.is_never_pending, state)
        ),
        shifts=tuple(compare.shifts(before, after)),
        needs_a_person=needed,
        waits=waiting,
        set_aside=(*rebase.set_aside(), *(() if waiting else left)),
        reread=tuple(compare.reread(was.events, now)),
        drift=tuple(was.drift),
        before=before,
        after=after,
        numbers=tuple(compare.numbers(was.events, now, state)),
    )


def _document(log: Log, combat: Combat) -> State:
    return document(combat, log.session, entries=log.last, head=log.head, digest=log.digest)
