"""Bytes on disk of an event, chain included."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.report import Row, at_most

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore


def test_bytes_an_event(benchmark, many_events: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    count = sum(len(entry.events) for entry in fights.entries_of(many_events))
    body = sum(len(record.line) for record in many_events)

    def keyed(store: SqliteStore) -> None:
        store.create(fights.SESSION)
        for seq, record in enumerate(many_events):
            store.append(fights.SESSION, [record], expected=seq, key=f"batch-{seq}")

    size = _size(folder / "chained.db", lambda store: fights.keep(store, many_events))
    with_keys = benchmark.pedantic(_size, args=(folder / "keyed.db", keyed), rounds=1)
    what, unit = "an event on disk, chained", "bytes"
    rows += [
        Row(
            what=what, ours=size / count, unit=unit,
            beside="its part of the line", theirs=body / count, goal=at_most(1.6),
        ),
        Row(
            what=f"{what}, each command keyed", ours=with_keys / count, unit=unit,
            beside="without keys", theirs=size / count, goal=at_most(1.3),
        ),
    ]  # fmt: skip


def _size(path: Path, fill: Callable[[SqliteStore], object]) -> int:
    with closing(SqliteStore(str(path))) as store:
        fill(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size
