"""Lists the sessions of a ledger, one line each."""

from collections.abc import Iterator

import msgspec

from ledger.errors import NoSuchSession, Refused
from ledger.stores import Store
from projections.combat import fold
from replays.sessions.record import stored_records


class Summary(msgspec.Struct, frozen=True):
    """A session in one line."""

    session: str
    at: str = ""
    """When it was created."""
    entries: int = 0
    title: str = ""
    ruleset: str = ""
    profile: str = ""
    damaged: str = ""
    """Why it cannot be read; empty where it can."""


def summaries(store: Store, after: str = "", limit: int | None = None) -> Iterator[Summary]:
    """Returns sessions in the order in which they were created.

    Args:
        store: The ledger.
        after: Only sessions after this one; by default from the first.
        limit: The maximal number of sessions; by default all.

    Raises:
        NoSuchSession: There is no session of that id to begin after.
    """
    sessions = store.sessions()
    if after and after not in sessions:
        raise NoSuchSession(f"there is no session {after!r}", where="after")
    begin = sessions.index(after) + 1 if after else 0
    end = None if limit is None else begin + limit
    return (_summary(store, session) for session in sessions[begin:end])


def _summary(store: Store, session: str) -> Summary:
    """Summarizes the first entry and the head only, so that a damaged session does not hide the others."""
    entries = 0
    try:
        entries = store.head(session).seq
        first = stored_records.first(store, session)
        info = fold(first.events).session
    except Refused as error:
        return Summary(session, entries=entries, damaged=f"damaged: {error}")
    return Summary(session, first.at, entries, info.title, info.ruleset, info.profile)
