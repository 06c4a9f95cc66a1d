# Written by tests/support/client/unasync.py from asynchronous/remote.py: edit that file, and run the script.
"""A session on a server, with the interface of `Session`: code that plays one plays the other.

Who asks is what the token says, so there is neither `by` nor `eyes`; every seat sees what it may see. Commands that
are hidden from it come back as `Hidden`, and events that are hidden are left out.
"""

from collections.abc import Generator, Iterator, Mapping
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
from replays.client import answers, feeding, following
from replays.client.answers import Heard
from replays.client.call import Call, part, typed
from replays.client.calls import PAGE, Calls, audience_field, checked, correction
from replays.client.retrying import PATIENCE, TIMEOUT, Way
from replays.client.seats import Issued, Known
from replays.client.sending import Line
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.odds.luck import Luck
from replays.odds.odds import Odds


class RemoteSession:
    """A session on a server, and what can be done with it from one seat.

    Every refusal is the exception that `Session` raises: `Stale`, `NotAllowed` and the others; what only a server
    refuses is a `ServerRefused` with its slug. Where nobody answers it is `Unreachable`, after `patience`. A command
    that was on its way when a connection broke is asked again under its key, and so performed once.

    `seen_by` says who may see the reason of an undo, a correction or a word of the gamemaster's: None, whoever may see
    what it is about; ``()``, the gamemaster alone; else also the players of these combatants.

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
        client: httpx.Client | None = None,
        timeout: float = TIMEOUT,
        patience: float = PATIENCE,
    ) -> None:
        self._id = session
        self._calls = Calls(session)
        self._line = Line(Way(url, token, timeout, patience), client)

    def __enter__(self) -> "RemoteSession":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections; a feed that is read ends."""
        self._line.close()

    # -------------------------------------------------------------------------------------------- reading

    @property
    def id(self) -> str:
        """The session's id."""
        return self._id

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table waits for; asked anew each time. Their `depth` is not told."""
        return self._line.send(self._calls.get("rests", answers.rests))

    def options(self) -> tuple[Possibility, ...]:
        """What is legal now, with the numbers, and why another thing is not; a player's own, a spectator's none."""
        return self._line.send(self._calls.get("options", typed(tuple[Possibility, ...])))

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Heard]:
        """The entries of the log, standing or not, in order; fetched in pages as they are asked for."""
        while upto is None or after < upto:
            limit = PAGE if upto is None else min(PAGE, upto - after)
            page = self._line.send(self._calls.get("entries", answers.entries, after=after, limit=limit))
            yield from page
            if len(page) < limit:
                return
            after = page[-1].seq

    def feed(self, after: int = 0, *, patience: float = following.PATIENCE) -> Generator[Heard]:
        """The entries after one, and then each as it is written, without a gap and none twice, until it is closed.

        It goes on by itself where the connection was cut or the server was begun anew.

        Args:
            after: The last entry that the reader has.
            patience: Seconds in which it is taken up again after a cut.

        Raises:
            Unreachable: Nobody answered for so long.
            Refused: The token was revoked, or may not read.
        """
        return feeding.follow(self._line, self._calls.path, after, patience)

    def state(self, at: int | None = None) -> State:
        """What is so, or was when an entry had been appended, as the seat sees it.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        return self._line.send(self._calls.get("state", typed(State), at=at))

    def why(self, subject: str) -> Why:
        """Explain a roll, an exchange, or a figure of somebody's health, such as ``stoya.damage``."""
        return self._line.send(self._calls.get("why", typed(Why), of=subject))

    def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> Odds:
        """What may come of an open roll or of a declaration. Exact odds are exact; sampled ones have nine digits."""
        declared = None if declare is None else checked(declare)
        body = {"key": key, "declare": declared, "choices": dict(choices or {}), "seed": seed}
        return self._line.send(self._calls.post("odds", body, answers.odds))

    def luck(self) -> Luck:
        """What the dice showed beside what was expected of them, with nine digits."""
        return self._line.send(self._calls.get("luck", answers.luck))

    def audit(self, head: str | None = None) -> Audit:
        """Is the record whole, are the dice honest, what did people decide beside the rules?"""
        return self._line.send(self._calls.get("audit", typed(Audit), head=head))

    def disputes(self) -> tuple[Disputed, ...]:
        """The disputes of the session, open and settled."""
        return self._line.send(self._calls.get("disputes", typed(tuple[Disputed, ...])))

    def dispute(self, dispute: str) -> Dispute:
        """One of them, such as ``d1``, with its evidence."""
        if not dispute.strip(".") or "/" in dispute:  # which in an address means something else
            raise NoSuchDispute(f"there is no dispute {dispute!r}", where="dispute", accepts="such as d1")
        return self._line.send(self._calls.get(f"disputes/{part(dispute)}", typed(Dispute)))

    def export(self) -> Iterator[bytes]:
        """The session as JSON lines, without line ends, as the seat may see it."""
        call = msgspec.structs.replace(
            self._calls.get("export", answers.lines), headers={"accept": "application/jsonl"}
        )
        lines = self._line.send(call)
        return iter(lines)

    # -------------------------------------------------------------------------------------------- playing

    def perform(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> Heard:
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
        return self._line.send(self._calls.command(command, answers.first, expected, batch))

    def perform_all(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> list[Heard]:
        """Performs a command and returns every entry that was written for it; otherwise as `perform`."""
        return self._line.send(self._calls.command(command, answers.performed, expected, batch))

    def performed(self, command: Command, *, expected: int | None = None, batch: str | None = None) -> list[Heard]:
        """Deprecated name of `perform_all`."""
        warn("performed is deprecated: use perform_all", DeprecationWarning, stacklevel=2)
        return self.perform_all(command, expected=expected, batch=batch)

    def rewind(
        self,
        to: int,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Make entry `to` the last that stands: undo, redo and the undo of a correction."""
        return self._line.send(self._calls.command(Rewind(to, why, seen_by=seen_by), answers.first, expected, batch))

    def undo(
        self,
        span: str = "step",
        *,
        why: str,
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Take the latest ``step``, ``exchange``, ``turn`` or ``round`` back. A server wants to know why."""
        body = {"span": span, "why": why, **audience_field(seen_by)}
        return self._line.send(self._calls.write("undo", body, answers.first, expected, batch))

    def redo(
        self,
        *,
        why: str = "",
        seen_by: Audience = None,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Heard:
        """Take the latest undo back, while nothing new was decided."""
        return self._line.send(
            self._calls.write("redo", {"why": why, **audience_field(seen_by)}, answers.first, expected, batch)
        )

    def overrule(
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
        command = Overrule(key, figure, value, why, seen_by=seen_by)
        return self._line.send(self._calls.command(command, answers.performed, expected, batch))

    def modify(
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
        command = ApplyModifier(key, value, why, seen_by=seen_by)
        return self._line.send(self._calls.command(command, answers.performed, expected, batch))

    # -------------------------------------------------------------------------------------------- correcting

    def amend(
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
        body = correction(entry, change, why, consent=consent) | audience_field(seen_by)
        return self._line.send(self._calls.write("amend", body, answers.amendment, expected, batch))

    def preview(self, entry: int | str, change: Change, *, why: str = "", consent: bool = False) -> Report:
        """What an amendment would come to; nothing is written."""
        body = correction(entry, change, why, consent=consent)
        return self._line.send(self._calls.post("amend/preview", body, typed(Report)))

    def whatif(self, entry: int | str, change: Change) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record."""
        body = correction(entry, change, "", consent=True)
        return self._line.send(self._calls.post("what-if", body, typed(Report)))

    # -------------------------------------------------------------------------------------------- seats

    def seats(self) -> tuple[Known, ...]:
        """The tokens that were handed out, without what makes them tokens; for the gamemaster."""
        return self._line.send(self._calls.get("tokens", typed(tuple[Known, ...])))

    def issue(self, seat: Seat, name: str, combatants: tuple[str, ...] | None = None) -> Issued:
        """Hand out a token for a seat; for the gamemaster. It is shown only here.

        Args:
            seat: Whose.
            name: The person's.
            combatants: Of the player's combatants only these; left out, all that the log gives them.
        """
        body = msgspec.json.encode({"seat": seat, "name": name, "combatants": combatants})
        call = Call(method="POST", path=f"{self._calls.path}/tokens", read=typed(Issued), body=body)
        return self._line.send(call)

    def revoke(self, token: str) -> None:
        """Revoke the token of that id, for good; for the gamemaster."""
        path = f"{self._calls.path}/tokens/{part(token)}"
        self._line.send(Call(method="DELETE", path=path, read=answers.nothing, repeatable=True))
