"""Copies one session: creates it, continues an incomplete copy, or refuses one that differs."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from ledger import chain
from ledger.chain import Record
from ledger.errors import Damaged, NoSuchSession, Refused, SessionDeleted
from ledger.stores import Batch, Head, Store
from replays.exports.copying.appends import divide, keys_until, last_of, paged, take_first
from replays.sessions.record.verify import verify

How = Literal["new", "continued", "unchanged"]
"""Whether the target lacked a session, had a part of it, or had all of it."""
WatchEntries = Callable[[int], None]
"""Called from time to time with the number of further entries that are copied."""


class SessionDiffers(Refused):
    """The target has a session of that id with other contents; it is not overwritten."""

    slug = "copy/differs"


class Copied(msgspec.Struct, frozen=True):
    """A session that is whole in its new place."""

    session: str
    entries: int
    digest: str
    keys: int
    """The number of its idempotency keys."""
    sealed: int
    """The number of its sealed secrets: the seed of the dice, tokens."""
    added: int
    """The number of entries that this call wrote."""
    how: How


class BesideLog(msgspec.Struct, frozen=True):
    """What is stored beside a session's log and copied with it."""

    keys: Mapping[str, Batch]
    sealed: Mapping[str, bytes]


class WrittenSession(msgspec.Struct, frozen=True):
    """A session that was written, and is not verified yet."""

    session: str
    end: Head
    beside: BesideLog
    added: int
    how: How


class SessionCopier:
    """Copies sessions, each in two steps: the second one verifies what the first one wrote. Threads may share it.

    Args:
        old: The store to copy from, which is only read.
        new: The store to copy to.
        watch: Called after each write.
    """

    def __init__(self, old: Store, new: Store, watch: WatchEntries) -> None:
        self._old = old
        self._new = new
        self._watch = watch

    def write(self, session: str) -> WrittenSession:
        """Writes what the target lacks of a session, after the source's chain is verified.

        The source may be written to meanwhile: the entries that it has when it is verified are copied.

        Args:
            session: The id of the session.

        Raises:
            SessionDiffers: The target's session is not the beginning of the source's.
            SessionDeleted: The target's session was deleted.
            Broken: The source's session is damaged.
            StoreRefused: A store refuses. A session that is created is whole, or as long as memory allows, or not
                there; one that is continued has a part of the entries that it lacked.
        """
        there = self._head_there(session)
        if there is None:
            return self._create(session)
        end = self._old.head(session)
        self._check_begins_alike(session, there, end)
        beside = beside_log(self._old, session, end.seq)
        missing = _missing_secrets(session, there, beside, beside_log(self._new, session, there.seq))
        if there == end and not missing:
            return WrittenSession(session, end, beside, 0, "unchanged")
        return self._continue(session, there, missing)

    def confirm(self, written: WrittenSession) -> Copied:
        """Verifies the chain of a written session, and compares what is stored beside it.

        An unchanged session is not read again: its head, its keys and its secrets were compared.

        Args:
            written: The session.

        Raises:
            Broken: The target's chain is broken.
            Damaged: The target has something else than what was written.
        """
        session, end, beside = written.session, written.end, written.beside
        if written.how != "unchanged" and not self._is_whole(session, end, beside):
            raise Damaged(f"{session!r} is not what was copied", where=session, accepts="affray verify")
        counts = len(beside.keys), len(beside.sealed)
        return Copied(session, end.seq, end.digest.hex(), *counts, written.added, written.how)

    def _create(self, session: str) -> WrittenSession:
        end = verify(self._old, session)
        beside = beside_log(self._old, session, end.seq)
        records = self._old.read(session, 0, end.seq)
        first = take_first(records, beside.keys)
        keys = keys_until(beside.keys, len(first))
        self._new.create(session, first, sealed=beside.sealed, keys=keys)
        self._watch(len(first))
        self._append(session, len(first), end, beside)
        return WrittenSession(session, end, beside, end.seq, "new")

    def _continue(self, session: str, there: Head, missing: Mapping[str, bytes]) -> WrittenSession:
        end = verify(self._old, session)
        beside = beside_log(self._old, session, end.seq)
        for name, secret in missing.items():
            self._new.seal(session, name, secret)
        self._append(session, there.seq, end, beside)
        return WrittenSession(session, end, beside, end.seq - there.seq, "continued")

    def _append(self, session: str, after: int, end: Head, beside: BesideLog) -> None:
        keys = {key: batch for key, batch in beside.keys.items() if batch.first > after}
        for page in paged(divide(self._old.read(session, after, end.seq), keys)):
            with self._new.together():
                for each in page:
                    self._new.append(session, each.records, expected=each.records[0].seq - 1, key=each.key)
            self._watch(sum(len(each.records) for each in page))

    def _head_there(self, session: str) -> Head | None:
        try:
            return self._new.head(session)
        except SessionDeleted:
            raise
        except NoSuchSession:
            return None

    def _check_begins_alike(self, session: str, there: Head, end: Head) -> None:
        if there == end:
            return
        longer = self._old if there.seq <= end.seq else self._new
        last = min(there, end, key=lambda head: head.seq)
        is_alike = _digest_at(longer, session, last.seq) == last.digest
        if is_alike and longer is self._old:
            return
        problem = "was continued in TO" if is_alike else "is another one in TO"
        raise SessionDiffers(
            f"{session} {problem}: FROM ends with entry {end.seq}, digest {end.digest.hex()}; "
            f"TO ends with entry {there.seq}, digest {there.digest.hex()}",
            where=session, accepts="another TO; what is there is never overwritten",
        )  # fmt: skip

    def _is_whole(self, session: str, end: Head, beside: BesideLog) -> bool:
        previous, last = chain.genesis(session), 0
        for record in chain.check(self._new.read(session, 0, end.seq), previous):
            previous, last = record.digest, record.seq
        found = beside_log(self._new, session, end.seq)
        has_secrets = beside.sealed.items() <= found.sealed.items()
        return Head(last, previous) == end and found.keys == beside.keys and has_secrets


