"""Pages of a session's log, limited by entries and by bytes."""

from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from projections.history.timeline import Timeline
from replays.api.session import Session
from replays.server.limits.shared_text import SharedText

ENTRIES = 200
"""Maximum number of entries on a page."""
BYTES = 64_000
"""Size after which a page is full; the entry that exceeds it is still part of the page."""


class _NumberedJson(NamedTuple):
    seq: int
    json: bytes


class EncodedEntry(_NumberedJson):
    """One entry as a caller sees it: its number and its JSON."""

    @cached_property
    def text(self) -> SharedText:
        """The JSON as text, the same object for all readers of a page."""
        return SharedText(self.json.decode())


class LogPage(NamedTuple):
    """A page of entries, with the tokens that were revoked when it was read."""

    entries: Sequence[EncodedEntry]
    revoked: frozenset[str]
    """The ids of the session's revoked tokens."""
    is_last: bool = False
    """Whether it is known that the log had no later entries when the page was read."""


class LogRange(NamedTuple):
    """The part of a log that a response of several pages covers."""

    upto: int
    """The number of its last entry."""
    head: int
    """The last entry that stood when the response began."""


def current_range(session: Session, upto: int | None = None) -> LogRange:
    """Returns the range of all current entries, or of those up to a given one."""
    last = session.log.last
    return LogRange(last if upto is None else min(upto, last), session.log.head)


def fill_page(encoded: Iterable[tuple[int, bytes]]) -> list[EncodedEntry]:
    """Takes entries, given by number and JSON, until a page is full; at least one if there are any."""
    entries: list[EncodedEntry] = []
    size = 0
    for seq, line in encoded:
        entries.append(EncodedEntry(seq, line))
        size += len(line)
        if size >= BYTES or len(entries) >= ENTRIES:
            break
    return entries


def standing_entries(timeline: Timeline, after: int, head: int) -> Set[int]:
    """Returns the numbers of the entries after one that stand as of a head."""
    found: set[int] = set()
    here = head
    while here > after:
        found.add(here)
        here = timeline.after(here)
    return found
