"""Lists the sessions of a ledger, one line each, and finds those that fit a request."""

import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from ledger.errors import NoSuchSession, Refused
from ledger.stores import Store
from projections.combat import Combat
from projections.combatants.roster import GM
from replays.sessions.archive import is_archived
from replays.sessions.find_session import find_deleted
from replays.sessions.log import Log
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
    campaign: str = ""
    """The campaign that it belongs to; empty for none."""
    players: tuple[str, ...] = ()
    """The names of the people who play combatants in it, beside the gamemaster."""
    is_open: bool = False
    """Whether it goes on; false once it is closed."""
    archived: bool = False
    """Whether it is omitted from lists."""


class Wanted(msgspec.Struct, frozen=True):
    """Which sessions are asked for; each field limits them further, and words fit in any case."""

    title: str = ""
    """Words that the title contains."""
    player: str = ""
    """A person who plays a combatant in it."""
    ruleset: str = ""
    campaign: str = ""
    is_open: bool | None = None
    """Only those that go on, or only closed ones; None for both."""
    archived: bool | None = False
    """Only archived ones, or only others; None for both."""


EVERY = Wanted(archived=None)
"""Asks for every session, also for those that are archived."""

Known = dict[str, tuple[bytes, Summary]]
"""Summaries that were made before, each with the digest of the entry that was the last one then."""
_MOST_KNOWN = 10_000


def summaries(
    store: Store,
    after: str = "",
    limit: int | None = None,
    wanted: Wanted = EVERY,
    *,
    newest_first: bool = False,
    known: Known | None = None,
) -> Iterator[Summary]:
    """Yields sessions in the order in which they were created, or the other way round.

    Each session is opened, from its checkpoint where it has one; a damaged one does not hide the others, and fits
    where nothing is asked for that cannot be read of it.

    Args:
        store: The ledger.
        after: Only sessions after this one in that order, which may have been deleted meanwhile; by default all.
        limit: The maximal number of sessions; by default all.
        wanted: Only sessions that fit; by default all.
        newest_first: Whether the session that was created last comes first.
        known: Summaries of earlier calls, which are used while no entry follows; new ones are added.

    Raises:
        NoSuchSession: There was never a session of that id to begin after.
    """
    sessions = store.sessions()
    ordered = sessions[::-1] if newest_first else sessions
    found = 0
    for session in _following(store, ordered, after, newest_first=newest_first):
        if limit is not None and found >= limit:
            return
        summary = _summary(store, session, {} if known is None else known)
        if _fits(summary, wanted):
            found += 1
            yield summary


def _following(store: Store, ordered: Sequence[str], after: str, *, newest_first: bool) -> Sequence[str]:
    """Returns the sessions after one of them; after a deleted one, by the time with which an id begins."""
    if not after:
        return ordered
    if after in ordered:
        return ordered[ordered.index(after) + 1 :]
    stone = find_deleted(store, after)
    if stone is None or stone.session != after:
        raise NoSuchSession(f"there is no session {after!r}", where="after", accepts="the id of a listed session")
    return [each for each in ordered if (each < after if newest_first else each > after)]


def _summary(store: Store, session: str, known: Known) -> Summary:
    try:
        head = store.head(session)
        digest, summary = known.get(session, (b"", None))
        if summary is None or digest != head.digest:
            summary = _opened(store, session)
            if not summary.damaged:
                _keep(known, session, head.digest, summary)
        return msgspec.structs.replace(summary, archived=is_archived(store, session))
    except Refused as error:
        return Summary(session, damaged=f"damaged: {error}")


def _keep(known: Known, session: str, digest: bytes, summary: Summary) -> None:
    if len(known) >= _MOST_KNOWN:
        known.clear()
    known[session] = (digest, summary)


def _opened(store: Store, session: str) -> Summary:
    entries, at = store.head(session).seq, ""
    try:
        at = stored_records.first(store, session).at
        combat = Log(store, session).combat
    except Refused as error:
        return Summary(session, at, entries, damaged=f"damaged: {error}")
    info = combat.session
    return Summary(
        session, at, entries, info.title, info.ruleset, info.profile, "", info.campaign, _players(combat), info.is_open
    )


def _players(combat: Combat) -> tuple[str, ...]:
    return tuple(sorted({member.player for member in combat.roster.who.values()} - {GM}))


def _fits(summary: Summary, wanted: Wanted) -> bool:
    if wanted.archived not in (None, summary.archived):
        return False
    if summary.damaged:
        return msgspec.structs.replace(wanted, archived=None) == EVERY
    return (
        wanted.is_open in (None, summary.is_open)
        and _plain(wanted.title) in _plain(summary.title)
        and (not wanted.player or _plain(wanted.player) in map(_plain, summary.players))
        and _plain(wanted.ruleset) in ("", _plain(summary.ruleset))
        and _plain(wanted.campaign) in ("", _plain(summary.campaign))
    )


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
