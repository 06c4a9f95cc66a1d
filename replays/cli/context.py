"""The context of a call of the command line: the ledger, the person, the session; options that verbs share."""

import getpass
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

import replays
from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Damaged, LogRefused, Refused, StoreRefused
from ledger.events import Audience
from ledger.stores import Store, open_store
from machines.contract.refusals import NotAllowed
from projections.views.document import State
from projections.views.seen import viewer
from replays.api.viewing import SessionView
from replays.server.callers.keys import VARIABLE, BadKeys, signing_keys
from replays.sessions.find_session import find_session
from replays.sessions.log import Log

if TYPE_CHECKING:
    from replays.api.session import Session

KEYS = Path("affray.keys")
"""Default path of the keys that a server signs with."""
DEFAULT_LEDGER = "sqlite:///affray.db"

SessionArgument = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="An id or a unique beginning of one; by default the latest.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document to standard output, and nothing else.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Processes to use for several sessions; by default one for each core."),
]
SigningKeys = Annotated[
    Path, typer.Option("--keys", help="The file of the keys that sign tokens, unless AFFRAY_KEYS has keys.")
]
Reason = Annotated[str, typer.Option("--why", help="The reason, for the record.")]
Secret = Annotated[bool, typer.Option("--secret", help="Only the gamemaster may see the reason.")]
SeenBy = Annotated[
    list[str],
    typer.Option("--seen-by", metavar="WHO", help="Only the gamemaster and the player of WHO may see the reason."),
]
Preview = Annotated[bool, typer.Option("--preview", help="Show what would change; write nothing.")]


def audience(seen_by: list[str], *, secret: bool) -> Audience:
    """Returns who may see something according to ``--secret`` and ``--seen-by``; None if neither is given."""
    return tuple(seen_by) if seen_by or secret else None


def public(session: SessionView, eyes: Viewer, at: int | None = None) -> State | None:
    """Returns the state that all can see if the viewer is the gamemaster, for comparison; None for other viewers."""
    return session.state(at=at, eyes=Viewer(Seat.SPECTATOR)) if eyes == EVERYTHING else None


class BadWho(Refused):
    """The text is not a name with a seat."""

    slug = "who/malformed"


class NoReason(Refused):
    """A reason is required and missing."""

    slug = "why/missing"


def worded(why: str) -> str:
    """Returns a reason that is not blank.

    Raises:
        NoReason: The reason is blank.
    """
    if not why.strip():
        raise NoReason("a reason is required", where="--why", accepts="--why WORDS")
    return why


Because = Annotated[str, typer.Option("--why", help="The reason, for the record.", show_default=False, callback=worded)]


class AnswerIsNo(Exception):
    """A check failed, for example a verification: the exit code is 1."""

    def __init__(self, because: Refused) -> None:
        super().__init__(because.message)
        self.because = because


