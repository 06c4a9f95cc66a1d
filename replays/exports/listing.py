"""The sessions of a ledger, a line each."""

from collections.abc import Iterator

import msgspec

from ledger.errors import NoSuchSession, Refused
from ledger.stores import Store
from projections.combat import fold
from replays.sessions import stored_records


class Summary(msgspec.Struct, frozen=True):
    """A session in a line."""

    session: str
    at: str = ""
    """When it was begun."""
    entries: int = 0
    title: str = ""
    ruleset: str = ""
    profile: str = ""
    damaged: str = ""
    """Why it cannot be read, where it cannot."""


def summaries(store: Store, after: str = "", limit: int | None = None) -> Iterator[Summary]:
    """Sessions in the order in which they were begun.

    Args:
        store: The ledger.
        after: Only what comes after this session; left out, from the first on.
        limit: So many at most; left out, all.

    Raises:
        NoSuchSession: There is none to begin after.
    """
    sessions = store.sessions()
    if after and after not in sessions:
        raise NoSuchSession(f"there is no session {after!r}", where="after")
    begin = sessions.index(after) + 1 if after else 0
    end = None if limit is None else begin + limit
    return (_summary(store, session) for session in sessions[begin:end])


def _summary(store: Store, session: str) -> Summary:
    """Of the first entry and the head only: a damaged session does not hide the others."""
    entries = 0
    try:
        entries = store.head(session).seq
        first = stored_records.first(store, session)
        info = fold(first.events).session
    except Refused as error:
        return Summary(session, entries=entries, damaged=f"damaged: {error}")
    return Summary(session, first.at, entries, info.title, info.ruleset, info.profile)
