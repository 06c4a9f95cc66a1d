"""Keeps webhooks, and how far each is delivered, in a separate SQLite file that only the user of the server can read.

The file is no part of the ledger: it records who wants to be called, never what happened. It is created with the first
webhook. Processes that share it see each other's changes at once.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from ledger.errors import Busy, Full, Refused, Unusable
from replays.server.callers.tokens import Token
from replays.server.webhooks.hook import MOST, OLD_SECRET, Hook
from replays.server.webhooks.refusals import NoSuchHook, TooManyHooks

MEMORY = ":memory:"
"""The path of a file that is in memory, for a ledger in memory."""
_PATIENCE = 10.0
"""Seconds to wait for another process that writes."""
_FIELDS = Hook.__struct_fields__
_TABLE = f"CREATE TABLE IF NOT EXISTS hooks ({', '.join(_FIELDS)}, owner, PRIMARY KEY (id)) WITHOUT ROWID"
_LISTED = f"SELECT {', '.join(_FIELDS)} FROM hooks"
_ADD = f"INSERT INTO hooks ({', '.join(_FIELDS)}, owner) VALUES ({', '.join('?' * (len(_FIELDS) + 1))})"
_APPLICATION = 0x41464857
"""Marks the file as one of webhooks (`AFHW`); a file of another program is refused."""
_NO_SPACE = frozenset([sqlite3.SQLITE_FULL])
_LOCKED = frozenset([sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED])


class HooksFile:
    """The file of webhooks; it is used by one thread.

    Args:
        path: The file, or `MEMORY`.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._database: sqlite3.Connection | None = None

    @property
    def is_there(self) -> bool:
        """Whether there has been any webhook yet."""
        return self._database is not None or (self._path != MEMORY and Path(self._path).exists())

    def close(self) -> None:
        """Closes the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    # -------------------------------------------------------------------------------------------- by its owner

    def add(self, hook: Hook) -> None:
        """Adds a webhook.

        Raises:
            TooManyHooks: The token has the maximum number of webhooks.
            StoreRefused: The file cannot be used.
        """
        with self._opened() as database:
            (found,) = database.execute("SELECT count(*) FROM hooks WHERE owner = ?", (_owner(hook),)).fetchone()
            if found >= MOST:
                message = f"this token has {MOST} webhooks"
                raise TooManyHooks(message, where="hooks", accepts="one more after another was deleted")
            values = [getattr(hook, field) for field in _FIELDS if field != "token"]
            values.insert(_FIELDS.index("token"), msgspec.json.encode(hook.token))
            database.execute(_ADD, (*values, _owner(hook)))

    def of(self, session: str, token: str) -> list[Hook]:
        """Returns the webhooks of a token, in the order of their creation."""
        return self._read(f"{_LISTED} WHERE owner = ? ORDER BY created, id", f"{session}/{token}")

    def one(self, session: str, token: str, hook: str) -> Hook:
        """Returns a webhook of a token.

        Raises:
            NoSuchHook: The token has no such webhook.
        """
        for found in self._read(f"{_LISTED} WHERE id = ? AND owner = ?", hook, f"{session}/{token}"):
            return found
        raise NoSuchHook("this token has no such webhook", where="hook", accepts="an id of the list of webhooks")

    def delete(self, hook: Hook) -> None:
        """Deletes a webhook."""
        self._change("DELETE FROM hooks WHERE id = ?", hook.id)

    def activate(self, hook: Hook) -> None:
        """Forgets the failures of a webhook, so that it is delivered at once."""
        self._change(
            "UPDATE hooks SET stopped = '', failures = 0, problem = '', next_attempt = 0.0, version = version + 1 "
            "WHERE id = ?",
            hook.id,
        )

    def replace_secret(self, hook: Hook, secret: str, now: float) -> None:
        """Replaces the secret of a webhook; the old one signs too for `OLD_SECRET` seconds."""
        self._change(
            "UPDATE hooks SET old_secret = secret, old_until = ?, secret = ?, version = version + 1 WHERE id = ?",
            now + OLD_SECRET, secret, hook.id,
        )  # fmt: skip

    # -------------------------------------------------------------------------------------------- by the server

    def all(self) -> list[Hook]:
        """Returns all webhooks."""
        return self._read(_LISTED) if self.is_there else []

    def current(self, hook: Hook) -> Hook | None:
        """Returns a webhook as it is now; None if its owner has changed or deleted it, or it has been stopped."""
        found = self._read(f"{_LISTED} WHERE id = ? AND version = ? AND stopped = ''", hook.id, hook.version)
        return found[0] if found else None

    def moved(self, hook: Hook, cursor: int, status: int) -> None:
        """Records that the entries up to one were delivered."""
        self._change(
            "UPDATE hooks SET cursor = ?, status = ?, failures = 0, problem = '', next_attempt = 0.0 "
            "WHERE id = ? AND version = ?",
            cursor, status, hook.id, hook.version,
        )  # fmt: skip

    def failed(self, hook: Hook, status: int, problem: str, next_attempt: float) -> None:
        """Records a failure."""
        self._change(
            "UPDATE hooks SET failures = failures + 1, status = ?, problem = ?, next_attempt = ? "
            "WHERE id = ? AND version = ?",
            status, problem, next_attempt, hook.id, hook.version,
        )  # fmt: skip

    def stop(self, hook: Hook, reason: str) -> None:
        """Switches a webhook off."""
        self._change("UPDATE hooks SET stopped = ? WHERE id = ? AND version = ?", reason, hook.id, hook.version)

    def forget(self, session: str) -> None:
        """Deletes the webhooks of a session that was deleted."""
        self._change("DELETE FROM hooks WHERE session = ?", session)

    # -------------------------------------------------------------------------------------------- the database

    def _read(self, query: str, *values: Any) -> list[Hook]:
        with self._opened(writes=False) as database:
            return [_hook(row) for row in database.execute(query, values)]

    def _change(self, query: str, *values: Any) -> None:
        with self._opened() as database:
            database.execute(query, values)

    @contextmanager
    def _opened(self, *, writes: bool = True) -> Iterator[sqlite3.Connection]:
        """Yields the database, in a transaction if something is written; it is created if there is none.

        Raises:
            StoreRefused: The file cannot be used.
        """
        try:
            if self._database is None:
                self._database = _open(self._path)
            with self._database:
                if writes:
                    self._database.execute("BEGIN IMMEDIATE")
                yield self._database
        except (sqlite3.Error, OSError, msgspec.MsgspecError) as error:
            raise _refusal(error) from error


def _open(path: str) -> sqlite3.Connection:
    if path != MEMORY:  # SQLite gives the files beside it the same mode
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR))
    database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _check_own(database)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA secure_delete = ON")
        with closing(database.cursor()) as cursor:
            cursor.execute(_TABLE)
    except BaseException:
        database.close()
        raise
    return database


def _check_own(database: sqlite3.Connection) -> None:
    """Marks an empty file as one of webhooks, and rejects a file of another program."""
    ((mark,),) = database.execute("PRAGMA application_id")
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
    if mark != _APPLICATION and tables:
        raise sqlite3.DatabaseError("it belongs to another program")
    database.execute(f"PRAGMA application_id = {_APPLICATION}")


def _refusal(error: Exception) -> Refused:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _NO_SPACE:
        return Full("the disk is full: the file of webhooks was not changed", where="hooks")
    if code in _LOCKED:
        return Busy(
            "the file of webhooks is in use by another process", where="hooks", accepts="the same a moment later"
        )
    return Unusable(f"the file of webhooks cannot be used: {error}", where="hooks", accepts="another --hooks FILE")


def _owner(hook: Hook) -> str:
    return f"{hook.session}/{hook.token.id}"


def _hook(row: Sequence[Any]) -> Hook:
    fields = dict(zip(_FIELDS, row, strict=True))
    fields["token"] = msgspec.json.decode(fields["token"], type=Token)
    return msgspec.convert(fields, Hook)
