"""Tokens of a session's seats, and what a server's host may ask: founding, listing, bringing in."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.entry import Seat
from replays.client import answers
from replays.client.call import Call, as_, get, part, typed, write
from replays.client.refusals import NoSuchSeat
from replays.exports.listing import Summary

_SESSIONS = "/v1/sessions"


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


class SeatCalls:
    """What can be asked about a session's tokens.

    Args:
        session: Its id.
    """

    def __init__(self, session: str) -> None:
        self._path = f"{_SESSIONS}/{part(session)}/tokens"

    def listed(self) -> Call[tuple[Known, ...]]:
        """The tokens that were handed out."""
        return get(self._path, lambda body: tuple(as_(list[Known], body)))

    def issue(self, seat: Seat, name: str, combatants: tuple[str, ...] | None) -> Call[Issued]:
        """A new token."""
        body = msgspec.json.encode({"seat": seat, "name": name, "combatants": combatants})
        return Call(method="POST", path=self._path, read=typed(Issued), body=body)

    def revoke(self, token: str) -> Call[None]:
        """A token revoked; a second time changes nothing."""
        return Call(method="DELETE", path=f"{self._path}/{part(token)}", read=answers.nothing, repeatable=True)


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


def found(new: New, batch: str | None) -> Call[Tokens]:
    """A new session; under the same key it is the same one, with new tokens."""
    return write(_SESSIONS, new, typed(Tokens), None, batch)


def listed(after: str, limit: int) -> Call[tuple[Summary, ...]]:
    """Sessions in the order in which they were founded."""
    return get(_SESSIONS, lambda body: tuple(as_(list[Summary], body)), after=after, limit=limit)


def bring_in(lines: Iterable[bytes]) -> Call[Tokens]:
    """An exported session."""
    body, headers = b"".join(line + b"\n" for line in lines), {"content-type": "application/jsonl"}
    return Call(method="POST", path=f"{_SESSIONS}/import", read=typed(Tokens), body=body, headers=headers)
