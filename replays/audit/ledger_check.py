"""Verifies a ledger: chain, dice and checkpoint of each session, tombstones of deleted ones, the heads file."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from ledger import tombstone
from ledger.errors import (
    Broken,
    CheckpointBroken,
    Cut,
    Damaged,
    HeadsBroken,
    NoSuchSession,
    Refused,
    SessionDeleted,
    Unreadable,
)
from ledger.stores import Head, Store
from ledger.stores.heads import RENEWAL, HeadsReport, emptied
from ledger.tombstone import Tombstone
from replays.audit import dice_proof
from replays.corrections.deferred import is_settled
from replays.sessions.log import Log
from replays.sessions.record import checkpoints
from replays.sessions.record.checkpoints import Checkpoint
from replays.sessions.record.verify import verify

BREAKS = (Broken, Unreadable, Damaged)
"""Refusals that mean that a session is not what was recorded."""


_SHOWN = 10
"""How many line numbers a refusal lists."""


class Checked(msgspec.Struct, frozen=True):
    """The result of checking one session."""

    session: str
    end: Head | None
    """None where the chain is broken."""
    dice: dice_proof.Proof | None
    problem: Refused | None = None
    """Why it is not what was recorded; None where it is."""


def check_session(store: Store, session: str, head: str | None = None) -> Checked:
    """Verifies a session's chain, its drawn dice and its checkpoint.

    Args:
        store: The store of the session.
        session: Its id.
        head: A digest, in hex, that must be part of the log.
    """
    try:
        end = verify(store, session, head)
        dice = dice_proof.verify_lines(record.line for record in store.read(session))
    except BREAKS as problem:
        return Checked(session, None, None, problem)
    try:
        dice.check()
        check_checkpoint(store, session)
    except (dice_proof.DiceBroken, CheckpointBroken) as problem:
        return Checked(session, end, dice, problem)
    return Checked(session, end, dice)


def check_checkpoint(store: Store, session: str) -> None:
    """Folds a session's log again and compares the result with its checkpoint.

    Args:
        store: The store of the session, whose chain is verified.
        session: Its id.

    Raises:
        CheckpointBroken: They differ. A checkpoint of another version of Affray is not compared: it is never used.
    """
    stored = store.checkpoint(session)
    if stored is None or not checkpoints.is_current(stored):
        return
    found = checkpoints.decode(stored)
    if found is None or not _follows(found, Log.folded(store, session, found.seq)):
        raise CheckpointBroken(
            "the checkpoint, from which the session is opened, does not follow from its entries: it was altered",
            where="checkpoint", accepts="the session without a checkpoint: delete its row in the table checkpoints",
        )  # fmt: skip


def _follows(found: Checkpoint, log: Log) -> bool:
    """Returns whether a checkpoint is that of a log, which ends with the checkpoint's entry unless it is shorter."""
    if log.last != found.seq or not is_settled(log, found.settled):
        return False
    log.settled = found.settled
    with suppress(OverflowError):  # a log from which no checkpoint is made
        return checkpoints.encode(log.checkpoint(found.states)) == checkpoints.encode(found)
    return False


def check_sessions(store: Store) -> Iterator[Checked]:
    """Verifies every session of a ledger; skips those that are deleted meanwhile."""
    for session in store.sessions():
        with suppress(SessionDeleted):
            try:
                yield check_session(store, session)
            except NoSuchSession:  # it is listed, but cannot be found by the listed id
                problem = Damaged(f"the id of a session is not readable: {session!r}", where="sessions")
                yield Checked(session, None, None, problem)


def deleted_sessions(store: Store) -> tuple[Tombstone, ...]:
    """Returns the verified tombstones of all deleted sessions, in order.

    Raises:
        TombstoneBroken: A tombstone is missing, misplaced or altered; raised at the first one.
    """
    return tuple(tombstone.check(store.tombstones()))


def check_heads(report: HeadsReport, *, all_signed: bool) -> None:
    """Rejects a ledger that contradicts its heads file, and a heads file that was altered.

    Args:
        report: The result of comparing them.
        all_signed: Whether a line without a signature is rejected, too.

    Raises:
        Cut: Entries of a session are missing, or others are in their place.
        HeadsBroken: A line is invalid, is signed with another key, or is not signed.
    """
    if report.breaks:
        first, more = report.breaks[0], len(report.breaks) - 1
        also = f" (and {more} more {'session' if more == 1 else 'sessions'})" if more else ""
        raise Cut(first.message + also, seq=first.seq)
    _check_lines(report, report.garbage, "cannot be read")
    _check_lines(report, report.forged or (), "carry the signature of another key")
    _check_lines(report, report.unsigned if all_signed else (), "carry no signature")
    check_readable(report)


def check_readable(report: HeadsReport) -> None:
    """Rejects a heads file that cannot be read; a last line that was torn by a crash is accepted.

    Args:
        report: The result of reading it.

    Raises:
        HeadsBroken: It is empty, a line is invalid, or the first line is missing.
    """
    _check_lines(report, report.garbage, "cannot be read")
    if report.is_empty:
        raise emptied(report.path)
    if report.begun is None:
        raise HeadsBroken(f"{report.path} has lost its first line", where="line 1", accepts=RENEWAL)


def _check_lines(report: HeadsReport, numbers: Sequence[int], what: str) -> None:
    """Rejects a heads file with faulty lines."""
    if numbers:
        where = f"line {', '.join(map(str, numbers[:_SHOWN]))}{' …' if numbers[_SHOWN:] else ''}"
        raise HeadsBroken(f"{len(numbers)} of the lines in {report.path} {what}", where=where, accepts=RENEWAL)
