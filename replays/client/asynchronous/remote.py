"""A session on a server for asyncio, with the interface of `Session`: the same code plays both.

The token identifies the caller, so there are no parameters `by` and `eyes`; each seat sees what is visible to it.
Hidden commands are replaced by `Hidden`, and hidden events are omitted.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType
from warnings import warn

import httpx
import msgspec

from ledger.commands import ApplyModifier, Command, Declare, Overrule, Rewind
from ledger.entry import Seat
from ledger.events import Audience
from machines.contract.refusals import NoSuchDispute
from machines.engine.options import Possibility
from projections.path import Rest
from projections.views.document import State
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.client import answers, following
from replays.client.answers import Heard
from replays.client.asynchronous import feeding
from replays.client.asynchronous.correcting import AsyncCorrections
from replays.client.asynchronous.sending import AsyncConnection
from replays.client.asynchronous.table_calls import AsyncTableCalls
from replays.client.asynchronous.webhooks import AsyncWebhooks
from replays.client.call import RENEWAL, Call, part, typed
from replays.client.calls import PAGE, Calls, Commands, audience_field, checked
from replays.client.retrying import PATIENCE, TIMEOUT, Endpoint
from replays.client.seats import Issued, Known
from replays.exports.recap.model import Recap
from replays.exports.theatre.model import Outline, ReplaySteps
from replays.odds.fight.chances import FightChances
from replays.odds.luck import Luck
from replays.odds.odds import Odds
from replays.sessions.archive import Archived
from replays.views.frames import MOST_STEPS


class AsyncRemoteSession(AsyncTableCalls, AsyncCorrections):
    """A session on a server, from one seat.

    Every refusal is the exception that `Session` raises, such as `Stale` or `NotAllowed`; a refusal that only servers
    have is a `ServerRefused` with its slug. If the server does not answer within `patience`, `Unreachable` is raised. A
    command that was being sent when the connection broke is repeated with its idempotency key, and so performed once.

    `seen_by` limits who may see the reason of an undo, a correction or an overrule: None for all who may see what it is
    about; ``()`` for the gamemaster only; else also for the players of these combatants.

    Args:
        url: The server's address, such as ``https://affray.example``.
        session: The session's id.
        token: The token of a seat at this session.
        client: The caller's httpx client, which the caller closes; None to create one.
        timeout: Seconds that an answer may take.
        patience: Seconds in which a failed call is repeated.

    Raises:
        BadAddress: The address is not one of a server.
        BadToken: The text cannot be a token.
    """

    def __init__(
        self,
        url: str,
        session: str,
        token: str,
        *,
        client: httpx.AsyncClient | None = None,
        timeout: float = TIMEOUT,
        patience: float = PATIENCE,
    ) -> None:
        self._id = session
        self._calls = Calls(session)
        self._connection = AsyncConnection(Endpoint(url, token, timeout, patience), client)

    async def __aenter__(self) -> "AsyncRemoteSession":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; feeds that are being read end."""
        await self._connection.close()

    # -------------------------------------------------------------------------------------------- reading

    @property
    def id(self) -> str:
        """The session's id."""
        return self._id

    # sync: @property
    async def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table is waiting for, requested anew each time; without their `depth`."""
        return await self._connection.send(self._calls.get("rests", answers.rests))

    async def options(self) -> tuple[Possibility, ...]:
        """Returns what is legal now, with the numbers, and what is not, with the reason.

        A player gets the options of that player's combatants, a spectator gets none.
        """
        return await self._connection.send(self._calls.get("options", typed(tuple[Possibility, ...])))

    async def entries(self, after: int = 0, upto: int | None = None) -> AsyncIterator[Heard]:
        """Yields the entries of the log in order, whether they stand or not; they are requested in pages."""
        while upto is None or after < upto:
            limit = PAGE if upto is None else min(PAGE, upto - after)
            page = await self._connection.send(self._calls.get("entries", answers.entries, after=after, limit=limit))
            for entry in page:
                yield entry
            if len(page) < limit:
                return
            after = page[-1].seq

    def feed(self, after: int = 0, *, patience: float = following.PATIENCE) -> AsyncGenerator[Heard]:
        """Yields the entries after one, and then new ones as they are written, without a gap or a repeat.

        It resumes by itself if the connection breaks or the server restarts. It ends when the session is closed.

        Args:
            after: The number of the last entry that the reader has.
            patience: Seconds in which it is resumed after a disconnection.

        Raises:
            Unreachable: The server did not answer for so long.
            Refused: The token was revoked, or may not read this session.
        """
        return feeding.follow(self._connection, self._calls.path, after, patience)

    async def state(self, at: int | None = None) -> State:
        """Returns the state that the seat sees, now or after an entry.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        return await self._connection.send(self._calls.get("state", typed(State), at=at))

    async def why(self, subject: str, *, at: int | None = None) -> Why:
        """Explains a roll, an exchange, or a number of a combatant, such as ``stoya.damage``; now, or as of an entry.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        return await self._connection.send(self._calls.get("why", typed(Why), of=subject, at=at))

    async def outline(self) -> Outline:
        """Returns the record as a whole: where rounds, turns and exchanges begin, what was undone, health over time."""
        return await self._connection.send(self._calls.get("outline", typed(Outline)))

    async def replay_page(self) -> bytes:
        """Returns the record as one HTML file that replays it in a browser, without a server."""
        call = self._calls.get("replay", bytes)
        return await self._connection.send(msgspec.structs.replace(call, headers={"accept": "text/html"}))

    async def steps(self, after: int = 0, limit: int = MOST_STEPS) -> ReplaySteps:
        """Returns at most `limit` entries after one, each in sentences and with what it changes of the state.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        return await self._connection.send(self._calls.get("steps", typed(ReplaySteps), after=after, limit=limit))

    async def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> Odds:
        """Returns the odds of an open roll or of a declaration; sampled odds have nine digits."""
        declared = None if declare is None else checked(declare)
        body = {"key": key, "declare": declared, "choices": dict(choices or {}), "seed": seed}
        return await self._connection.send(self._calls.post("odds", body, answers.odds))

    async def chances(self, at: int | None = None) -> FightChances:
        """Returns the chances that the combatants are standing at the end of the fight, now or as of an entry."""
        return await self._connection.send(self._calls.get("chances", typed(FightChances), at=at))

    async def luck(self) -> Luck:
        """Compares the faces of the dice with the expected ones, with nine digits."""
        return await self._connection.send(self._calls.get("luck", answers.luck))

    async def recap(self) -> Recap:
        """Returns who went down, the turning points, luck and corrections; chances have nine digits."""
        return await self._connection.send(self._calls.get("recap", answers.recap))

    async def audit(self, head: str | None = None) -> Audit:
        """Checks whether the record is intact and the dice are honest, and lists what people overruled."""
        return await self._connection.send(self._calls.get("audit", typed(Audit), head=head))

    async def disputes(self) -> tuple[Disputed, ...]:
        """Returns the disputes of the session, open and settled."""
        return await self._connection.send(self._calls.get("disputes", typed(tuple[Disputed, ...])))

    async def dispute(self, dispute: str) -> Dispute:
        """Returns one dispute, such as ``d1``, with its evidence.

        Raises:
            NoSuchDispute: There is no such dispute.
        """
        if not dispute.strip(".") or "/" in dispute:  # these would change the path of the request
            raise NoSuchDispute(f"there is no dispute {dispute!r}", where="dispute", accepts="such as d1")
        return await self._connection.send(self._calls.get(f"disputes/{part(dispute)}", typed(Dispute)))

    async def export(self) -> AsyncIterator[bytes]:
        """Yields the session as JSON lines without line ends, as the seat may see it."""
        call = msgspec.structs.replace(
            self._calls.get("export", answers.lines), headers={"accept": "application/jsonl"}
        )
        found = await self._connection.send(call)
        for line in found:  # sync: return iter(found)
            yield line  # sync:

    # -------------------------------------------------------------------------------------------- playing

    async def perform(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> Heard:
        """Performs a command: the rules decide it, it is written durably, and its entry is returned.

        Args:
            command: The command.
            expected: The number of the last entry that the caller knew; None to skip the check.
            batch: An idempotency key; by default a random one, so that the command is performed once.

        Raises:
            Refused: The command is refused; nothing was written.
            Stale: Another caller wrote after `expected`.
            Unreachable: The server does not answer; with a `batch` the call may be repeated.
        """
        return await self._connection.send(self._calls.command(command, answers.first, expected, batch))

    async def perform_all(
        self, command: Commands, *, expected: int | None = None, batch: str | None = None
    ) -> list[Heard]:
        """Performs a command, or several all or none, and returns every entry written; otherwise as `perform`."""
        return await self._connection.send(self._calls.command(command, answers.performed, expected, batch))

    async def performed(
        self, command: Command, *, expected: int | None = None, batch: str | None = None
    ) -> list[Heard]:
        """Deprecated name of `perform_all`."""
        warn("performed is deprecated: use perform_all", DeprecationWarning, stacklevel=2)
        return await self.perform_all(command, expected=expected, batch=batch)

    async def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Makes entry `to` the last that stands: for undo, redo and the undo of a correction."""
        return await self._connection.send(
            self._calls.command(Rewind(to, why, seen_by=seen_by), answers.first, expected, batch)
        )

    async def undo(
        self,
        span: str = "step",
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Undoes the latest ``step``, ``exchange``, ``turn`` or ``round``. A server requires a reason."""
        body = {"span": span, "why": why, **audience_field(seen_by)}
        return await self._connection.send(self._calls.write("undo", body, answers.first, expected, batch))

    async def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Reverts the latest undo, as long as nothing new was decided since."""
        return await self._connection.send(
            self._calls.write("redo", {"why": why, **audience_field(seen_by)}, answers.first, expected, batch)
        )

    async def overrule(
        self,
        key: str,
        figure: str,
        value: int | str,
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> list[Heard]:
        """Replaces a figure with the gamemaster's value; what followed is decided anew with the same dice."""
        command = Overrule(key, figure, value, why, seen_by=seen_by)
        return await self._connection.send(self._calls.command(command, answers.performed, expected, batch))

    async def modify(
        self,
        key: str,
        value: int,
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> list[Heard]:
        """Applies a gamemaster's modifier to a roll, open or thrown; the faces stay the same."""
        command = ApplyModifier(key, value, why, seen_by=seen_by)
        return await self._connection.send(self._calls.command(command, answers.performed, expected, batch))

    # -------------------------------------------------------------------------------------------- seats

    @property
    def hooks(self) -> AsyncWebhooks:
        """The webhooks of this seat's token."""
        return AsyncWebhooks(self._connection, self._calls.path)

    async def seats(self) -> tuple[Known, ...]:
        """Returns the issued tokens, without their signed texts; for the gamemaster."""
        return await self._connection.send(self._calls.get("tokens", typed(tuple[Known, ...])))

    async def issue(
        self, seat: Seat, name: str, combatants: tuple[str, ...] | None = None, *, expires_in: int | None = None
    ) -> Issued:
        """Issues a token for a seat; for the gamemaster. It is shown only here.

        Args:
            seat: The seat.
            name: The person's name.
            combatants: Limits a player to these combatants; None for all that the log gives to the player.
            expires_in: The seconds after which it expires, unless it is renewed; None for never.
        """
        asked = {"seat": seat, "name": name, "combatants": combatants, "expires_in": expires_in}
        body = msgspec.json.encode({name: value for name, value in asked.items() if value is not None})
        call = Call(method="POST", path=f"{self._calls.path}/tokens", read=typed(Issued), body=body)
        return await self._connection.send(call)

    async def renew(self) -> Issued:
        """Renews the token of this object, which uses the new one from now on, also for feeds; the old one expires.

        Raises:
            ServerRefused: The token does not expire (``token/lasting``).
            Refused: It has expired or was revoked.
        """
        issued = await self._connection.send(Call(method="POST", path=RENEWAL, read=typed(Issued), repeatable=True))
        self._connection.endpoint = self._connection.endpoint.with_token(issued.token)
        return issued

    async def revoke(self, token: str) -> None:
        """Revokes the token of this id permanently, also where it was renewed; for the gamemaster."""
        path = f"{self._calls.path}/tokens/{part(token)}"
        await self._connection.send(Call(method="DELETE", path=path, read=answers.nothing, repeatable=True))

    async def archive(self, why: str = "") -> Archived:
        """Archives the session, which is then omitted from lists; for the gamemaster and the host."""
        return await self._connection.send(self._calls.post("archive", {"why": why}, typed(Archived)))

    async def unarchive(self, why: str = "") -> Archived:
        """Takes the session out of the archive, so that it is listed again; for the gamemaster and the host."""
        return await self._connection.send(self._calls.post("unarchive", {"why": why}, typed(Archived)))
