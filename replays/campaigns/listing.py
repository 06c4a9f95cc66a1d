"""Lists the campaigns of a ledger, and finds the sessions of one.

A session names its campaign when it is opened. Each function reads the first entry and the head of every session, and
nothing else: a fraction of a millisecond each. A session that cannot be read does not hide the others. If its first
entry cannot be read, its campaign is not known, so it is listed separately.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.errors import LogRefused, Refused
from ledger.stores import Store
from machines.contract.documents.nearest import did_you_mean
from projections.combat import fold
from replays.sessions.record import stored_records

_SHOWN = 5
"""How many campaigns a refusal names."""
_LONGEST = 200
"""How many characters of a mistyped name a refusal repeats."""


class NoSuchCampaign(LogRefused):
    """No session belongs to a campaign of that name."""

    slug = "campaign/unknown"


class UnreadableSession(msgspec.Struct, frozen=True):
    """A session that could not be read, with the reason."""

    session: str
    slug: str
    """The stable name of the reason, for programs."""
    message: str
    """The reason, in one sentence."""
    where: str = ""
    """The place in the session; may be empty."""


class SessionOpening(msgspec.Struct, frozen=True):
    """What the first entry and the head of a session disclose about it."""

    session: str
    campaign: str
    title: str
    at: str
    """When it was opened."""
    ruleset: str
    profile: str
    entries: int
    """The number of its entries; 0 if that cannot be read."""


class Campaign(msgspec.Struct, frozen=True):
    """A campaign in brief."""

    name: str
    sessions: int
    """The number of its sessions."""
    rulesets: tuple[str, ...]
    """The rulesets of its sessions, each once."""
    entries: int
    """The number of entries of all its sessions."""
    first_at: str
    """When its first session was opened."""
    latest_at: str
    """When its latest session was opened."""


class CampaignList(msgspec.Struct, frozen=True):
    """The campaigns of a ledger."""

    campaigns: tuple[Campaign, ...]
    """The campaigns, in the order of their first sessions."""
    unreadable: tuple[UnreadableSession, ...]
    """Sessions whose first entry cannot be read, so that their campaigns are not known."""


class CampaignMembers(msgspec.Struct, frozen=True):
    """The sessions of one campaign."""

    name: str
    sessions: tuple[SessionOpening, ...]
    """Its sessions, in the order in which they were opened."""
    unreadable: tuple[UnreadableSession, ...]
    """Sessions whose first entry cannot be read, so that they may belong to it."""

    @property
    def ids(self) -> list[str]:
        """The ids of its sessions, and of those that may belong to it."""
        return [each.session for each in self.sessions] + [each.session for each in self.unreadable]


def campaigns(store: Store) -> CampaignList:
    """Returns the campaigns of a ledger, in the order of their first sessions.

    Args:
        store: The ledger.
    """
    known, unreadable = _openings(store)
    by_name: dict[str, list[SessionOpening]] = {}
    for each in known:
        by_name.setdefault(each.campaign, []).append(each)
    return CampaignList(tuple(_in_brief(name, sessions) for name, sessions in by_name.items()), unreadable)


def members(store: Store, name: str) -> CampaignMembers:
    """Returns the sessions of a campaign.

    Args:
        store: The ledger.
        name: The exact name of the campaign.

    Raises:
        NoSuchCampaign: No session that can be read belongs to it.
    """
    known, unreadable = _openings(store)
    mine = tuple(each for each in known if each.campaign == name)
    if not mine:
        raise _unknown(name, list(dict.fromkeys(each.campaign for each in known)), len(unreadable))
    return CampaignMembers(name, mine, unreadable)


def unreadable(session: str, refusal: Refused) -> UnreadableSession:
    """Returns the record of a session that could not be read.

    Args:
        session: The session's id.
        refusal: The reason.
    """
    return UnreadableSession(session, refusal.slug, refusal.message, refusal.where)


def _openings(store: Store) -> tuple[list[SessionOpening], tuple[UnreadableSession, ...]]:
    """Returns the sessions of all campaigns in the order in which they were opened, and those that cannot be read."""
    found = list(_read(store))
    known = [each for each in found if isinstance(each, SessionOpening) and each.campaign]
    return sorted(known, key=lambda each: each.at), tuple(each for each in found if isinstance(each, UnreadableSession))


def _read(store: Store) -> Iterator[SessionOpening | UnreadableSession]:
    for session in store.sessions():
        try:
            first = stored_records.first(store, session)
        except Refused as refusal:
            yield unreadable(session, refusal)
            continue
        info = fold(first.events).session
        entries = _entries(store, session)
        yield SessionOpening(session, info.campaign, info.title, first.at, info.ruleset, info.profile, entries)


def _entries(store: Store, session: str) -> int:
    try:
        return store.head(session).seq
    except Refused:
        return 0


def _in_brief(name: str, sessions: Iterable[SessionOpening]) -> Campaign:
    mine = list(sessions)
    return Campaign(
        name,
        sessions=len(mine),
        rulesets=tuple(dict.fromkeys(each.ruleset for each in mine)),
        entries=sum(each.entries for each in mine),
        first_at=mine[0].at,
        latest_at=mine[-1].at,
    )


def _unknown(name: str, known: list[str], count: int) -> NoSuchCampaign:
    """Returns the refusal of a name that no campaign has."""
    unread = f"; {count} sessions cannot be read, and may belong to it" if count else ""
    meant = did_you_mean(name, known)
    shown = ", ".join(known[-_SHOWN:]) or "a campaign that was named when a session was opened"
    return NoSuchCampaign(
        f"no session belongs to the campaign {name[:_LONGEST]!r}{meant or unread}", where="campaign", accepts=shown
    )