class CliContext(msgspec.Struct):
    """The ledger, the person and the opened sessions of one call of the command line."""

    ledger: str
    who: Who
    heads: str | None = None
    """Path of the heads file, if it is not beside the ledger."""
    opened: list[SessionView] = []
    """The sessions that this call has opened."""
    stores: list[Store] = []
    """The ledgers that this call has opened."""

    def store(self, *, create: bool = False, keys: Path | None = None) -> Store:
        """Opens the ledger.

        Args:
            create: Whether to create the ledger if there is none.
            keys: The file of the keys that sign the heads file; None for the usual place.
        """
        self.stores.append(open_store(self.ledger, create=create, heads=self.heads, keys=known_keys(keys)))
        return self.stores[-1]

    def heads_of(self, ledger: str) -> str | None:
        """Returns the path of the heads file of a ledger; None if it is not the ledger of this call, or has no path.

        Args:
            ledger: The address of the ledger.
        """
        return self.heads if self.heads and _file(ledger) == _file(self.ledger) else None

    def close(self) -> None:
        """Closes every ledger that was opened, so that no temporary files are left beside it."""
        for store in self.stores:
            with suppress(Refused):  # all writes are durable already
                store.close()

    def check_gm(self, what: str) -> None:
        """Refuses what only the gamemaster may do.

        Raises:
            NotAllowed: The person has another seat.
        """
        if self.who.seat is not Seat.GM:
            who = f"{self.who.name} ({self.who.seat.value})"
            raise NotAllowed(f"{who} may not {what}", where="--as", accepts="the gm's seat")

    def view(self, name: str | None) -> SessionView:
        """Opens the session with this id or beginning of an id to show its state; the latest session for None."""
        store = self.store()
        self.opened.append(SessionView(Log(store, find_session(store, name))))
        return self.opened[-1]

    def session(self, name: str | None) -> "Session":
        """Opens the session with this id or beginning of an id; the latest session for None."""
        store = self.store()
        opened = replays.Session(store, find_session(store, name))
        self.opened.append(opened)
        return opened

    def damage(self) -> Damaged | None:
        """Returns the damage of a session that this call has opened; None if there is none."""
        for session in self.opened:
            try:
                session.log.verify()
            except LogRefused as broken:
                problem = f"the record of {session.id} is damaged: {broken.message}; run affray verify"
                return Damaged(problem, where=broken.where, accepts="affray verify")
            except StoreRefused:  # that refusal is reported anyway
                continue
        return None

    def eyes(self, session: SessionView) -> Viewer:
        """Returns the person of this call as a viewer."""
        return EVERYTHING if self.who.seat is Seat.GM else viewer(self.who, session.combat)


def make_context(ledger: str | None, who: str | None, heads: str | None = None) -> CliContext:
    """Returns the context of a call.

    Args:
        ledger: The address of the ledger; by default ``AFFRAY_LEDGER``, or a file in the working directory.
        who: ``NAME`` or ``NAME:SEAT``; by default the system user as gamemaster.
        heads: A file or folder for the heads file; by default ``AFFRAY_HEADS`` if the ledger is a file, or a file
            beside the ledger.

    Raises:
        BadWho: There is no such seat.
    """
    address = ledger or os.environ.get("AFFRAY_LEDGER") or DEFAULT_LEDGER
    usual = os.environ.get("AFFRAY_HEADS") if address.startswith("sqlite:") else None
    return CliContext(address, parse_who(who or ""), heads or usual or None)


def parse_who(text: str) -> Who:
    """Parses ``NAME[:SEAT]``.

    Raises:
        BadWho: There is no such seat.
    """
    name, _, seat = text.partition(":")
    seats = [each.value for each in Seat]
    if seat and seat not in seats:
        raise BadWho(f"{seat!r} is not a seat", where="--as", accepts=", ".join(seats))
    return Who(name or _system_user(), Seat(seat or "gm"))


def _file(ledger: str) -> str:
    """Returns the file of a ledger; the address if the ledger is not a file."""
    if not ledger.startswith("sqlite:"):
        return ledger
    from ledger.stores.sqlite.backup import file_of  # noqa: PLC0415  most verbs copy no ledger

    return file_of(ledger)


def known_keys(file: Path | None = None) -> list[bytes]:
    """Returns the keys that sign the heads file; empty if none are known.

    Args:
        file: The file of the keys; None for the usual place.

    Raises:
        BadKeys: The given keys cannot be used.
    """
    if file is None and VARIABLE not in os.environ and not os.path.exists(KEYS):  # or it is not readable
        return []
    try:
        return [key.encode() for key in signing_keys(file or KEYS, environment=file is None)]
    except BadKeys:
        if file is None and VARIABLE not in os.environ:  # they belong to a server, and other users may not read them
            return []
        raise


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "gm"


def value(text: str) -> int | str:
    """Parses a value of the command line: a whole number, or else text."""
    try:
        return int(text)
    except ValueError:
        return text
