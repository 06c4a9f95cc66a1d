"""Measures the luck of several sessions together, by the functions of `replays.odds.luck`."""

from collections.abc import Iterable, Mapping

import msgspec

from ledger.errors import Refused
from replays.api.consistency import consistently
from replays.api.viewing import SessionView
from replays.campaigns.listing import UnreadableSession, unreadable
from replays.odds.luck import DiceOnRecord, Luck, compared, dice_on_record


class SessionsLuck(Luck, frozen=True):
    """The dice of several sessions beside their expectation, as if they were one session's."""

    sessions: tuple[str, ...]
    """The ids of the sessions that were measured."""
    not_measured: tuple[UnreadableSession, ...]
    """The sessions that could not be measured, with the reasons."""


@consistently
def dice(session: SessionView) -> DiceOnRecord:
    """Returns the standing dice and tests of a session, with the probability of each test.

    Raises:
        Refused: The session cannot be read.
    """
    return dice_on_record(session.log)


def together(found: Mapping[str, DiceOnRecord | Refused], unread: Iterable[UnreadableSession] = ()) -> SessionsLuck:
    """Compares the dice of several sessions with their expectation.

    Args:
        found: The dice of each session by its id, or why they cannot be read.
        unread: Further sessions that could not be read.

    Raises:
        NoDice: There are no dice.
        Refused: None of the sessions could be read; the first refusal.
    """
    refused = {session: each for session, each in found.items() if isinstance(each, Refused)}
    if refused and len(refused) == len(found):
        raise next(iter(refused.values()))
    measured = {session: each for session, each in found.items() if not isinstance(each, Refused)}
    luck = compared(measured.values())
    not_measured = (*(unreadable(*each) for each in refused.items()), *unread)
    return SessionsLuck(**msgspec.structs.asdict(luck), sessions=tuple(measured), not_measured=not_measured)
