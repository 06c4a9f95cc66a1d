# Written by tests/support/client/unasync.py from asynchronous/host.py: edit that file, and run the script.
"""Calls a server as its host: creates, lists and imports sessions."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any
from warnings import warn

import httpx

from ledger.entry import Seat
from ledger.tombstone import Tombstone
from replays.campaigns.campaign import CampaignPage, CampaignRulings
from replays.campaigns.listing import CampaignList
from replays.campaigns.luck import SessionsLuck
from replays.client import answers
from replays.client.call import CAMPAIGN, CAMPAIGNS, SESSIONS, Call, get, part, typed, write
from replays.client.retrying import PATIENCE, TIMEOUT, Endpoint
from replays.client.seats import Issued, NewSession, SeatTokens, listing
from replays.client.synchronous.remote import RemoteSession
from replays.client.synchronous.sending import Connection
from replays.exports.listing import Summary, Wanted


class Founded:
    """A created or imported session on a server, with the tokens of its seats, which are shown only now.

    Its `RemoteSession` objects use the connections of the host.

    Attributes:
        id: The session's id.
        tokens: The tokens of the gamemaster, of a spectator and of each player.
    """

    def __init__(self, url: str, given: SeatTokens, connection: Connection) -> None:
        self.id = given.session
        self.tokens: tuple[Issued, ...] = given.tokens
        self._url, self._given, self._connection = url, given, connection

    def gamemaster(self) -> RemoteSession:
        """Returns the session from the gamemaster's seat."""
        return self._from(self._given.of(Seat.GM))

    def player(self, name: str) -> RemoteSession:
        """Returns the session from a player's seat.

        Raises:
            NoSuchSeat: No token was issued to a player of that name.
        """
        return self._from(self._given.of(Seat.PLAYER, name))

    def spectator(self) -> RemoteSession:
        """Returns the session from a spectator's seat."""
        return self._from(self._given.of(Seat.SPECTATOR))

    def _from(self, seat: Issued) -> RemoteSession:
        endpoint = self._connection.endpoint
        return RemoteSession(
            self._url,
            self.id,
            seat.token,
            client=self._connection.client,
            timeout=endpoint.timeout,
            patience=endpoint.patience,
        )


