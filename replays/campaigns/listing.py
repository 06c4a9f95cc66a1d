"""Lists the campaigns of a ledger, and finds the sessions of one.

A session names its campaign when it is opened. The first entry of every session is read, a fraction of a millisecond
each, and remembered by `Openings`, because it never changes; of the sessions that are listed, the head is read, too.
A session that cannot be read does not hide the others. If its first entry cannot be read, its campaign is not known, so
it is listed separately.
"""

from collections.abc import Sequence

import msgspec

from ledger.errors import Damaged, LogRefused, NoSuchSession, Refused
from ledger.stores import Store
from machines.contract.documents.nearest import did_you_mean
from replays.exports.listing import Summary, opening

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
    sessions: tuple[Summary, ...]
    """Its sessions, in the order in which they were opened."""
    unreadable: tuple[UnreadableSession, ...]
    """Sessions whose first entry cannot be read, so that they may belong to it."""

    @property
    def ids(self) -> list[str]:
        """The ids of its sessions."""
        return [each.session for each in self.sessions]


class Openings:
    """Reads the first entries of a ledger's sessions, each once.

    Args:
        store: The ledger.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, Summary] = {}

    def all(self) -> tuple[list[Summary], tuple[UnreadableSession, ...]]:
        """Returns the sessions of all campaigns in the order in which they were opened, and those of unknown campaigns.

        Sessions that belong to no campaign are omitted.
        """
        known, unread = dict[str, Summary](), list[UnreadableSession]()
        for session in self.store.sessions():
            try:
                known[session] = self._known.get(session) or opening(self.store, session)
            except NoSuchSession:  # it was deleted meanwhile
                continue
            except (LogRefused, Damaged) as refusal:
                unread.append(unreadable(session, refusal))
        self._known = known
        mine = [each for each in known.values() if each.campaign]
        return sorted(mine, key=lambda each: each.at), tuple(unread)


def campaigns(store: Store, openings: Openings | None = None) -> CampaignList:
    """Returns the campaigns of a ledger, in the order of their first sessions.

    Args:
        store: The ledger.
        openings: The first entries that were read already; by default they are read again.
    """
    known, unread = (openings or Openings(store)).all()
    by_name: dict[str, list[Summary]] = {}
    for each in known:
        by_name.setdefault(each.campaign, []).append(each)
    return CampaignList(tuple(_in_brief(store, name, sessions) for name, sessions in by_name.items()), unread)


def members(store: Store, name: str, openings: Openings | None = None) -> CampaignMembers:
    """Returns the sessions of a campaign.

    Args:
        store: The ledger.
        name: The exact name of the campaign.
        openings: The first entries that were read already; by default they are read again.

    Raises:
        NoSuchCampaign: No session that can be read belongs to it.
    """
    known, unread = (openings or Openings(store)).all()
    mine = tuple(each for each in known if each.campaign == name)
    if not mine:
        raise _unknown(name, list(dict.fromkeys(each.campaign for each in known)), len(unread))
    return CampaignMembers(name, mine, unread)


def unreadable(session: str, refusal: Refused) -> UnreadableSession:
    """Returns the record of a session that could not be read.

    Args:
        session: The session's id.
        refusal: The reason.
    """
    return UnreadableSession(session, refusal.slug, refusal.message, refusal.where)


def count_entries(store: Store, session: str) -> int:
    """Returns the number of entries of a session; 0 if it cannot be read."""
    try:
        return store.head(session).seq
    except Refused:
        return 0


def _in_brief(store: Store, name: str, sessions: Sequence[Summary]) -> Campaign:
    return Campaign(
        name,
        sessions=len(sessions),
        rulesets=tuple(dict.fromkeys(each.ruleset for each in sessions)),
        entries=sum(count_entries(store, each.session) for each in sessions),
        first_at=sessions[0].at,
        latest_at=sessions[-1].at,
    )


def _unknown(name: str, known: list[str], count: int) -> NoSuchCampaign:
    """Returns the refusal of a name that no campaign has."""
    unread = f"; {count} sessions cannot be read, and may belong to it" if count else ""
    meant = did_you_mean(name, known)
    shown = ", ".join(known[-_SHOWN:]) or "a campaign that was named when a session was opened"
    return NoSuchCampaign(
        f"no session belongs to the campaign {name[:_LONGEST]!r}{meant or unread}", where="campaign", accepts=shown
    )
