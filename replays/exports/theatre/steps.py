"""The entries of a record, each with its sentences and what it changes."""

from collections.abc import Iterator
from typing import Any

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat
from projections.views.document import State
from projections.views.released import Withheld
from projections.views.stand_ins import without_stand_ins
from replays.audit.event_index import key_of
from replays.corrections.change import kind_in_words
from replays.exports.documents import Speaker
from replays.exports.narrative import sentences
from replays.exports.theatre.model import ReplayStep, ReplaySteps
from replays.exports.theatre.walk import WalkedEntry, walk
from replays.sessions.log import Log
from replays.views.frames import MOST_STEPS
from replays.views.merge_patch import merge_patch
from replays.views.seat_log import seen_log
from replays.views.state_document import document

_EXPLAINED = (e.Declared, e.DiceRolled, e.DiceTold, e.TestResolved, e.Overruled, e.ModifierApplied, e.DamageTaken)
"""Events whose keys are worth an explanation, beside figures with a reason."""


def steps(
    log: Log, after: int = 0, limit: int = MOST_STEPS, eyes: Viewer = EVERYTHING, size: int | None = None
) -> ReplaySteps:
    """Returns the entries after one, each with what it changes.

    Args:
        log: The session's log.
        after: The number of the entry before them.
        limit: At most so many.
        eyes: The viewer; nothing hidden from them is in the steps.
        size: The bytes of JSON after which there are no further steps; the one that exceeds it is still among them.
    """
    log = seen_log(log, eyes)
    before = _state(log, after) if after else None
    found = _steps(log, before, after, min(log.last, after + limit))
    return ReplaySteps(after, before, tuple(found if size is None else _within(found, size)))


def _within(found: Iterator[ReplayStep], size: int) -> Iterator[ReplayStep]:
    """Yields steps until they are of a size."""
    for step in found:
        yield step
        size -= len(msgspec.json.encode(step))
        if size <= 0:
            return


def _steps(log: Log, before: State | None, after: int, upto: int) -> Iterator[ReplayStep]:
    """Yields the steps of a range.

    Args:
        log: The log as the viewer may see it.
        before: The state after the entry before the range; None for the empty document.
        after: The number of that entry.
        upto: The number of the last entry of the range.
    """
    line = log.timeline.standing(after, upto)
    state = {} if before is None else msgspec.to_builtins(before)
    records = log.store.read(log.session, after, upto)
    for walked, record in zip(walk(log, after, upto), records, strict=True):
        seq = walked.entry.seq
        now = msgspec.to_builtins(_document(log, seq, walked.shown, record.digest))
        yield _step(walked, merge_patch(state, now), stands=seq in line)
        state = now


def _step(walked: WalkedEntry, patch: dict[str, Any], *, stands: bool) -> ReplayStep:
    entry = walked.entry
    kind = "hidden" if isinstance(entry.command, Withheld) else kind_in_words(entry.command)
    return ReplayStep(
        entry.seq, entry.after, entry.at, Speaker(entry.by.name, entry.by.seat), stands, entry.origin, kind,
        tuple(sentences(entry, walked.before)), tuple(_keys(entry)), patch,
    )  # fmt: skip


def _keys(entry: Entry) -> dict[str, None]:
    """Returns the keys of an entry that can be explained, in order; without those below another of them."""
    events = [event for event in without_stand_ins(entry.events) if _is_explained(event)]
    keys = dict.fromkeys(key for event in events if (key := key_of(event)))
    return dict.fromkeys(key for key in keys if not any(key.startswith(f"{other}/") for other in keys))


def _is_explained(event: e.Event) -> bool:
    return isinstance(event, _EXPLAINED) or (isinstance(event, e.FigureFound) and bool(event.why))


def _state(log: Log, seq: int) -> State:
    """Returns the state after an entry as a document."""
    (record,) = log.store.read(log.session, seq - 1, seq)
    return _document(log, seq, log.state(log.timeline.head_at(seq)), record.digest)


def _document(log: Log, seq: int, combat: Combat, digest: bytes) -> State:
    return document(combat, log.session, entries=seq, head=log.timeline.head_at(seq), digest=digest)
