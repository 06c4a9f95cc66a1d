"""Backs up, restores and copies ledgers, and verifies every copy.

A backup is a full copy of the ledger, including the secrets of its entries, the sealed seeds and the issued tokens.
Keep it as safe as the ledger itself.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from ledger.errors import (
    Broken,
    Damaged,
    LogRefused,
    NoSuchSession,
    Oversized,
    Refused,
    SessionExists,
    TombstoneBroken,
    Unusable,
)
from ledger.stores import Store, open_store
from ledger.stores.heads import HeadsReport
from ledger.stores.sqlite.backup import check_free, copied, file_of
from replays.audit.ledger_check import check_readable, deleted_sessions
from replays.sessions.find_session import find_session
from replays.sessions.record.verify import verify

DELETED = "the list of deleted sessions"
"""Name in place of a session, where a tombstone was altered."""
PATIENCE = 120.0
"""Seconds that a store may take for one session."""


class SessionProblem(msgspec.Struct, frozen=True):
    """A session that is damaged, or was not copied."""

    session: str
    refusal: Refused

    @property
    def is_damage(self) -> bool:
        """Whether its record is broken; otherwise it exists already, is too long, or cannot be read by this Affray."""
        return isinstance(self.refusal, Broken | Damaged)


class Kept(msgspec.Struct, frozen=True):
    """A ledger that was copied whole."""

    file: str
    sessions: int
    entries: int
    problems: tuple[SessionProblem, ...] = ()
    """Sessions with missing entries or a broken chain, and a broken tombstone.

    They are in the copy as they are in the ledger.
    """


class Copied(msgspec.Struct, frozen=True):
    """A session that was copied, and verified in its new place."""

    session: str
    entries: int
    digest: str
    keys: int
    """The number of copied idempotency keys."""
    sealed: int
    """The number of copied sealed secrets: the seed of the dice, tokens."""


def backup(ledger: str, file: str | Path, *, heads: str | None = None) -> Kept:
    """Copies a ledger into a file, even while it is in use, and verifies the copy.

    A ledger with a damaged session is copied all the same, for the sake of the other sessions.

    Args:
        ledger: Its address.
        file: The path of the copy; it must not exist.
        heads: The path of the ledger's heads file, if it is not beside it.

    Returns:
        The contents of the copy, its damaged sessions, and those that lack entries which the heads file has.

    Raises:
        NoFile: The ledger is not a file.
        AlreadyThere: The file exists; it is not overwritten.
        HeadsBroken: The heads file cannot be read; no copy is made.
        Damaged: The ledger's file is damaged; no copy is left.
        StoreRefused: The ledger cannot be read, or the copy not written; no copy is left.
    """
    source = file_of(ledger)
    with closing(open_store(ledger, create=False, only_read=True, heads=heads)) as store:  # rejects other files
        missing = _missing(store)
    with copied(source, str(file)) as copy:
        found = _inspected(copy, str(file))
    return msgspec.structs.replace(found, problems=(*missing, *found.problems))


def restore(file: str | Path, ledger: str) -> Kept:
    """Restores a ledger that does not exist from a backup, if every session of it verifies.

    Args:
        file: The backup; it is not changed.
        ledger: The address of the ledger.

    Returns:
        The contents of the ledger.

    Raises:
        NoFile: The ledger is not a file.
        AlreadyThere: The ledger, or a file that belongs to it, exists; it is not overwritten.
        Damaged: A session of the backup, or its file, is damaged; nothing was restored.
        StoreRefused: The backup cannot be read, or the ledger not written; nothing was restored.
    """
    target = file_of(ledger)
    check_free(target)
    if not Path(file).is_file():
        raise Unusable(f"there is no file {file}", where="file", accepts="a file that affray backup has made")
    _check_sound(_inspected(str(Path(file).absolute()), str(file)))
    with copied(str(Path(file).resolve()), target) as copy:
        found = _inspected(copy, target)
        _check_sound(found)
        return found


def copy_sessions(
    source: str,
    target: str,
    names: Sequence[str] = (),
    *,
    heads: str | None = None,
    target_heads: str | None = None,
    keys: Sequence[bytes] = (),
) -> Iterator[Copied | SessionProblem]:
    """Copies sessions from one store into another, each whole or not at all.

    Their idempotency keys and sealed secrets are copied as well. From then on the copies are independent.

    Args:
        source: The address of the store to copy from; it is not changed.
        target: The address of the other store; a file is created, a database's tables must exist.
        names: The sessions' ids, or unique beginnings; by default all.
        heads: The path of the source's heads file, if it is not beside it.
        target_heads: The path of the target's heads file.
        keys: The keys that sign the lines of heads files: the last one signs, any of them is accepted.

    Yields:
        For each session, in the order of creation, what was copied, or why it was not (it is damaged, it exists
            already, or
        a part of it is too long for the other store); then the sessions that the source lacks although its heads file
            has
        them.

    Raises:
        NoSuchSession: There is no such ledger or session, or no session at all.
        HeadsBroken: A heads file cannot be read; nothing is copied.
        Cut: A named session is known to have existed, and is missing.
        StoreRefused: A store refuses; no session is copied in part.
    """
    with closing(open_store(source, create=False, patience=PATIENCE, only_read=True, heads=heads, keys=keys)) as old:
        known = old.sessions()
        gone = [problem for problem in _missing(old) if problem.session not in known and not names]
        asked = {find_session(old, name) for name in names}
        if not (known or gone):
            find_session(old, None)  # refuses an empty ledger
        with closing(open_store(target, patience=PATIENCE, heads=target_heads, keys=keys)) as new:
            _report(new)
            for session in known:
                if not names or session in asked:
                    yield _tried(old, new, session)
        yield from gone


# ------------------------------------------------------------------------------------------------ one session


def _tried(old: Store, new: Store, session: str) -> Copied | SessionProblem:
    try:
        return _copied(old, new, session)
    except (LogRefused, Damaged, Oversized) as refusal:
        return SessionProblem(session, refusal)


def _copied(old: Store, new: Store, session: str) -> Copied:
    if _is_there(new, session):
        raise SessionExists(f"there is a session {session!r} already", where="session")
    end = verify(old, session)
    records = list(old.read(session, 0, end.seq))
    keys = {key: batch for key, batch in old.keys(session).items() if batch.first + batch.count - 1 <= end.seq}
    sealed = {name: old.unseal(session, name) or b"" for name in old.seals(session)}
    new.create(session, records, sealed=sealed, keys=keys)
    verify(new, session, end.digest.hex())
    found = {name: new.unseal(session, name) for name in new.seals(session)}
    if (new.head(session), new.keys(session), found) != (end, keys, sealed):
        raise Damaged(f"{session!r} is not what was copied", where=session, accepts="affray verify")
    return Copied(session, end.seq, end.digest.hex(), len(keys), len(sealed))


def _is_there(store: Store, session: str) -> bool:
    try:
        store.head(session)
    except NoSuchSession:  # or deleted: then the store refuses to create it again
        return False
    return True


# ------------------------------------------------------------------------------------------------ a whole file


def _missing(store: Store) -> list[SessionProblem]:
    """Returns the sessions that lack entries which the heads file has; empty without a heads file.

    Raises:
        HeadsBroken: The heads file cannot be read.
    """
    report = _report(store)
    if report is None:
        return []
    return [SessionProblem(session, cut) for session, cut in zip(report.cut, report.breaks, strict=True)]


def _report(store: Store) -> HeadsReport | None:
    """Returns the comparison of a ledger with its heads file; rejects one that cannot be read."""
    report = store.heads.examine() if store.heads is not None else None
    if report is not None:
        check_readable(report)
    return report


def _inspected(path: str, name: str) -> Kept:
    """Returns the contents of a ledger's file, with every chain verified."""
    entries, problems = 0, list[SessionProblem]()
    with closing(open_store(f"sqlite:///{path}", create=False, only_read=True)) as store:
        sessions = list(store.sessions())
        for session in sessions:
            try:
                entries += verify(store, session).seq
            except (LogRefused, Damaged, Oversized) as refusal:
                problems.append(SessionProblem(session, refusal))
        try:
            deleted_sessions(store)
        except TombstoneBroken as refusal:
            problems.append(SessionProblem(DELETED, refusal))
    return Kept(name, len(sessions), entries, tuple(problems))


def _check_sound(found: Kept) -> None:
    for problem in found.problems:
        raise Damaged(
            f"{problem.session} in {found.file} is damaged, and nothing was restored: {problem.refusal.message}",
            where=problem.session, accepts="a sound backup; affray copy takes the sound sessions of this one",
        ) from problem.refusal  # fmt: skip
