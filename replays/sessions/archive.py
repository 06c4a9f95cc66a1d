"""Archives sessions: an archived one is omitted from lists, and its log does not change.

Each change is a sealed record beside the log, numbered from 1: the odd ones archive the session, the even ones take it
out again. So a closed session can be archived as well, and two requests at once change it once.
"""

from collections.abc import Sequence

import msgspec

from ledger.entry import Who
from ledger.errors import Sealed
from ledger.stores import Store
from replays.sessions import ports

_PREFIX = "archive/"


class Archived(msgspec.Struct, frozen=True):
    """Whether a session is archived."""

    session: str
    archived: bool
    """Whether it is omitted from lists."""


class _ArchiveRecord(msgspec.Struct, frozen=True):
    """What is sealed of a change: the person, the time and the reason."""

    by: Who
    at: str
    why: str


def is_archived(store: Store, session: str) -> bool:
    """Returns whether a session is archived.

    Raises:
        NoSuchSession: There is no session of that id.
    """
    return len(_changes(store, session)) % 2 == 1


def archive(store: Store, session: str, by: Who, why: str = "") -> None:
    """Archives a session; one that is archived stays so.

    Args:
        store: The ledger.
        session: The session's id.
        by: The person who archives it.
        why: The reason.

    Raises:
        NoSuchSession: There is no session of that id.
    """
    _turn(store, session, _ArchiveRecord(by, ports.now(), why), archived=True)


def unarchive(store: Store, session: str, by: Who, why: str = "") -> None:
    """Takes a session out of the archive; the arguments are those of `archive`.

    Raises:
        NoSuchSession: There is no session of that id.
    """
    _turn(store, session, _ArchiveRecord(by, ports.now(), why), archived=False)


def _turn(store: Store, session: str, change: _ArchiveRecord, *, archived: bool) -> None:
    while len(changes := _changes(store, session)) % 2 != archived:
        try:
            return store.seal(session, f"{_PREFIX}{len(changes) + 1:06}", msgspec.json.encode(change))
        except Sealed:  # another caller has just changed it
            continue
    return None


def _changes(store: Store, session: str) -> Sequence[str]:
    return [name for name in store.seals(session) if name.startswith(_PREFIX)]