def beside_log(store: Store, session: str, seq: int) -> BesideLog:
    """Returns what is stored beside a session's log.

    Args:
        store: The store of the session.
        session: Its id.
        seq: The number of an entry; keys of later ones are omitted.
    """
    sealed = {name: store.unseal(session, name) or b"" for name in store.seals(session)}
    return BesideLog(keys_until(store.keys(session), seq), sealed)


def _missing_secrets(session: str, there: Head, source: BesideLog, target: BesideLog) -> dict[str, bytes]:
    """Returns the secrets that the target lacks; rejects other keys, and other secrets of the same names."""
    is_cut = any(batch.first <= there.seq < last_of(batch) for batch in source.keys.values())
    if is_cut or keys_until(source.keys, there.seq) != target.keys:
        raise _beside_differs(session, there, "idempotency keys")
    shared = source.sealed.keys() & target.sealed.keys()
    if any(source.sealed[name] != target.sealed[name] for name in shared):
        raise _beside_differs(session, there, "sealed secrets")
    return {name: secret for name, secret in source.sealed.items() if name not in shared}


def _beside_differs(session: str, there: Head, what: str) -> SessionDiffers:
    return SessionDiffers(
        f"{session} has the same entries in FROM and TO, up to entry {there.seq}, digest {there.digest.hex()}, "
        f"and other {what}",
        where=session, accepts="another TO; what is there is never overwritten",
    )  # fmt: skip


def _digest_at(store: Store, session: str, seq: int) -> bytes:
    """Returns the digest of an entry; for 0, the digest that the first entry continues from."""
    found: list[Record] = list(store.read(session, seq - 1, seq)) if seq else []
    return found[0].digest if found else chain.genesis(session)
