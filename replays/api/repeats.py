"""Recognizes repeated requests and returns their stored entries.

The first entry of a request under an idempotency key keeps the request's fingerprint. Entries of older logs have none;
for those, the recorded command is compared with the one that the request meant then.
"""

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
from ledger.errors import KeyReused, Refused
from ledger.stores.memory import MemoryStore
from replays.api.request import Request
from replays.audit.disputes.register import is_same as is_same_challenge
from replays.sessions.log import Log
from replays.sessions.lookup import is_the_roll
from replays.sessions.record import stored_records

_MADE_SECRET = Amend, AmendSheet, ApplyModifier, Overrule, Rewind, SettleDispute
"""Commands that are recorded as secret where their subject is, even if requested openly."""


def answered(log: Log, request: Request) -> list[Entry]:
    """Returns the entries that were written for a request before; empty where it was not performed yet.

    Raises:
        KeyReused: The key belongs to another request or another person.
        BadIdempotencyKey: The key is invalid.
    """
    records = log.under_key(request.batch)
    if not records:
        return []
    log.refresh()
    entries = list(map(stored_records.entry, records))
    if not _is_repeat(log, entries[0], request):
        raise KeyReused(
            f"the key {request.batch!r} belongs to another command, or another person", where="batch",
            accepts="a new key",
        )  # fmt: skip
    return entries


def store_before(log: Log, entry: Entry) -> MemoryStore:
    """Returns a copy of a session's log as it was before an entry was appended."""
    store = MemoryStore()
    store.continue_from(log.store, log.session, entry.seq - 1)
    return store


def _is_repeat(log: Log, entry: Entry, request: Request) -> bool:
    if entry.request is not None:
        return entry.request.fingerprint == request.fingerprint
    return entry.by == request.by and _is_same(log, entry, _meant_then(log, entry, request))


# ------------------------------------------------------------------------------------------------ older logs


def _meant_then(log: Log, entry: Entry, request: Request) -> Command:
    """Returns the command that a request meant when an entry was appended for it."""
    if request.entry_meant is None or type(entry.command) is not type(request.command):
        return request.command
    try:
        return request.on(Log(store_before(log, entry), log.session), request.command)
    except Refused:  # no entry could be meant then: the record is of another request
        return request.command


def _is_same(log: Log, entry: Entry, asked: Command) -> bool:
    """Returns whether a command equals the recorded one, apart from what was completed before it was decided."""
    written = entry.command
    if isinstance(written, _MADE_SECRET) and asked.seen_by is None:
        written = msgspec.structs.replace(written, seen_by=None)
    match written, asked:
        case DrawDice(), DrawDice(faces=()):
            written = msgspec.structs.replace(written, faces=(), provenance=())
        case TypeDice(), TypeDice():
            asked = _with_known_dice(written, asked)
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


def _with_known_dice(written: TypeDice, asked: TypeDice) -> TypeDice:
    """Returns a roll with the dice that lay already in front, where a request completed a roll."""
    given = len(asked.faces)
    lay = len(written.faces) - given
    if not 0 < lay < len(written.provenance):  # a completed roll is recorded with the provenance of each die
        return asked
    provenance = asked.provenance or (Provenance.TYPED.value,) * given
    return msgspec.structs.replace(
        asked, faces=(*written.faces[:lay], *asked.faces), provenance=(*written.provenance[:lay], *provenance)
    )
