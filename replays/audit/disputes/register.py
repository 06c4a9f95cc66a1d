"""All challenges of a log, standing or not: what was disputed, and what it came to.

A dispute is about history. It outlives the undoing of what it is about, and its settling is not undone with the dice.
"""

from collections.abc import Iterator

import msgspec

from ledger.audience import EVERYTHING, Viewer, shared
from ledger.commands import Command, OpenDispute, SettleDispute
from ledger.entry import Entry, Seat, Who
from ledger.events import Audience, DisputeOpened, DisputeSettled, Event
from machines.contract.refusals import BadRuling, NoSuchDispute, SettledBefore
from projections.views.seen import viewer
from replays.audit.event_index import facts, person
from replays.audit.why import NothingThere, is_of_somebody, meant_key, why
from replays.sessions.log import Log
from replays.views.seat_log import seen_log


class Challenge(msgspec.Struct, frozen=True):
    """What somebody challenges, and why."""

    dispute: str
    about: str
    """A key, an entry's number, or ``who.what``."""
    claim: str
    """What should be instead; may be empty."""
    why: str
    by: str
    at: str
    entry: int
    stands: bool


class Settlement(msgspec.Struct, frozen=True):
    """What the gamemaster decided."""

    ruling: str
    """``upheld``, ``amended`` or ``overruled``."""
    why: str
    by_entry: int | None
    """The entry that amended or overruled it."""
    by: str
    at: str
    entry: int


class Disputed(msgspec.Struct, frozen=True):
    """A challenge and what became of it."""

    challenge: Challenge
    settlement: Settlement | None = None
    """None while it is open."""


def disputed(log: Log, eyes: Viewer = EVERYTHING) -> dict[str, Disputed]:
    """Every dispute of a log, by id, in the order of opening.

    Args:
        log: The session.
        eyes: Who asks; what they may not see is left out.
    """
    standing = frozenset(log.timeline.line())
    found: dict[str, Disputed] = {}
    for entry, event in _about_disputes(seen_log(log, eyes)):
        known = found.get(event.dispute)
        if isinstance(event, DisputeOpened):
            if known is None or not known.challenge.stands:
                settled = None if known is None else known.settlement
                found[event.dispute] = Disputed(_challenge(entry, event, entry.seq in standing), settled)
        elif known is not None and known.settlement is None:
            found[event.dispute] = Disputed(known.challenge, _settlement(entry, event))
    return found


def _about_disputes(log: Log) -> Iterator[tuple[Entry, DisputeOpened | DisputeSettled]]:
    for entry in log.entries():
        for event in entry.events:
            if isinstance(event, DisputeOpened | DisputeSettled):
                yield entry, event


def _challenge(entry: Entry, event: DisputeOpened, stands: bool) -> Challenge:
    return Challenge(
        event.dispute, event.about, event.claim, event.why, person(entry), entry.at, entry.seq, stands
    )  # fmt: skip


def _settlement(entry: Entry, event: DisputeSettled) -> Settlement:
    return Settlement(event.ruling, event.why, event.entry, person(entry), entry.at, entry.seq)


def find(log: Log, dispute: str, eyes: Viewer = EVERYTHING) -> Disputed:
    """One dispute.

    Raises:
        NoSuchDispute: There is none of that id, or not for these eyes.
    """
    known = disputed(log, eyes)
    if dispute not in known:
        accepts = ", ".join(known) or "none was opened"
        raise NoSuchDispute(f"there is no dispute {dispute!r}", where="dispute", accepts=accepts)
    return known[dispute]


# ------------------------------------------------------------------------------------------------ asking


def filled(log: Log, command: Command, by: Who) -> Command:
    """A command about a dispute with what only the whole log can say: its id, its secrecy, and what a shorthand means.

    Any other command is returned as it is.

    Raises:
        NoSuchRoll: It is about nothing that is on record.
        NothingThere: That entry, or that figure, has nothing to challenge.
        NoSuchDispute: Nobody opened the dispute that is settled.
        SettledBefore: It is settled, though that be undone.
        BadRuling: No such entry did it.
    """
    match command:
        case OpenDispute():
            eyes = EVERYTHING if by.seat is Seat.GM else viewer(by, log.combat)
            about = meant(log, command.about, eyes)
            return msgspec.structs.replace(command, about=about, dispute=f"d{len(disputed(log)) + 1}")
        case SettleDispute():
            challenge = _check_settling(log, command)
            seen_by = shared([command.seen_by, _audience(log, challenge)])
            return command if seen_by == command.seen_by else msgspec.structs.replace(command, seen_by=seen_by)
    return command


def _audience(log: Log, challenge: Challenge) -> Audience:
    """Who may see a challenge, whether it stands or was undone."""
    entry = log.disclosures.entry(log.entry(challenge.entry))
    opened = (event for event in entry.events if isinstance(event, DisputeOpened))
    return shared(event.seen_by for event in opened if event.dispute == challenge.dispute)


def meant(log: Log, about: str, eyes: Viewer = EVERYTHING, head: int | None = None) -> str:
    """What a challenge is about, in full: a key, an entry's number, or ``who.what``.

    Args:
        log: The session.
        about: The same, or a shorthand.
        eyes: Who challenges: they can challenge only what they may see.
        head: The last entry of the line that it is looked for on.
    """
    if about.isdecimal():
        entry = seen_log(log, eyes).entry(int(about))
        if not entry.events:
            raise NothingThere(f"entry {about} has nothing to challenge", where="about", accepts="another entry")
        return str(entry.seq)
    if is_of_somebody(about):
        return why(log, about, eyes, head).subject
    return meant_key(facts(log, eyes, head), about)


def _check_settling(log: Log, command: SettleDispute) -> Challenge:
    known = find(log, command.dispute)
    if known.settlement is not None:
        was = f"{command.dispute} is settled: {known.settlement.ruling}, entry {known.settlement.entry}"
        raise SettledBefore(was, where="dispute", accepts="a new dispute")
    if command.entry is not None and not 1 <= command.entry <= log.last:
        accepts = f"1 to {log.last}, the entry that did it"
        raise BadRuling(f"there is no entry {command.entry}", where="entry", accepts=accepts)
    return known.challenge


def is_same(log: Log, entry: Entry, asked: OpenDispute) -> bool:
    """Is this the challenge that an entry has, but for what a door filled in?"""
    written = entry.command
    if not isinstance(written, OpenDispute):
        return False
    about = written.about if asked.about == written.about else meant(log, asked.about, head=entry.after)
    return msgspec.structs.replace(asked, about=about, dispute=written.dispute) == msgspec.structs.replace(
        written, given_at=asked.given_at
    )


def opened_in(events: tuple[Event, ...]) -> str:
    """The id of the dispute that an entry opened."""
    return next(event.dispute for event in events if isinstance(event, DisputeOpened))
