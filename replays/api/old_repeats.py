"""Finds what a repeated request meant when it was first performed, for logs whose entries have no fingerprint."""

from collections.abc import Callable

import msgspec

from ledger.commands import (
    Amend,
    AmendSheet,
    ApplyModifier,
    Command,
    DrawDice,
    OpenDispute,
    Overrule,
    Reveal,
    Rewind,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Entry, Provenance
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.audit.disputes.register import is_same as is_same_challenge
from replays.sessions.log import Log
from replays.sessions.lookup import is_the_roll

_MADE_SECRET = Amend, AmendSheet, ApplyModifier, Overrule, Rewind, SettleDispute
"""Commands that are recorded as secret where what they are about is, though they were asked for openly."""


def store_as_of(log: Log, seq: int) -> MemoryStore:
    """Returns a copy of a session's log as it was when an entry had been appended."""
    store = MemoryStore()
    store.create(log.session, list(log.store.read(log.session, 0, seq)))
    return store


def rewind_of(log: Log, batch: str | None, meant: Callable[[Log], Rewind], asked: Rewind) -> Rewind:
    """Returns the rewinding that an undo or a redo under an idempotency key meant; one to nowhere where it is new.

    Args:
        log: The session.
        batch: The key; None where the request has none.
        meant: Tells on a log what the request means.
        asked: A rewinding to nowhere, with the reason that the request gives.
    """
    records = log.answered(batch)
    if not records:
        return asked
    try:
        return meant(Log(store_as_of(log, records[0].seq - 1), log.session))
    except Refused:  # what stands under the key is no such request
        return asked


def is_same(log: Log, entry: Entry, asked: Command) -> bool:
    """Is this the command that was written, but for what was completed before it was decided?"""
    written = entry.command
    if isinstance(written, _MADE_SECRET) and asked.seen_by is None:
        written = msgspec.structs.replace(written, seen_by=None)
    match written, asked:
        case DrawDice(), DrawDice(faces=()):
            written = msgspec.structs.replace(written, faces=(), provenance=())
        case TypeDice(), TypeDice():
            asked = _with_those_that_lay(written, asked)
        case Reveal(), Reveal():
            parts = written.parts if asked.parts else ()
            written = msgspec.structs.replace(written, seed=asked.seed, parts=parts)
        case Overrule() | ApplyModifier(), Overrule() | ApplyModifier():
            if is_the_roll(log, entry, asked.key, written.key):
                asked = msgspec.structs.replace(asked, key=written.key)
        case OpenDispute(), OpenDispute() if is_same_challenge(log, entry, asked):
            return True
        case Rewind(), Rewind() if 0 < asked.to <= log.last:
            asked = msgspec.structs.replace(asked, to=log.timeline.head_at(asked.to))
    return msgspec.structs.replace(written, given_at=None) == msgspec.structs.replace(asked, given_at=None)


def _with_those_that_lay(written: TypeDice, asked: TypeDice) -> TypeDice:
    """Returns a roll with the dice of the written one before them, where fewer were asked for: those lay already."""
    given = len(asked.faces)
    lay = len(written.faces) - given
    if not 0 < lay < len(written.provenance):  # dice that complete others are written with where each came from
        return asked
    provenance = asked.provenance or (Provenance.TYPED.value,) * given
    return msgspec.structs.replace(
        asked, faces=(*written.faces[:lay], *asked.faces), provenance=(*written.provenance[:lay], *provenance)
    )
