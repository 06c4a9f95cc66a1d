"""`RemoteSession` for asyncio: the same calls, each to be awaited.

What is a property there and has to be asked of the server is a method here: ``await session.rests()``. What is an
iterator there is an asynchronous one: ``async for entry in session.entries()``.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from types import TracebackType

import httpx

from ledger.commands import Command, Declare
from ledger.entry import Seat
from ledger.events import Audience
from machines.engine.options import Possibility
from projections.path import Rest
from projections.views.document import State
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.client import feeding
from replays.client.answers import Heard
from replays.client.calls import PAGE, Calls
from replays.client.seats import Issued, Known, SeatCalls
from replays.client.sending import PATIENCE, TIMEOUT, AsyncLine, Way
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.odds.luck import Luck
from replays.odds.odds import Odds


class AsyncRemoteSession:
    """A session on a server, and what can be done with it from one seat.

    Every refusal is the exception that `Session` raises: `Stale`, `NotAllowed` and the others; what only a server
    refuses is a `ServerRefused` with its slug. Where nobody answers it is `Unreachable`, after `patience`. A command
    that was on its way when a connection broke is asked again under its key, and so performed once.

    Args:
        url: The server's, such as ``https://affray.example``.
        session: The session's id.
        token: Of a seat at it.
        client: Connections that the caller has already, and closes; left out, it has its own, and closes them.
        timeout: Seconds that an answer may take.
        patience: Seconds in which something is tried again that may go well a moment later.

    Raises:
        BadAddress: No server can have that address.
        BadToken: That can be no token.
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
        self._calls, self._seats = Calls(session), SeatCalls(session)
        self._line = AsyncLine(Way(url, token, timeout, patience), client)

    async def __aenter__(self) -> "AsyncRemoteSession":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections; a feed that is read ends."""
        await self._line.close()

    # -------------------------------------------------------------------------------------------- reading

    @property
    def id(self) -> str:
        """The session's id."""
        return self._id

    async def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table waits for. Their `depth` is not told."""
        return await self._line.send(self._calls.rests())

    async def options(self) -> tuple[Possibility, ...]:
        """What is legal now, with the numbers, and why another thing is not; a player's own, a spectator's none."""
        return await self._line.send(self._calls.options())

    async def entries(self, after: int = 0, upto: int | None = None) -> AsyncIterator[Heard]:
        """The entries of the log, standing or not, in order; fetched in pages as they are asked for."""
        while upto is None or after < upto:
            limit = PAGE if upto is None else min(PAGE, upto - after)
            page = await self._line.send(self._calls.entries(after, limit))
            for entry in page:
                yield entry
            if len(page) < limit:
                return
            after = page[-1].seq

    def feed(self, after: int = 0, *, patience: float = feeding.PATIENCE) -> AsyncGenerator[Heard]:
        """The entries after one, and then each as it is written, without a gap and none twice, until it is closed.

        It goes on by itself where the connection was cut or the server was begun anew.

        Args:
            after: The last entry that the reader has.
            patience: Seconds in which it is taken up again after a cut.

        Raises:
            Unreachable: Nobody answered for so long.
            Refused: The token was revoked, or may not read.
        """
        return feeding.afollow(self._line, self._calls.path, after, patience)

    async def state(self, at: int | None = None) -> State:
        """What is so, or was when an entry had been appended, as the seat sees it.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        return await self._line.send(self._calls.state(at))

    async def why(self, subject: str) -> Why:
        """Explain a roll, an exchange, or a figure of somebody's health, such as ``stoya.damage``."""
        return await self._line.send(self._calls.why(subject))

    async def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> Odds:
        """What may come of an open roll or of a declaration. Exact odds are exact; sampled ones have nine digits."""
        return await self._line.send(self._calls.odds(key, declare, choices, seed))

    async def luck(self) -> Luck:
        """What the dice showed beside what was expected of them, with nine digits."""
        return await self._line.send(self._calls.luck())

    async def audit(self, head: str | None = None) -> Audit:
        """Is the record whole, are the dice honest, what did people decide beside the rules?"""
        return await self._line.send(self._calls.audit(head))

    async def disputes(self) -> tuple[Disputed, ...]:
        """The disputes of the session, open and settled."""
        return await self._line.send(self._calls.disputes())

    async def dispute(self, dispute: str) -> Dispute:
        """One of them, such as ``d1``, with its evidence."""
        return await self._line.send(self._calls.dispute(dispute))

    async def export(self) -> AsyncIterator[bytes]:
        """The session as JSON lines, without line ends, as the seat may see it."""
        for line in await self._line.send(self._calls.export()):
            yield line

    # -------------------------------------------------------------------------------------------- playing

    async def perform(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> Heard:
        """Ask for something. It is decided, written down durably, and returned with all that followed.

        Args:
            command: What is wanted.
            expected: The number of the last entry that the caller knew; left out, whatever is there.
            batch: An idempotency key; left out, a fresh one, so that it is performed once.

        Raises:
            Refused: It cannot be; nothing was written.
            Stale: Somebody else wrote after `expected`.
            Unreachable: Nobody answers; with a `batch` it may be asked again.
        """
        return (await self.performed(command, expected=expected, batch=batch))[0]

    async def performed(
        self, command: Command, *, expected: int | None = None, batch: str | None = None
    ) -> list[Heard]:
        """The same with every entry that was written for it. Arguments and refusals are those of `perform`."""
        return await self._line.send(self._calls.performed(command, expected, batch))

    async def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Make entry `to` the last that stands: undo, redo and the undo of a correction."""
        return (await self._line.send(self._calls.rewind(to, why, seen_by, expected, batch)))[0]

    async def undo(
        self,
        span: str = "step",
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Take the latest ``step``, ``exchange``, ``turn`` or ``round`` back. A server wants to know why."""
        return (await self._line.send(self._calls.undo(span, why, seen_by, expected, batch)))[0]

    async def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Take the latest undo back, while nothing new was decided."""
        return (await self._line.send(self._calls.redo(why, seen_by, expected, batch)))[0]

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
        """Put the gamemaster's word in the place of a figure; what followed is decided again with the same dice."""
        return await self._line.send(self._calls.overrule(key, figure, value, why, seen_by, expected, batch))

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
        """Apply a gamemaster's modifier to a roll, open or already thrown; the dice stay as they lie."""
        return await self._line.send(self._calls.modify(key, value, why, seen_by, expected, batch))

    # -------------------------------------------------------------------------------------------- correcting

    async def amend(
        self,
        entry: int | str,
        change: Change,
        *,
        why: str,
        seen_by: Audience = None,
        consent: bool = False,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Amendment:
        """Correct an old entry; every die stays as it lies, and all that followed is decided again."""
        return await self._line.send(self._calls.amend(entry, change, why, seen_by, expected, batch, consent=consent))

    async def preview(self, entry: int | str, change: Change, *, why: str = "", consent: bool = False) -> Report:
        """What an amendment would come to; nothing is written."""
        return await self._line.send(self._calls.preview(entry, change, why, consent=consent))

    async def whatif(self, entry: int | str, change: Change) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record."""
        return await self._line.send(self._calls.whatif(entry, change))

    # -------------------------------------------------------------------------------------------- seats

    async def seats(self) -> tuple[Known, ...]:
        """The tokens that were handed out, without what makes them tokens; for the gamemaster."""
        return await self._line.send(self._seats.listed())

    async def issue(self, seat: Seat, name: str, combatants: tuple[str, ...] | None = None) -> Issued:
        """Hand out a token for a seat; for the gamemaster. It is shown only here.

        Args:
            seat: Whose.
            name: The person's.
            combatants: Of the player's combatants only these; left out, all that the log gives them.
        """
        return await self._line.send(self._seats.issue(seat, name, combatants))

    async def revoke(self, token: str) -> None:
        """Revoke the token of that id, for good; for the gamemaster."""
        await self._line.send(self._seats.revoke(token))
