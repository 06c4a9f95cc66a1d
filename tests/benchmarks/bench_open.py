"""Opening a session to its first command, at several lengths, and the memory that the open session takes."""

import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore
from replays import Session
from replays.sessions.log import Log

_MS = 10.0
"""The goal in milliseconds, whatever the length."""


class Opening:
    """A session that is opened anew for each command."""

    def __init__(self, store: SqliteStore, records: Sequence[Record], upto: int) -> None:
        self.store = fights.keep(store, fights.between_fights(records, upto))
        self._fighters = fights.Fighters(seed=7)
        self.open_and_perform()  # stores the first checkpoint

    def open_and_perform(self) -> None:
        session = Session(self.store, fights.SESSION, draw=self._fighters.draw)
        session.perform(self._fighters.command(session.combat))


def test_opening_to_the_first_command(
    benchmark, scale: Scale, records: Sequence[Record], many_events: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    with (
        closing(SqliteStore(str(folder / "short.db"))) as near,
        closing(SqliteStore(str(folder / "long.db"))) as far,
    ):
        short, long = Opening(near, records, scale.short), Opening(far, records, len(many_events))
        took = interleaved(
            benchmark,
            long.open_and_perform,
            rounds=scale.finer,
            short=short.open_and_perform,
            folded=lambda: Log.folded(far, fights.SESSION),
        )
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    what, unit = f"open {scale.long:,} events to the first command", "ms"
    rows += [
        Row(what=what, ours=ms["ours"], unit=unit, beside="the goal", theirs=_MS, goal=at_most(1)),
        Row(
            what=what, ours=ms["ours"], unit=unit,
            beside=f"at {scale.short:,} entries", theirs=ms["short"], goal=at_most(1.5),
        ),
        Row(what=what, ours=ms["ours"], unit=unit, beside="fold and verify all", theirs=ms["folded"]),
    ]  # fmt: skip


def test_memory_of_an_open_session(
    benchmark, scale: Scale, kept: SqliteStore, many_events: Sequence[Record], rows: list[Row]
) -> None:
    size = sum(len(record.line) + len(record.secret) + len(record.digest) for record in many_events)
    log, taken = benchmark.pedantic(_taken, args=(kept,), rounds=1)
    assert log.last == len(many_events)
    what = f"memory of an open session of {scale.long:,} events"
    rows.append(Row(what=what, ours=taken, unit="bytes", beside="on disk", theirs=size, goal=at_most(3)))


def _taken(store: SqliteStore) -> tuple[Log, int]:
    """Returns a log of which every state was asked for, and the memory that it takes."""
    tracemalloc.start()
    log = Log(store, fights.SESSION)
    for seq in range(1, log.last + 1):
        log.state(seq)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return log, taken
