"""Tokens of a session's seats, and a session to be founded, as they are sent."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.entry import Seat
from replays.client.refusals import NoSuchSeat


class Issued(msgspec.Struct, frozen=True):
    """A token as it is handed out: the only time that it is shown."""

    id: str
    seat: Seat
    name: str
    combatants: tuple[str, ...] | None
    """Of a player's combatants only these; None: all that the log gives them."""
    token: str


class Known(msgspec.Struct, frozen=True):
    """A token that was handed out, without what makes it one."""

    id: str
    seat: Seat
    name: str
    combatants: tuple[str, ...] | None
    revoked: bool


class Tokens(msgspec.Struct, frozen=True):
    """A session that was founded or brought in, and the tokens of its seats."""

    session: str
    tokens: tuple[Issued, ...]

    def of(self, seat: Seat, name: str | None = None) -> Issued:
        """The token of a seat; of a player by name.

        Raises:
            NoSuchSeat: None was handed out.
        """
        for each in self.tokens:
            if each.seat is seat and name in (None, each.name):
                return each
        accepts = ", ".join(f"{each.seat} {each.name}" for each in self.tokens)
        raise NoSuchSeat(f"no token was handed out for {seat} {name or ''}".rstrip(), where="seat", accepts=accepts)


class New(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session to be founded."""

    ruleset: str
    title: str = ""
    profile: str = ""
    options: Mapping[str, Any] = {}
    policies: Mapping[str, str] = {}
    source: str = ""
    campaign: str = ""
    gamemaster: str = "gm"
    players: tuple[str, ...] = ()
