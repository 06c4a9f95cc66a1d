"""Pages of a session's log: so many entries, and so many bytes, so that entries of any size can be passed on."""

from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from projections.history.timeline import Timeline
from replays.api.session import Session

ENTRIES = 200
"""At most on a page."""
BYTES = 64_000
"""After so many the page is full, with the entry that filled it."""


class Frame(NamedTuple):
    """One entry as somebody sees it."""

    seq: int
    told: bytes
    """The entry as JSON."""


class Page(NamedTuple):
    """What comes after an entry, and whose tokens are revoked by then."""

    frames: Sequence[Frame]
    revoked: frozenset[str]


class Stretch(NamedTuple):
    """The part of a log that an answer of several pages is about."""

    upto: int
    """The number of its last entry."""
    head: int
    """The last entry that stood when the answer began."""


def stretch_of(session: Session, upto: int | None = None) -> Stretch:
    """Returns the log as it is now, up to an entry at most."""
    last = session.log.last
    return Stretch(last if upto is None else min(upto, last), session.log.head)


def page_of(told: Iterable[tuple[int, bytes]]) -> list[Frame]:
    """Takes as many entries, with their numbers, as belong on a page: at least one where there is one."""
    frames: list[Frame] = []
    size = 0
    for seq, line in told:
        frames.append(Frame(seq, line))
        size += len(line)
        if size >= BYTES or len(frames) >= ENTRIES:
            break
    return frames


def standing(timeline: Timeline, after: int, head: int) -> Set[int]:
    """Returns the entries after one that stand on the line to a head."""
    found: set[int] = set()
    here = head
    while here > after:
        found.add(here)
        here = timeline.after(here)
    return found
