"""What every verb needs: the ledger, who speaks, and the session that is meant."""

import getpass
import os
from typing import Annotated

import msgspec
import typer

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from ledger.errors import Damaged, LogRefused, Refused, StoreRefused
from ledger.stores import Store, open_store
from projections.views.seen import viewer
from replays.finding import find_session
from replays.session import Session

DEFAULT_LEDGER = "sqlite:///affray.db"

SessionArgument = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="An id or a unique beginning of one; left out, the latest.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else.")]
Reason = Annotated[str, typer.Option("--why", help="The reason, for the record.")]


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
    opened: list[Session] = []
    """The sessions that this call has opened."""

    def store(self, *, create: bool = False) -> Store:
        """The ledger; reading verbs do not make one."""
        return open_store(self.ledger, create=create)

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


def make_door(ledger: str | None, who: str | None) -> Door:
    """The door for a call.

    Args:
        ledger: An address; left out, ``AFFRAY_LEDGER`` or a file in the working directory.
        who: ``NAME`` or ``NAME:SEAT``; left out, the system user as gamemaster.

    Raises:
        BadWho: The seat is none.
    """
    return Door(ledger or os.environ.get("AFFRAY_LEDGER") or DEFAULT_LEDGER, parse_who(who or ""))


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
