"""The floor of each figure: the same writes and reads by bare sqlite3 and msgspec."""

import os
import sqlite3
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from ledger.chain import Record
from ledger.entry import Entry
from ledger.stores.sqlite.schema import PAGE_SIZE

_PAGE = 500


class _Parts(msgspec.Struct):
    """The bytes of an entry's command and events."""

    command: msgspec.Raw
    events: list[msgspec.Raw]


class Floor:
    """A SQLite file with the same pragmas and rows, without chain, queue, keys or guards."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._encoder = msgspec.json.Encoder(order="deterministic")
        self._decoder = msgspec.json.Decoder(Entry)
        self._parts = msgspec.json.Decoder(_Parts)
        self._last = 0
        for statement in (
            f"PRAGMA page_size={PAGE_SIZE}",
            "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=FULL",
            "CREATE TABLE entries (id INTEGER PRIMARY KEY, line BLOB NOT NULL, secret BLOB NOT NULL, digest BLOB NOT NULL)",
            "CREATE TABLE batches (key TEXT PRIMARY KEY, first INTEGER NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID",
        ):
            self._connection.execute(statement)

    def append(self, entry: Entry, *, key: str = "") -> None:
        """Writes one entry in one commit."""
        self._last += 1
        row = (self._last, self._encoder.encode(entry), os.urandom(16), os.urandom(32))
        self._connection.execute("BEGIN")
        self._connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", row)
        if key:
            self._connection.execute("INSERT INTO batches VALUES (?, ?, 1)", (key, self._last))
        self._connection.execute("COMMIT")

    def keep(self, records: Sequence[Record]) -> None:
        """Writes records unchanged, in one commit."""
        self._connection.execute("BEGIN")
        rows = ((record.seq, record.line, record.secret, record.digest) for record in records)
        self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
        self._connection.execute("COMMIT")

    def load(self) -> Counter[type]:
        """Fetches and decodes every line, and counts the events of each type."""
        counted: Counter[type] = Counter()
        cursor = self._connection.execute("SELECT line FROM entries ORDER BY id")
        while page := cursor.fetchmany(_PAGE):
            for (line,) in page:
                for event in self._decoder.decode(line).events:
                    counted[type(event)] += 1
        return counted

    def load_hashed(self) -> Counter[type]:
        """As `load`, with one SHA-256 of each command and event."""
        counted: Counter[type] = Counter()
        cursor = self._connection.execute("SELECT line, secret FROM entries ORDER BY id")
        while page := cursor.fetchmany(_PAGE):
            for line, secret in page:
                for event in self._decoder.decode(line).events:
                    counted[type(event)] += 1
                parts = self._parts.decode(line)
                for body in (parts.command, *parts.events):
                    sha256(secret + body).digest()
        return counted

    def close(self) -> None:
        self._connection.close()
