"""The tokens of a session's seats, and a session to be created, in the form in which they are sent."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.entry import Seat
from replays.client.refusals import NoSuchSeat
from replays.exports.listing import IS_ARCHIVED, IS_OPEN, Wanted


class Issued(msgspec.Struct, frozen=True):
    """A newly issued token; it is shown only this once."""

    id: str
    seat: Seat
    name: str
    combatants: tuple[str, ...] | None
    """Limits a player to these combatants; None for all that the log gives to the player."""
    token: str
    expires: str | None = None
    """When it expires, as RFC 3339 in UTC; None if it does not."""


class Known(msgspec.Struct, frozen=True):
    """An issued token, without its signed text."""

    id: str
    seat: Seat
    name: str
    combatants: tuple[str, ...] | None
    revoked: bool
    expires: str | None = None
    """When it expires, as RFC 3339 in UTC; None if it does not."""


class SeatTokens(msgspec.Struct, frozen=True):
    """A created or imported session, with the tokens of its seats."""

    session: str
    tokens: tuple[Issued, ...]

    def of(self, seat: Seat, name: str | None = None) -> Issued:
        """Returns the token of a seat; for a player, by name.

        Raises:
            NoSuchSeat: No such token was issued.
        """
        for each in self.tokens:
            if each.seat is seat and name in (None, each.name):
                return each
        accepts = ", ".join(f"{each.seat} {each.name}" for each in self.tokens)
        raise NoSuchSeat(f"no token was issued for {seat} {name or ''}".rstrip(), where="seat", accepts=accepts)


class NewSession(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session to be created."""

    ruleset: str
    title: str = ""
    profile: str = ""
    options: Mapping[str, Any] = {}
    policies: Mapping[str, str] = {}
    source: str = ""
    campaign: str = ""
    gamemaster: str = "gm"
    players: tuple[str, ...] = ()
    tokens_expire_in: int | None = None


def listing(wanted: Wanted, *, newest_first: bool) -> dict[str, str | None]:
    """Returns the query that asks for sessions; what it does not limit is None.

    Args:
        wanted: Which sessions.
        newest_first: Whether the session that was created last comes first.
    """
    return {
        "order": None if newest_first else "oldest",
        "title": wanted.title or None,
        "player": wanted.player or None,
        "ruleset": wanted.ruleset or None,
        "campaign": wanted.campaign or None,
        "state": _word(IS_OPEN, wanted.is_open),
        "archived": _word(IS_ARCHIVED, wanted.archived),
    }


def _word(words: Mapping[str, bool | None], value: bool | None) -> str:
    return next(word for word, meaning in words.items() if meaning is value)
