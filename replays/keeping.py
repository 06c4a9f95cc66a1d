"""Backing up, restoring and copying ledgers: everything that is kept is verified before anybody relies on it.

A backup is a true copy of the ledger, with the secrets of its entries, the sealed seeds and the tokens that were handed
out: it is to be kept as safe as the ledger itself.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from ledger.errors import Broken, Damaged, LogRefused, Oversized, Refused, SessionExists, TombstoneBroken, Unusable
from ledger.stores import Store, open_store
from ledger.stores.sqlite_backup import check_free, copied, file_of
from replays.finding import find_session
from replays.ledger_check import deleted_sessions
from replays.log import verify

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
    """Sessions whose chain does not hold, and a broken tombstone: they are in the copy as they are in the ledger."""


class Copied(msgspec.Struct, frozen=True):
    """A session that was copied, and verified where it is now."""

    session: str
    entries: int
    digest: str
    keys: int
    """Idempotency keys that came along."""
    sealed: int
    """Sealed secrets that came along: the seed of the dice, tokens."""


def backup(ledger: str, file: str | Path) -> Kept:
    """Copies a ledger into a file, while it may be in use, and verifies the copy.

    A ledger with a damaged session is copied all the same, for the other sessions' sake.

    Args:
        ledger: Its address.
        file: The copy; there is nothing yet.

    Returns:
        What the copy has, and which of its sessions are damaged.

    Raises:
        NoFile: The ledger is not a file.
        AlreadyThere: There is something in the place of the copy; it is not overwritten.
        Damaged: The ledger's file is damaged; no copy is left.
        StoreRefused: The ledger cannot be read, or the copy not written; no copy is left.
    """
    source = file_of(ledger)
    open_store(ledger, create=False, only_read=True).close()  # refuses what is no ledger
    with copied(source, str(file)) as copy:
        return _inspected(copy, str(file))


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


def copy_sessions(source: str, target: str, names: Sequence[str] = ()) -> Iterator[Copied | Problem]:
    """Copies sessions from one store into another, each whole or not at all.

    Their idempotency keys and sealed secrets come along. From then on the two go on by themselves.

    Args:
        source: The address of the store that has them; nothing there is changed.
        target: The address of another; a file is made, tables of a database are there.
        names: The sessions' ids, or unique beginnings; left out, all.

    Yields:
        For each session, in the order in which they were created, what was copied, or why it was not: it is damaged,
        it is there already, or something of it is too long for the other store.

    Raises:
        NoSuchSession: There is no such ledger or session, or none at all.
        StoreRefused: A store refuses; no session is copied in part.
    """
    with closing(open_store(source, create=False, patience=PATIENCE, only_read=True)) as old:
        asked = {find_session(old, name) for name in names or (None,)}
        sessions = [session for session in old.sessions() if not names or session in asked]
        with closing(open_store(target, patience=PATIENCE)) as new:
            for session in sessions:
                try:
                    yield _copied(old, new, session)
                except (LogRefused, Damaged, Oversized) as refusal:
                    yield Problem(session, refusal)


# ------------------------------------------------------------------------------------------------ one session


def _copied(old: Store, new: Store, session: str) -> Copied:
    if session in new.sessions():
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


# ------------------------------------------------------------------------------------------------ a whole file


def _inspected(path: str, name: str) -> Kept:
    """What is in a ledger's file, every chain checked."""
    entries, problems = 0, list[Problem]()
    with closing(open_store(f"sqlite:///{path}", create=False, only_read=True)) as store:
        sessions = list(store.sessions())
        for session in sessions:
            try:
                entries += verify(store, session).seq
            except (LogRefused, Damaged) as refusal:
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
