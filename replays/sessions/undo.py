"""Finds where an undo or redo leads: by step, exchange, turn or round."""

from functools import reduce

from ledger.audience import either
from ledger.commands import Rewind
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Audience, Declared, Event, ExchangeEnded, Rewound, RoundBegan, TurnBegan
from projections.history.timeline import Timeline
from replays.sessions.log import Log


class NothingToUndo(Refused):
    """There is nothing of that span to undo."""

    slug = "undo/nothing"


class NothingToRedo(Refused):
    """Nothing was undone, or a new command was decided since."""

    slug = "redo/nothing"


_BEGINS: dict[str, type[Event]] = {"turn": TurnBegan, "round": RoundBegan}
SPANS = ("step", "exchange", *_BEGINS)


def target(log: Log, span: str, head: int | None = None) -> int:
    """Returns the entry that is the last to stand when a span is undone.

    An exchange is undone with its declaration. A turn or round is undone to its beginning; if nothing has happened in
    it yet, to the beginning of the one before.

    Args:
        log: The session's log.
        span: One of `SPANS`.
        head: The entry from which a step is undone; by default the present head.

    Raises:
        NothingToUndo: There is nothing of that span.
    """
    if span not in SPANS:
        raise NothingToUndo(f"{span!r} cannot be taken back", where="span", accepts=", ".join(SPANS))
    if span == "step":
        return _standing(_before_step(log, log.head if head is None else head), span)
    if span == "exchange":
        return _standing(_before_exchange(log), span)
    begins = _BEGINS[span]
    for entry in log.newest_first():
        if entry.seq != log.head and any(isinstance(event, begins) for event in entry.events):
            return entry.seq
    raise NothingToUndo(f"no {span} to take back", where="span", accepts=", ".join(SPANS))


def _before_exchange(log: Log) -> int:
    """Returns the head before the declaration of the latest exchange, open or ended."""
    key = ""
    for entry in log.newest_first():
        for event in reversed(entry.events):
            if isinstance(event, Declared | ExchangeEnded):
                key = key or event.key
                if isinstance(event, Declared) and event.key == key:
                    return entry.after
    raise NothingToUndo("no exchange to take back", where="span", accepts=", ".join(SPANS))


def _before_step(log: Log, seq: int) -> int:
    """Returns the head before the request that an entry belongs to; all entries of one request are undone together.

    Entries of older logs do not record their request; there, consecutive repeated entries count as one request.
    """
    first = log.timeline.first(seq)
    while log.timeline.after(first) == first - 1 and log.entry(first).origin is not None:
        first -= 1
    return log.timeline.head_at(first - 1)


def _standing(seq: int, span: str) -> int:
    if seq < 1:
        raise NothingToUndo(f"no {span} to take back: only the session's opening is left", where="span")
    return seq


def other(log: Log, to: int) -> int:
    """Returns the head that rewinding to an entry leads to.

    Raises:
        NoSuchEntry: There is no entry of that number.
        NothingToUndo: It is the present head.
    """
    log.check(to)
    head = log.timeline.head_at(to)
    if head == log.head:
        raise NothingToUndo(f"nothing to undo: entry {to} is the last that stands", where="to")
    return head


def redone(log: Log) -> int:
    """Returns the head before the latest undo.

    Raises:
        NothingToRedo: Nothing was undone, or a new command was decided since.
    """
    if log.timeline.redo is None:
        raise NothingToRedo("nothing was undone since the last decision", where="redo")
    return log.timeline.redo


def rewound_to(entry: Entry) -> int | None:
    """Returns the entry that a rewind made the last to stand, even where its command is hidden; otherwise None."""
    if isinstance(entry.command, Rewind):
        return entry.command.to
    for event in entry.events:
        if isinstance(event, Rewound):
            return event.to
    return None


def branches(timeline: Timeline, head: int, to: int) -> tuple[list[int], list[int]]:
    """Returns the entries that stand with one head and not with another, and those that stand with the other alone.

    Args:
        timeline: The tree of entries.
        head: The one head, for example before a rewind.
        to: The other head.

    Returns:
        The entries of each branch, in order, without what both lines have in common.
    """
    undone, redone = list[int](), list[int]()
    while head != to:
        if head > to:
            undone.append(head)
            head = timeline.after(head)
        else:
            redone.append(to)
            to = timeline.after(to)
    return undone[::-1], redone[::-1]


def audience(log: Log, to: int) -> Audience:
    """Returns who may see any part of what stands before or after a rewind, but not both times.

    Args:
        log: The session's log.
        to: The entry that is to be the last to stand.
    """
    undone, redone = branches(log.timeline, log.head, to)
    moved = {*undone, *redone}
    entries = map(log.disclosures.entry, log.entries_of(sorted(moved)))
    parts = (seen_by for entry in entries for seen_by in _audiences(entry))
    nobody: Audience = ()
    return reduce(either, parts, nobody) if moved else None


def _audiences(entry: Entry) -> tuple[Audience, ...]:
    return entry.command.seen_by, *(event.seen_by for event in entry.events)
