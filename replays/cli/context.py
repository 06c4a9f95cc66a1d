"""What every verb needs: the ledger, who speaks, and the session that is meant."""

import getpass
import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Damaged, LogRefused, Refused, StoreRefused
from ledger.events import Audience
from ledger.stores import Store, open_store
from ledger.stores.sqlite.backup import file_of
from machines.contract.refusals import NotAllowed
from projections.views.document import State
from projections.views.seen import viewer
from replays.api.session import Session
from replays.server.callers.keys import VARIABLE, BadKeys, signing_keys
from replays.sessions.lookup import find_session

KEYS = Path("affray.keys")
"""Where the keys are that a server signs with, unless it is told otherwise."""
DEFAULT_LEDGER = "sqlite:///affray.db"

SessionArgument = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="An id or a unique beginning of one; left out, the latest.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else.")]
Reason = Annotated[str, typer.Option("--why", help="The reason, for the record.")]
Secret = Annotated[bool, typer.Option("--secret", help="Only the gamemaster may see the reason.")]
SeenBy = Annotated[
    list[str],
    typer.Option("--seen-by", metavar="WHO", help="Only the gamemaster and the player of WHO may see the reason."),
]
Preview = Annotated[bool, typer.Option("--preview", help="Show what would flip; write nothing.")]


def audience(seen_by: list[str], *, secret: bool) -> Audience:
    """Returns who may see something, as ``--secret`` and ``--seen-by`` say; None where neither is given."""
    return tuple(seen_by) if seen_by or secret else None


def public(session: Session, eyes: Viewer, at: int | None = None) -> State | None:
    """Returns what everybody sees of the state, for the gamemaster; for others None."""
    return session.state(at=at, eyes=Viewer(Seat.SPECTATOR)) if eyes == EVERYTHING else None


class BadWho(Refused):
    """Not a name and a seat."""

    slug = "who/malformed"


class NoReason(Refused):
    """What needs a reason has none."""

    slug = "why/missing"


def worded(why: str) -> str:
    """A reason that says something.

    Raises:
        NoReason: It is empty.
    """
    if not why.strip():
        raise NoReason("this needs a reason", where="--why", accepts="--why WORDS")
    return why


Because = Annotated[str, typer.Option("--why", help="The reason, for the record.", show_default=False, callback=worded)]


class No(Exception):
    """The answer is no: what was asked about does not hold."""

    def __init__(self, because: Refused) -> None:
        super().__init__(because.message)
        self.because = because


class Door(msgspec.Struct):
    """How this call of the command line reaches the ledger."""

    ledger: str
    who: Who
    heads: str | None = None
    """Where the heads file is, if not beside the ledger."""
    opened: list[Session] = []
    """The sessions that this call has opened."""
    stores: list[Store] = []
    """The ledgers that this call has opened."""

    def store(self, *, create: bool = False, keys: Path | None = None) -> Store:
        """The ledger; reading verbs do not make one.

        Args:
            create: Make it where there is none.
            keys: The file of the keys that the heads file is signed with; None for where they usually are.
        """
        self.stores.append(open_store(self.ledger, create=create, heads=self.heads, keys=known_keys(keys)))
        return self.stores[-1]

    def heads_of(self, ledger: str) -> str | None:
        """Where the heads file of a ledger is, if that is the one of this call; None for beside it.

        Args:
            ledger: Its address.
        """
        return self.heads if self.heads and _file(ledger) == _file(self.ledger) else None

    def close(self) -> None:
        """Lets go of every ledger that was opened, so that nothing is left beside a file."""
        for store in self.stores:
            with suppress(Refused):  # what was written is durable already
                store.close()

    def check_gm(self, what: str) -> None:
        """Refuse from another seat what only the gamemaster may do.

        Raises:
            NotAllowed: It is another seat.
        """
        if self.who.seat is not Seat.GM:
            who = f"{self.who.name} ({self.who.seat.value})"
            raise NotAllowed(f"{who} may not {what}", where="--as", accepts="the gm's seat")

    def session(self, name: str | None) -> Session:
        """The session that is meant."""
        store = self.store()
        self.opened.append(Session(store, find_session(store, name)))
        return self.opened[-1]

    def damage(self) -> Damaged | None:
        """Returns what is wrong with the record of a session that this call has opened; None where nothing is."""
        for session in self.opened:
            try:
                session.log.verify()
            except LogRefused as broken:
                problem = f"{session.id} is damaged, run affray verify: {broken.message}"
                return Damaged(problem, where=broken.where, accepts="affray verify")
            except StoreRefused:  # it says for itself why it cannot be read
                continue
        return None

    def eyes(self, session: Session) -> Viewer:
        """What whoever speaks may see."""
        return EVERYTHING if self.who.seat is Seat.GM else viewer(self.who, session.combat)


def make_door(ledger: str | None, who: str | None, heads: str | None = None) -> Door:
    """The door for a call.

    Args:
        ledger: An address; left out, ``AFFRAY_LEDGER`` or a file in the working directory.
        who: ``NAME`` or ``NAME:SEAT``; left out, the system user as gamemaster.
        heads: A file or folder for the heads file; left out, ``AFFRAY_HEADS`` (where the ledger is a file) or beside
            the ledger.

    Raises:
        BadWho: The seat is none.
    """
    address = ledger or os.environ.get("AFFRAY_LEDGER") or DEFAULT_LEDGER
    usual = os.environ.get("AFFRAY_HEADS") if address.startswith("sqlite:") else None
    return Door(address, parse_who(who or ""), heads or usual or None)


def parse_who(text: str) -> Who:
    """``NAME[:SEAT]``.

    Raises:
        BadWho: The seat is none.
    """
    name, _, seat = text.partition(":")
    seats = [each.value for each in Seat]
    if seat and seat not in seats:
        raise BadWho(f"{seat!r} is no seat", where="--as", accepts=", ".join(seats))
    return Who(name or _system_user(), Seat(seat or "gm"))


def _file(ledger: str) -> str:
    """The file that a ledger is; its address where it is none."""
    return file_of(ledger) if ledger.startswith("sqlite:") else ledger


def known_keys(file: Path | None = None) -> list[bytes]:
    """The keys that the heads file is signed with; none where none are known.

    Args:
        file: Where they are; None for where they usually are.

    Raises:
        BadKeys: Those that were asked for cannot be used.
    """
    if file is None and VARIABLE not in os.environ and not os.path.exists(KEYS):  # or not to be seen
        return []
    try:
        return [key.encode() for key in signing_keys(file or KEYS, environment=file is None)]
    except BadKeys:
        if file is None and VARIABLE not in os.environ:  # a server's, which is not everybody's to read
            return []
        raise


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "gm"


def value(text: str) -> int | str:
    """A value from the command line: a number where it is one, else a word."""
    try:
        return int(text)
    except ValueError:
        return text
