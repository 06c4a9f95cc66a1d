"""Backs up and restores ledgers in files, and verifies every copy.

A backup is a full copy of the ledger, including the secrets of its entries, the sealed seeds and the issued tokens.
Keep it as safe as the ledger itself.
"""

from contextlib import closing
from pathlib import Path

import msgspec

from ledger.errors import Damaged, LogRefused, Oversized, TombstoneBroken, Unusable
from ledger.stores import open_store
from ledger.stores.sqlite.backup import check_free, copied, file_of
from replays.audit.ledger_check import deleted_sessions
from replays.exports.session_problems import DELETED, SessionProblem, missing_sessions
from replays.sessions.record.verify import verify


class Kept(msgspec.Struct, frozen=True):
    """A ledger that was copied whole."""

    file: str
    sessions: int
    entries: int
    problems: tuple[SessionProblem, ...] = ()
    """Sessions with missing entries or a broken chain, and a broken tombstone.

    They are in the copy as they are in the ledger.
    """


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
        missing = missing_sessions(store)
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


# ------------------------------------------------------------------------------------------------ a whole file


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
