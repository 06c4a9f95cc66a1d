"""Reads one campaign: its sessions with its roster, its luck, and its rulings.

Each of the three opens every session of the campaign once, from its checkpoint where there is one, and reads its
entries once. A roster is an order of magnitude faster than luck, which computes the probability of each test. What is
read of one session is a value (`appearances`, `dice`, `rulings`), so callers may read the sessions elsewhere, for
example in worker processes, and merge the values here.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from ledger.errors import Damaged, LogRefused, NoSuchSession, Refused
from ledger.stores import Store
from replays.api.consistency import consistently
from replays.api.viewing import SessionView
from replays.audit.disputes.precedents import Precedent, precedents
from replays.campaigns.appearances import SessionAppearances, appearances
from replays.campaigns.listing import (
    CampaignMembers,
    UnreadableSession,
    count_entries,
    members,
    unreadable,
)
from replays.campaigns.luck import SessionsLuck, dice, together
from replays.campaigns.roster import CampaignRoster, roster
from replays.exports.listing import Summary
from replays.odds.luck import DiceOnRecord
from replays.sessions.archive import is_archived
from replays.sessions.log import Log

T = TypeVar("T")


class CampaignSession(msgspec.Struct, frozen=True):
    """A session of a campaign."""

    session: str
    title: str
    at: str
    """When it was opened."""
    entries: int
    ruleset: str
    profile: str
    is_open: bool | None
    """Whether it is open; false if it was closed, null if it is damaged."""
    archived: bool
    """Whether lists of sessions omit it."""
    damaged: str
    """Why it cannot be read; empty where it can."""


class CampaignPage(msgspec.Struct, frozen=True):
    """A campaign: its sessions and its roster."""

    name: str
    sessions: tuple[CampaignSession, ...]
    """Its sessions, in the order in which they were opened."""
    roster: CampaignRoster
    unreadable: tuple[UnreadableSession, ...]
    """Sessions whose first entry cannot be read, so that they may belong to it."""


class CampaignRulings(msgspec.Struct, frozen=True):
    """The rulings of a campaign: its settled disputes and overruled figures."""

    rulings: tuple[Precedent, ...]
    """The rulings, session after session, in the order in which they were made; without those set aside."""
    unreadable: tuple[UnreadableSession, ...]
    """The sessions that could not be read, with the reasons."""


class SessionOfCampaign(msgspec.Struct, frozen=True):
    """Everything that is read of one session."""

    appearances: SessionAppearances
    dice: DiceOnRecord | Refused
    """Its dice, or why they cannot be read."""
    rulings: tuple[Precedent, ...] | Refused
    """Its rulings, or why they cannot be read."""


class WholeCampaign(msgspec.Struct, frozen=True):
    """Everything about a campaign."""

    page: CampaignPage
    luck: SessionsLuck | Refused
    """Its luck, or why there is none to measure."""
    rulings: CampaignRulings


def campaign(store: Store, name: str) -> CampaignPage:
    """Returns a campaign with its sessions and its roster. See `replays.campaigns.roster` for who is the same.

    Args:
        store: The ledger.
        name: The exact name of the campaign.

    Raises:
        NoSuchCampaign: No session that can be read belongs to it.
    """
    mine = members(store, name)
    return page(store, mine, read_each(store, mine, appearances))


def campaign_luck(store: Store, name: str) -> SessionsLuck:
    """Compares the dice of all sessions of a campaign with their expectation; see `replays.odds.luck`.

    Args:
        store: The ledger.
        name: The exact name of the campaign.

    Raises:
        NoSuchCampaign: No session that can be read belongs to it.
        NoDice: There are no dice.
        Refused: None of its sessions can be read; the first refusal.
    """
    mine = members(store, name)
    return together(read_each(store, mine, dice), mine.unreadable)


def campaign_rulings(store: Store, name: str) -> CampaignRulings:
    """Returns the rulings of all sessions of a campaign, without those set aside.

    An overruled figure is set aside when it is undone. A settlement is not: it outlives the undoing of its subject.

    Args:
        store: The ledger.
        name: The exact name of the campaign.

    Raises:
        NoSuchCampaign: No session that can be read belongs to it.
    """
    mine = members(store, name)
    return all_rulings(mine, read_each(store, mine, rulings))


# ------------------------------------------------------------------------------------------------ one session


@consistently
def rulings(session: SessionView) -> tuple[Precedent, ...]:
    """Returns the rulings of one session, without those set aside.

    Raises:
        Refused: The session cannot be read.
    """
    return tuple(each for each in precedents(session.log) if not each.is_set_aside)


@consistently
def everything(session: SessionView) -> SessionOfCampaign:
    """Returns everything that is read of one session.

    Raises:
        Refused: The session cannot be read.
    """
    return SessionOfCampaign(appearances(session), _if_read(dice, session), _if_read(rulings, session))


def _if_read(read: Callable[[SessionView], T], session: SessionView) -> T | Refused:
    try:
        return read(session)
    except Refused as refusal:
        return refusal


def read_each(store: Store, mine: CampaignMembers, read: Callable[[SessionView], T]) -> dict[str, T | Refused]:
    """Returns what is read of each session of a campaign, or why it cannot be read.

    Args:
        store: The ledger.
        mine: The sessions of the campaign.
        read: Reads one session.
    """
    found: dict[str, T | Refused] = {}
    for each in mine.sessions:
        try:
            found[each.session] = read(SessionView(Log(store, each.session)))
        except (LogRefused, Damaged) as refusal:
            found[each.session] = refusal
    return found


# ------------------------------------------------------------------------------------------------ merging


def page(store: Store, mine: CampaignMembers, found: Mapping[str, SessionAppearances | Refused]) -> CampaignPage:
    """Returns a campaign from what was read of its sessions.

    Args:
        store: The ledger, in which the entries of damaged sessions are counted.
        mine: The sessions of the campaign.
        found: The appearances of each session by its id, or why they cannot be read.
    """
    sessions = tuple(_session(store, each, found[each.session]) for each in mine.sessions)
    sound = (each for each in found.values() if not isinstance(each, Refused))
    return CampaignPage(mine.name, sessions, roster(sound), mine.unreadable)


def all_rulings(mine: CampaignMembers, found: Mapping[str, tuple[Precedent, ...] | Refused]) -> CampaignRulings:
    """Returns the rulings of a campaign from those of its sessions.

    Args:
        mine: The sessions of the campaign.
        found: The rulings of each session by its id, or why they cannot be read.
    """
    refused = (unreadable(name, each) for name, each in found.items() if isinstance(each, Refused))
    known = (one for each in found.values() if not isinstance(each, Refused) for one in each)
    return CampaignRulings(tuple(known), (*refused, *mine.unreadable))


def whole(store: Store, mine: CampaignMembers, found: Mapping[str, SessionOfCampaign | Refused]) -> WholeCampaign:
    """Returns everything about a campaign from what was read of its sessions.

    Args:
        store: The ledger, in which the entries of damaged sessions are counted.
        mine: The sessions of the campaign.
        found: What was read of each session by its id, or why it cannot be read.
    """
    luck: SessionsLuck | Refused
    dice_found = {name: each if isinstance(each, Refused) else each.dice for name, each in found.items()}
    try:
        luck = together(dice_found, mine.unreadable)
    except Refused as refusal:
        luck = refusal
    ruled = {name: each if isinstance(each, Refused) else each.rulings for name, each in found.items()}
    appeared = {name: each if isinstance(each, Refused) else each.appearances for name, each in found.items()}
    return WholeCampaign(page(store, mine, appeared), luck, all_rulings(mine, ruled))


def _session(store: Store, one: Summary, found: SessionAppearances | Refused) -> CampaignSession:
    archived = _is_archived(store, one.session)
    known = (one.session, one.title if isinstance(found, Refused) else found.title, one.at)
    if isinstance(found, Refused):
        entries = count_entries(store, one.session)
        return CampaignSession(*known, entries, one.ruleset, one.profile, None, archived, f"damaged: {found}")
    return CampaignSession(*known, found.entries, one.ruleset, one.profile, found.is_open, archived, "")


def _is_archived(store: Store, session: str) -> bool:
    try:
        return is_archived(store, session)
    except NoSuchSession:  # it was deleted meanwhile
        return False
