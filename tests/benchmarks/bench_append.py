"""Appending a command with five events, durably, with chain and batch key."""

import secrets
from collections.abc import Sequence
from contextlib import closing
from itertools import count, cycle
from pathlib import Path

import msgspec
from benchmarks import fights
from benchmarks.floors import Floor
from benchmarks.peers import EventStore, words_of
from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.entry import Entry
from ledger.stores import Head
from ledger.stores.sqlite import SqliteStore
from replays.sessions.log import Draft, sealed

EVENTS = 5


class Appending:
    """Seals and appends entries one by one: `Log.append` without the fold."""

    def __init__(self, store: SqliteStore, head: Head) -> None:
        self._store = store
        self._head = head
        self._keys = (f"batch-{number}" for number in count())

    def append(self, entry: Entry) -> None:
        draft = Draft(entry.command, entry.events, entry.by, self._head.seq, entry.rules_version)
        made, _ = sealed([draft], entry.at, [secrets.token_bytes(16)], self._head.digest, self._head.seq)
        self._store.append(fights.SESSION, made, expected=self._head.seq, key=next(self._keys))
        self._head = Head(made[-1].seq, made[-1].digest)


def cut_to_five_events(records: Sequence[Record]) -> list[Entry]:
    """Returns entries of the fights with their first five events."""
    long = (entry for entry in fights.entries_of(records) if len(entry.events) >= EVENTS)
    return [msgspec.structs.replace(entry, events=entry.events[:EVENTS]) for entry in long]


def test_append_of_five_events(
    benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    commits = scale.commits
    keys = (f"batch-{number}" for number in count())
    coming = cycle(cut_to_five_events(records[:5000]))
    with (
        closing(SqliteStore(str(folder / "ours.db"))) as store,
        closing(Floor(folder / "floor.db")) as floor,
        closing(Floor(folder / "keyed.db")) as keyed,
        closing(EventStore(folder / "peer.db")) as peer,
    ):
        fights.keep(store, records[:10])
        ours = Appending(store, store.head(fights.SESSION))
        took = interleaved(
            benchmark,
            lambda: [ours.append(next(coming)) for _ in range(commits)],
            rounds=scale.finer,
            floor=lambda: [floor.append(next(coming)) for _ in range(commits)],
            keyed=lambda: [keyed.append(next(coming), key=next(keys)) for _ in range(commits)],
            peer=lambda: [peer.append(words_of(next(coming).events[0])) for _ in range(commits)],
        )
    a_second = {name: commits * EVENTS / seconds for name, seconds in took.items()}
    found = {"what": "append, 5 events a command, FULL, chained, keyed", "ours": a_second["ours"], "unit": "events/s"}
    rows += [
        Row(**found, beside="floor: same rows", theirs=a_second["keyed"], goal=at_least(0.8)),
        Row(**found, beside="floor: without the key's row", theirs=a_second["floor"]),
        Row(**found, beside="eventsourcing, 1 a save", theirs=a_second["peer"] / EVENTS, goal=at_least(5)),
    ]
