"""Calls a server for asyncio as whoever runs it: sessions are founded, listed and brought in."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any
from warnings import warn

import httpx

from ledger.entry import Seat
from replays.client.asynchronous.remote import AsyncRemoteSession
from replays.client.asynchronous.sending import AsyncLine
from replays.client.call import SESSIONS, Call, get, typed, write
from replays.client.retrying import PATIENCE, TIMEOUT, Way
from replays.client.seats import Issued, New, Tokens
from replays.exports.listing import Summary


class AsyncFounded:
    """A session on a server, and the tokens of its seats: they are shown only now.

    The sessions that it gives use the host's connections.

    Attributes:
        id: The session's.
        tokens: Of the gamemaster, of a spectator and of each player.
    """

    def __init__(self, url: str, given: Tokens, line: AsyncLine) -> None:
        self.id = given.session
        self.tokens: tuple[Issued, ...] = given.tokens
        self._url, self._given, self._line = url, given, line

    def gamemaster(self) -> AsyncRemoteSession:
        """The session from the gamemaster's seat."""
        return self._from(self._given.of(Seat.GM))

    def player(self, name: str) -> AsyncRemoteSession:
        """The session from a player's seat.

        Raises:
            NoSuchSeat: No token was handed out to a player of that name.
        """
        return self._from(self._given.of(Seat.PLAYER, name))

    def spectator(self) -> AsyncRemoteSession:
        """The session from a spectator's seat."""
        return self._from(self._given.of(Seat.SPECTATOR))

    def _from(self, seat: Issued) -> AsyncRemoteSession:
        way = self._line.way
        return AsyncRemoteSession(
            self._url, self.id, seat.token, client=self._line.client, timeout=way.timeout, patience=way.patience
        )


class AsyncHost:
    """Whoever runs a server.

    Args:
        url: The server's, such as ``https://affray.example``.
        token: The host's, which `affray token` tells.
        client: Connections that the caller has already, and closes; left out, it has its own, and closes them.
        timeout: Seconds that an answer may take.
        patience: Seconds in which something is tried again that may go well a moment later.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        client: httpx.AsyncClient | None = None,
        timeout: float = TIMEOUT,
        patience: float = PATIENCE,
    ) -> None:
        self._url = url
        self._line = AsyncLine(Way(url, token, timeout, patience), client)

    async def __aenter__(self) -> "AsyncHost":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections, also those of the sessions that it gave."""
        await self._line.close()

    async def create_session(
        self,
        *,
        ruleset: str,
        title: str = "",
        profile: str = "",
        options: Mapping[str, Any] | None = None,
        policies: Mapping[str, str] | None = None,
        source: str = "",
        campaign: str = "",
        gamemaster: str = "gm",
        players: Sequence[str] = (),
        batch: str | None = None,
    ) -> AsyncFounded:
        """Creates a session; the arguments are those of `Session.create`.

        Args:
            ruleset: Such as ``eclipse_phase_1e``.
            title: What people call it.
            profile: The printing; left out, the ruleset's default.
            options: Profile fields set differently for this session.
            policies: What the table agreed on.
            source: Where the fight comes from, if it is printed somewhere.
            campaign: The campaign that the session belongs to.
            gamemaster: The gamemaster's name.
            players: Who gets a player's token at once.
            batch: An idempotency key: under the same one it is the same session, with new tokens.
        """
        new = New(
            ruleset=ruleset, title=title, profile=profile, options=options or {}, policies=policies or {},
            source=source, campaign=campaign, gamemaster=gamemaster, players=tuple(players),
        )  # fmt: skip
        given = await self._line.send(write(SESSIONS, new, typed(Tokens), None, batch))
        return AsyncFounded(self._url, given, self._line)

    async def found(self, **arguments: Any) -> AsyncFounded:
        """Deprecated name of `create_session`."""
        warn("found is deprecated: use create_session", DeprecationWarning, stacklevel=2)
        return await self.create_session(**arguments)

    async def sessions(self, after: str = "", limit: int = 100) -> tuple[Summary, ...]:
        """The sessions in the order in which they were founded.

        Args:
            after: Only those founded after the session of this id.
            limit: So many at most.
        """
        return await self._line.send(get(SESSIONS, typed(tuple[Summary, ...]), after=after, limit=limit))

    async def import_(self, lines: Iterable[bytes]) -> AsyncFounded:
        """Bring in a session that was exported for the gamemaster.

        Where the answer is lost it may be there all the same; then a repeat is refused as `SessionExists`.
        """
        body, headers = b"".join(line + b"\n" for line in lines), {"content-type": "application/jsonl"}
        call = Call(method="POST", path=f"{SESSIONS}/import", read=typed(Tokens), body=body, headers=headers)
        return AsyncFounded(self._url, await self._line.send(call), self._line)
