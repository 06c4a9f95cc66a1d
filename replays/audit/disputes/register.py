"""Lists all challenges of a log, standing or not, with their settlements.

A dispute is about history: it outlives the undoing of its subject, and its settlement is not undone with the dice.
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
from replays.audit.why import NothingThere, is_of_a_combatant, meant_key, why
from replays.sessions.log import Log
from replays.views.seat_log import seen_log


class Challenge(msgspec.Struct, frozen=True):
    """A challenge, and its reason."""

    dispute: str
    about: str
    """A key, an entry's number, or ``who.what``."""
    claim: str
    """What the challenger claims; may be empty."""
    why: str
    by: str
    at: str
    entry: int
    stands: bool


class Settlement(msgspec.Struct, frozen=True):
    """The gamemaster's decision."""

    ruling: str
    """``upheld``, ``amended`` or ``overruled``."""
    why: str
    by_entry: int | None
    """The entry that amended or overruled the subject."""
    by: str
    at: str
    entry: int


class Disputed(msgspec.Struct, frozen=True):
    """A challenge and its settlement."""

    challenge: Challenge
    settlement: Settlement | None = None
    """None while it is open."""


def disputed(log: Log, eyes: Viewer = EVERYTHING) -> dict[str, Disputed]:
    """Returns every dispute of a log, by id, in the order of opening.

    Args:
        log: The session's log.
        eyes: The viewer; disputes hidden from them are omitted.
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
    """Yields every event that opened or settled a dispute, with its entry."""
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
    """Returns one dispute.

    Raises:
        NoSuchDispute: There is no dispute of that id, or it is hidden from the viewer.
    """
    known = disputed(log, eyes)
    if dispute not in known:
        accepts = ", ".join(known) or "no dispute was opened"
        raise NoSuchDispute(f"there is no dispute {dispute!r}", where="dispute", accepts=accepts)
    return known[dispute]


# ------------------------------------------------------------------------------------------------ asking


def completed(log: Log, command: Command, by: Who) -> Command:
    """Completes a command about a dispute with its id, its audience, and the full subject.

    Any other command is returned unchanged.

    Raises:
        NoSuchRoll: The subject is not on record.
        NothingThere: The entry or figure has nothing to challenge.
        NoSuchDispute: The dispute that is settled was never opened.
        SettledBefore: It is already settled, even if that was undone.
        BadRuling: There is no such entry that amended or overruled it.
    """
    match command:
        case OpenDispute():
            eyes = EVERYTHING if by.seat is Seat.GM else viewer(by, log.combat)
            about = full_subject(log, command.about, eyes)
            return msgspec.structs.replace(command, about=about, dispute=f"d{len(disputed(log)) + 1}")
        case SettleDispute():
            challenge = _check_settling(log, command)
            seen_by = shared([command.seen_by, _audience(log, challenge)])
            return command if seen_by == command.seen_by else msgspec.structs.replace(command, seen_by=seen_by)
    return command


def _audience(log: Log, challenge: Challenge) -> Audience:
    """Returns who may see a challenge, whether it stands or was undone."""
    entry = log.disclosures.entry(log.entry(challenge.entry))
    opened = (event for event in entry.events if isinstance(event, DisputeOpened))
    return shared(event.seen_by for event in opened if event.dispute == challenge.dispute)


def full_subject(log: Log, about: str, eyes: Viewer = EVERYTHING, head: int | None = None) -> str:
    """Returns the full subject of a challenge: a key, an entry's number, or ``who.what``.

    Args:
        log: The session's log.
        about: The subject, or a shorthand.
        eyes: The viewer, who can challenge only what they may see.
        head: The last entry of the line on which it is looked up.
    """
    if about.isdecimal():
        entry = seen_log(log, eyes).entry(int(about))
        if not entry.events:
            raise NothingThere(f"entry {about} has nothing to challenge", where="about", accepts="another entry")
        return str(entry.seq)
    if is_of_a_combatant(about):
        return why(log, about, eyes, head).subject
    return meant_key(facts(log, eyes, head), about)


def _check_settling(log: Log, command: SettleDispute) -> Challenge:
    """Returns the challenge that a command settles; rejects a settled one, and an entry that does not exist."""
    known = find(log, command.dispute)
    if known.settlement is not None:
        was = f"{command.dispute} is settled: {known.settlement.ruling}, entry {known.settlement.entry}"
        raise SettledBefore(was, where="dispute", accepts="a new dispute")
    if command.entry is not None and not 1 <= command.entry <= log.last:
        accepts = f"1 to {log.last}, the entry that did it"
        raise BadRuling(f"there is no entry {command.entry}", where="entry", accepts=accepts)
    return known.challenge


def is_same(log: Log, entry: Entry, asked: OpenDispute) -> bool:
    """Returns whether a challenge equals the recorded one, apart from what was completed."""
    written = entry.command
    if not isinstance(written, OpenDispute):
        return False
    about = written.about if asked.about == written.about else full_subject(log, asked.about, head=entry.after)
    return msgspec.structs.replace(asked, about=about, dispute=written.dispute) == msgspec.structs.replace(
        written, given_at=asked.given_at
    )


def opened_in(events: tuple[Event, ...]) -> str:
    """Returns the id of the dispute that an entry opened."""
    return next(event.dispute for event in events if isinstance(event, DisputeOpened))
