"""Lists the sessions of a ledger, one line each, and finds those that fit a request."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ledger.entry import Seat, Who
from ledger.errors import Damaged, LogRefused, NoSuchSession
from ledger.stores import Store
from projections.combat import Combat, fold
from projections.combatants.roster import GM
from replays.sessions.archive import is_archived
from replays.sessions.find_session import find_deleted
from replays.sessions.log import Log
from replays.sessions.permissions import GM as GAMEMASTER
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
    """A part of the title."""
    player: str = ""
    """A person who plays a combatant in it."""
    ruleset: str = ""
    campaign: str = ""
    is_open: bool | None = None
    """Only those that go on, or only closed ones; None for both."""
    archived: bool | None = False
    """Only archived ones, or only others; None for both."""


IS_OPEN: Mapping[str, bool | None] = {"open": True, "closed": False, "any": None}
"""The words for `Wanted.is_open`, for people and over HTTP."""
IS_ARCHIVED: Mapping[str, bool | None] = {"no": False, "only": True, "any": None}
"""The words for `Wanted.archived`."""
EVERY = Wanted(archived=None)
"""Requests every session, also those that are archived."""

_DAMAGE = (LogRefused, Damaged)
"""Refusals that are about the record of one session."""

KnownSummaries = dict[str, tuple[bytes, Summary]]
"""Summaries that were made before, each with the digest of the entry that was the last one then."""


def summaries(
    store: Store,
    after: str = "",
    limit: int | None = None,
    wanted: Wanted = EVERY,
    *,
    newest_first: bool = False,
    known: KnownSummaries | None = None,
    who: Who = GAMEMASTER,
) -> Iterator[Summary]:
    """Yields sessions in the order in which they were created, or the other way round.

    Each session that may fit is opened, from its checkpoint where it has one. A damaged one does not hide the others;
    of one that is damaged after its first entry, that entry is summarized.

    Args:
        store: The ledger.
        after: Only sessions after this one in that order; by default all.
        limit: The maximal number of sessions; by default all.
        wanted: Only sessions that fit; by default all.
        newest_first: Whether the session that was created last comes first.
        known: Summaries of earlier calls, which are used while no entry follows; new ones are added.
        who: The reader of the list: players and spectators get the first title, and no players.

    Raises:
        NoSuchSession: There is no session of that id to begin after.
        SessionDeleted: The session to begin after was deleted.
        StoreRefused: The ledger cannot be read just now.
    """
    sessions = store.sessions()
    known = {} if known is None or who.seat is not Seat.GM else known
    for gone in known.keys() - set(sessions):
        known.pop(gone, None)
    found = 0
    for session in _following(store, sessions[::-1] if newest_first else sessions, after):
        if limit is not None and found >= limit:
            return
        try:
            summary = _summary(store, session, wanted, known, who)
        except NoSuchSession:  # it was deleted meanwhile
            continue
        if summary is not None and _fits(summary, wanted):
            found += 1
            yield summary


def _following(store: Store, ordered: Sequence[str], after: str) -> Sequence[str]:
    if not after:
        return ordered
    if after in ordered:
        return ordered[ordered.index(after) + 1 :]
    stone = find_deleted(store, after)
    if stone is not None and stone.session == after:
        raise stone.refusal()
    raise NoSuchSession(f"there is no session {after!r}", where="after", accepts="the id of a listed session")


def _summary(store: Store, session: str, wanted: Wanted, known: KnownSummaries, who: Who) -> Summary | None:
    """Returns a session in one line; None if its first entry shows already that it does not fit."""
    try:
        head = store.head(session)
        archived = is_archived(store, session)
        if wanted.archived not in (None, archived):
            return None
        digest, summary = known.get(session, (b"", None))
        if summary is None or digest != head.digest:
            summary = msgspec.structs.replace(_begun(store, session), entries=head.seq)
            if not _fits_by_opening(summary, wanted):
                return None
            summary = _opened(store, summary, who)
            known[session] = (head.digest, summary)
        return msgspec.structs.replace(summary, archived=archived)
    except NoSuchSession:
        raise
    except _DAMAGE as error:
        return Summary(session, damaged=f"damaged: {error}")


def opening(store: Store, session: str) -> Summary:
    """Summarizes the first entry of a session, which does not change; its entries are not counted.

    Raises:
        NoSuchSession: There is no session of that id.
        Refused: The entry cannot be read.
    """
    first = stored_records.first(store, session)
    info = fold(first.events).session
    return Summary(
        session, first.at, title=info.title, ruleset=info.ruleset, profile=info.profile, campaign=info.campaign
    )


def _begun(store: Store, session: str) -> Summary:
    try:
        return opening(store, session)
    except _DAMAGE as error:
        return Summary(session, damaged=f"damaged: {error}")


def _opened(store: Store, begun: Summary, who: Who) -> Summary:
    if begun.damaged:
        return begun
    try:
        combat = Log(store, begun.session).combat
    except _DAMAGE as error:
        return msgspec.structs.replace(begun, damaged=f"damaged: {error}")
    info = combat.session
    if who.seat is not Seat.GM:  # a later title may be secret, and so may combatants
        return msgspec.structs.replace(begun, is_open=info.is_open)
    return msgspec.structs.replace(begun, title=info.title, players=players(combat), is_open=info.is_open)


def players(combat: Combat) -> tuple[str, ...]:
    """Returns the names of the people who play combatants, beside the gamemaster."""
    return tuple(sorted({member.player for member in combat.roster.who.values()} - {GM}))


def _fits_by_opening(begun: Summary, wanted: Wanted) -> bool:
    fits_ruleset = _plain(wanted.ruleset) in ("", _plain(begun.ruleset))
    return fits_ruleset and _plain(wanted.campaign) in ("", _plain(begun.campaign))


def _fits(summary: Summary, wanted: Wanted) -> bool:
    if summary.damaged and (wanted.player or wanted.is_open is not None):
        return False
    return (
        _fits_by_opening(summary, wanted)
        and wanted.is_open in (None, summary.is_open)
        and _plain(wanted.title) in _plain(summary.title)
        and (not wanted.player or _plain(wanted.player) in map(_plain, summary.players))
    )


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
