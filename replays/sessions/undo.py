"""How far back: by step, exchange, turn or round."""

from functools import reduce

from ledger.audience import either
from ledger.commands import Rewind
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Audience, Declared, Event, ExchangeEnded, Rewound, RoundBegan, TurnBegan
from replays.sessions.log import Log


class NothingToUndo(Refused):
    """There is nothing of that kind to take back."""

    slug = "undo/nothing"


class NothingToRedo(Refused):
    """Nothing was undone, or something new was decided since."""

    slug = "redo/nothing"


_BEGINS: dict[str, type[Event]] = {"turn": TurnBegan, "round": RoundBegan}
SPANS = ("step", "exchange", *_BEGINS)


def target(log: Log, span: str, head: int | None = None) -> int:
    """The entry that is the last to stand when a span is taken back.

    An exchange is taken back with its declaration. A turn or a round is taken back to where it began; where nothing
    has happened in it yet, to where the one before began.

    Args:
        log: The session's.
        span: One of `SPANS`.
        head: From where a step is taken back; left out, from the last entry that stands.

    Raises:
        NothingToUndo: There is nothing of that kind.
    """
    if span not in SPANS:
        raise NothingToUndo(f"{span!r} cannot be taken back", where="span", accepts=", ".join(SPANS))
    if span == "step":
        return _standing(_before_step(log, log.head if head is None else head), span)
    if span == "exchange":
        return _standing(_before_exchange(log), span)
    begins = _BEGINS[span]
    for entry in log.upwards():
        if entry.seq != log.head and any(isinstance(event, begins) for event in entry.events):
            return entry.seq
    raise NothingToUndo(f"no {span} to take back", where="span", accepts=", ".join(SPANS))


def _before_exchange(log: Log) -> int:
    """The head before the declaration of what ended last; of what is being resolved, where nothing ended since."""
    key = ""
    for entry in log.upwards():
        for event in reversed(entry.events):
            if isinstance(event, Declared | ExchangeEnded):
                key = key or event.key
                if isinstance(event, Declared) and event.key == key:
                    return entry.after
    raise NothingToUndo("no exchange to take back", where="span", accepts=", ".join(SPANS))


def _before_step(log: Log, seq: int) -> int:
    """The head before the request that an entry answers: all entries that were written for it are taken back.

    An older log does not say which were; there they are those that are performed again, one on the other.
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
    """The head that a rewinding to an entry leads to.

    Raises:
        NoSuchEntry: There is none of that number.
        NothingToUndo: It is the present head.
    """
    log.check(to)
    head = log.timeline.head_at(to)
    if head == log.head:
        raise NothingToUndo(f"nothing to undo: entry {to} is the last that stands", where="to")
    return head


def redone(log: Log) -> int:
    """The head before the latest undo.

    Raises:
        NothingToRedo: Nothing was undone, or something new was decided since.
    """
    if log.timeline.redo is None:
        raise NothingToRedo("nothing was undone since the last decision", where="redo")
    return log.timeline.redo


def rewound_to(entry: Entry) -> int | None:
    """Returns the entry that an entry made the last to stand, also where its command is hidden; None for any other."""
    if isinstance(entry.command, Rewind):
        return entry.command.to
    return next((event.to for event in entry.events if isinstance(event, Rewound)), None)


def audience(log: Log, to: int) -> Audience:
    """Returns who may see anything of what stands before or after a rewinding, and not both times.

    Args:
        log: The session's.
        to: The entry that is to be the last to stand.
    """
    moved = {*log.timeline.line()} ^ {*log.timeline.line(to)}
    entries = map(log.disclosures.entry, log.entries_of(sorted(moved)))
    parts = (seen_by for entry in entries for seen_by in _audiences(entry))
    nobody: Audience = ()
    return reduce(either, parts, nobody) if moved else None


def _audiences(entry: Entry) -> tuple[Audience, ...]:
    return entry.command.seen_by, *(event.seen_by for event in entry.events)