class Host:
    """The host of a server: the operator, who creates, lists and imports sessions.

    Args:
        url: The server's address, such as ``https://affray.example``.
        token: The host's token, which `affray token` prints.
        client: The caller's httpx client, which the caller closes; None to create one.
        timeout: Seconds that an answer may take.
        patience: Seconds in which a failed call is repeated.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        client: httpx.Client | None = None,
        timeout: float = TIMEOUT,
        patience: float = PATIENCE,
    ) -> None:
        self._url, self._token = url, token
        self._connection = Connection(Endpoint(url, token, timeout, patience), client)

    def __enter__(self) -> "Host":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, also those of its sessions."""
        self._connection.close()

    def create_session(
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
        tokens_expire_in: int | None = None,
        batch: str | None = None,
    ) -> Founded:
        """Creates a session; the arguments are those of `Session.create`.

        Args:
            ruleset: The ruleset, such as ``eclipse_phase_1e``.
            title: The title of the session.
            profile: The printing of the rules; by default the ruleset's default profile.
            options: Fields of the profile that are set differently for this session.
            policies: The policies that the table agreed on.
            source: The source of the fight, if it is printed somewhere.
            campaign: The campaign that the session belongs to.
            gamemaster: The gamemaster's name.
            players: The names of players who get tokens at once.
            tokens_expire_in: The seconds after which the tokens expire, unless they are renewed; None for never.
            batch: An idempotency key: a repeat returns the same session, with new tokens.
        """
        new = NewSession(
            ruleset=ruleset, title=title, profile=profile, options=options or {}, policies=policies or {},
            source=source, campaign=campaign, gamemaster=gamemaster, players=tuple(players),
            tokens_expire_in=tokens_expire_in,
        )  # fmt: skip
        given = self._connection.send(write(SESSIONS, new, typed(SeatTokens), None, batch))
        return Founded(self._url, given, self._connection)

    def found(self, **arguments: Any) -> Founded:
        """Deprecated name of `create_session`."""
        warn("found is deprecated: use create_session", DeprecationWarning, stacklevel=2)
        return self.create_session(**arguments)

    def sessions(
        self, after: str = "", limit: int = 100, wanted: Wanted | None = None, *, newest_first: bool = True
    ) -> tuple[Summary, ...]:
        """Returns the sessions that fit; the next page begins after the last of them.

        Args:
            after: Only sessions after the one with this id, in that order.
            limit: Maximum number of sessions.
            wanted: Which sessions; by default all that are not archived.
            newest_first: Whether the session that was created last comes first.
        """
        query = listing(wanted or Wanted(), newest_first=newest_first)
        return self._connection.send(get(SESSIONS, typed(tuple[Summary, ...]), after=after, limit=limit, **query))

    def session(self, session: str) -> RemoteSession:
        """Returns a session from the host's seat, which may archive it and issue tokens, but plays no part in it.

        Args:
            session: Its id.
        """
        endpoint = self._connection.endpoint
        return RemoteSession(
            self._url,
            session,
            self._token,
            client=self._connection.client,
            timeout=endpoint.timeout,
            patience=endpoint.patience,
        )

    def delete_session(self, session: str, why: str, entries: int | None) -> Tombstone:
        """Deletes a session permanently; returns what remains of it: who deleted it, when and why, and its end.

        Args:
            session: Its id.
            why: The reason, which is kept.
            entries: The number of its entries, so that nothing unseen is deleted; None deletes it anyway.

        Raises:
            Stale: The session has other entries.
            SessionDeleted: It was deleted before.
        """
        path, anyway = f"{SESSIONS}/{part(session)}", {"if-match": "*"}
        call = Call(
            method="DELETE", path=path, read=typed(Tombstone), query={"why": why}, headers=anyway, expected=entries
        )
        return self._connection.send(call)

    def campaigns(self) -> CampaignList:
        """Returns the campaigns of the server's ledger, each in brief."""
        return self._connection.send(get(CAMPAIGNS, typed(CampaignList)))

    def campaign(self, name: str) -> CampaignPage:
        """Returns a campaign with its sessions and its roster; the arguments are those of `affray.campaign`.

        A long campaign may need more time than the server gives one request: then the call is refused as too slow, and
        a repeat continues where it ended.

        Args:
            name: The exact name of the campaign; any text.

        Raises:
            NoSuchCampaign: No session belongs to it.
        """
        return self._connection.send(get(CAMPAIGN, typed(CampaignPage), name=name))

    def campaign_luck(self, name: str) -> SessionsLuck:
        """Compares the dice of all sessions of a campaign with the expected ones; see `campaign`.

        Raises:
            NoSuchCampaign: No session belongs to it.
            NoDice: There are no dice.
        """
        return self._connection.send(get(f"{CAMPAIGN}/luck", answers.sessions_luck, name=name))

    def campaign_rulings(self, name: str) -> CampaignRulings:
        """Returns the rulings of a campaign, without those that were undone; see `campaign`.

        Raises:
            NoSuchCampaign: No session belongs to it.
        """
        return self._connection.send(get(f"{CAMPAIGN}/rulings", typed(CampaignRulings), name=name))

    def import_(self, lines: Iterable[bytes]) -> Founded:
        """Imports a session that was exported for the gamemaster.

        If the answer is lost, the session may have been imported all the same; a repeat is then refused as
        `SessionExists`.
        """
        body, headers = b"".join(line + b"\n" for line in lines), {"content-type": "application/jsonl"}
        call = Call(method="POST", path=f"{SESSIONS}/import", read=typed(SeatTokens), body=body, headers=headers)
        return Founded(self._url, self._connection.send(call), self._connection)
