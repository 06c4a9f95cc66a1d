"""Backing up, restoring and copying ledgers: everything that is kept is verified before anybody relies on it.

A backup is a true copy of the ledger, with the secrets of its entries, the sealed seeds and the tokens that were handed
out: it is to be kept as safe as the ledger itself.
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
from replays.sessions.log import verify
from replays.sessions.lookup import find_session

DELETED = "the list of deleted sessions"
"""Stands in the place of a session, where a tombstone is not as it was written."""
PATIENCE = 120.0
"""Seconds that a store may take for one session."""


class Problem(msgspec.Struct, frozen=True):
    """A session that is not as it should be, or was not copied."""

    session: str
    refusal: Refused

    @property
    def is_damage(self) -> bool:
        """Whether its record is broken; else it is there already, or too long, or cannot be read by this Affray."""
        return isinstance(self.refusal, Broken | Damaged)


class Kept(msgspec.Struct, frozen=True):
    """A ledger that was copied whole."""

    file: str
    sessions: int
    entries: int
    problems: tuple[Problem, ...] = ()
    """Sessions of which entries are missing, or whose chain does not hold, and a broken tombstone.

    They are in the copy as they are in the ledger.
    """


class Copied(msgspec.Struct, frozen=True):
    """A session that was copied, and verified where it is now."""

    session: str
    entries: int
    digest: str
    keys: int
    """Idempotency keys that came along."""
    sealed: int
    """Sealed secrets that came along: the seed of the dice, tokens."""


def backup(ledger: str, file: str | Path, *, heads: str | None = None) -> Kept:
    """Copies a ledger into a file, while it may be in use, and verifies the copy.

    A ledger with a damaged session is copied all the same, for the other sessions' sake.

    Args:
        ledger: Its address.
        file: The copy; there is nothing yet.
        heads: Where the ledger's heads file is, if not beside it.

    Returns:
        What the copy has, which of its sessions are damaged, and which lack what the heads file knows of.

    Raises:
        NoFile: The ledger is not a file.
        AlreadyThere: There is something in the place of the copy; it is not overwritten.
        HeadsBroken: The heads file cannot be read; no copy is made.
        Damaged: The ledger's file is damaged; no copy is left.
        StoreRefused: The ledger cannot be read, or the copy not written; no copy is left.
    """
    source = file_of(ledger)
    with closing(open_store(ledger, create=False, only_read=True, heads=heads)) as store:  # refuses what is no ledger
        missing = _missing(store)
    with copied(source, str(file)) as copy:
        found = _inspected(copy, str(file))
    return msgspec.structs.replace(found, problems=(*missing, *found.problems))


def restore(file: str | Path, ledger: str) -> Kept:
    """Puts a backup in the place of a ledger that is not there, if every session of it can be verified.

    Args:
        file: The backup; nothing of it is changed.
        ledger: The address of the ledger.

    Returns:
        What the ledger has now.

    Raises:
        NoFile: The ledger is not a file.
        AlreadyThere: There is a ledger, or what belongs to one; it is not overwritten.
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
) -> Iterator[Copied | Problem]:
    """Copies sessions from one store into another, each whole or not at all.

    Their idempotency keys and sealed secrets come along. From then on the two go on by themselves.

    Args:
        source: The address of the store that has them; nothing there is changed.
        target: The address of another; a file is made, tables of a database are there.
        names: The sessions' ids, or unique beginnings; left out, all.
        heads: Where the heads file of the source is, if not beside it.
        target_heads: Where that of the target is.
        keys: What the lines of heads files are signed with: the last one signs, any of them is believed.

    Yields:
        For each session, in the order in which they were created, what was copied, or why it was not (it is damaged, it
        is there already, or something of it is too long for the other store); then the sessions that the heads file
        knows of, and the source lacks.

    Raises:
        NoSuchSession: There is no such ledger or session, or none at all.
        HeadsBroken: The heads file of the source cannot be read, or that of the target; nothing is copied.
        Cut: A session that is named is known to have been there, and is missing.
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


def _tried(old: Store, new: Store, session: str) -> Copied | Problem:
    try:
        return _copied(old, new, session)
    except (LogRefused, Damaged, Oversized) as refusal:
        return Problem(session, refusal)


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


def _missing(store: Store) -> list[Problem]:
    """Returns what a ledger lacks of which its heads file knows; nothing where there is none.

    Raises:
        HeadsBroken: The heads file cannot be read.
    """
    report = _report(store)
    if report is None:
        return []
    return [Problem(session, cut) for session, cut in zip(report.cut, report.breaks, strict=True)]


def _report(store: Store) -> HeadsReport | None:
    """Returns what the heads file tells of a ledger; refuses one that cannot be read."""
    report = store.heads.examine() if store.heads is not None else None
    if report is not None:
        check_readable(report)
    return report


def _inspected(path: str, name: str) -> Kept:
    """What is in a ledger's file, every chain checked."""
    entries, problems = 0, list[Problem]()
    with closing(open_store(f"sqlite:///{path}", create=False, only_read=True)) as store:
        sessions = list(store.sessions())
        for session in sessions:
            try:
                entries += verify(store, session).seq
            except (LogRefused, Damaged, Oversized) as refusal:
                problems.append(Problem(session, refusal))
        try:
            deleted_sessions(store)
        except TombstoneBroken as refusal:
            problems.append(Problem(DELETED, refusal))
    return Kept(name, len(sessions), entries, tuple(problems))


def _check_sound(found: Kept) -> None:
    for problem in found.problems:
        raise Damaged(
            f"{problem.session} in {found.file} is damaged, and nothing was restored: {problem.refusal.message}",
            where=problem.session, accepts="a sound backup; affray copy takes the sound sessions of this one",
        ) from problem.refusal  # fmt: skip
