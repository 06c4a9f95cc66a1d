"""Undoing the last exchange, durable commit included, beside one commit of plain SQLite, at several lengths."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.floors import Floor
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore
from replays import Session

SHORT = 100
"""Numbers of entries."""
FLOOR = "floor: a commit"


def test_undo_of_the_last_exchange(
    benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    entry = fights.entries_of(records[:1])[0]
    with (
        closing(SqliteStore(str(folder / "short.db"))) as near,
        closing(SqliteStore(str(folder / "long.db"))) as far,
        closing(Floor(folder / "floor.db")) as floor,
    ):
        short, long = fights.after_an_exchange(near, records, SHORT), fights.after_an_exchange(far, records, scale.long)
        undone: list[Session] = []

        def undo(session: Session) -> None:
            session.undo("exchange", why="it was not her turn")
            undone.append(session)

        def ready() -> None:
            while undone:
                undone.pop().redo()

        took = interleaved(
            benchmark,
            lambda: undo(short),
            rounds=scale.finer,
            ready=ready,
            long=lambda: undo(long),
            floor=lambda: floor.append(entry),
        )
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    what, unit = "undo of the last exchange, FULL", "ms"
    rows += [
        Row(
            what=f"{what}, at {SHORT} entries", ours=ms["ours"], unit=unit,
            beside=FLOOR, theirs=ms["floor"], goal=at_most(10),
        ),
        Row(
            what=f"{what}, at {scale.long:,} entries", ours=ms["long"], unit=unit,
            beside=f"at {SHORT}", theirs=ms["ours"], goal=at_most(1.5),
        ),
    ]  # fmt: skip


def test_undo_right_after_opening(
    benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    entry = fights.entries_of(records[:1])[0]
    with closing(SqliteStore(str(folder / "long.db"))) as store, closing(Floor(folder / "floor.db")) as floor:
        opened = [fights.after_an_exchange(store, records, scale.long)]

        def ready() -> None:
            if opened[-1].log.timeline.redo is not None:
                opened[-1].redo()
            opened.append(Session(store, fights.SESSION))

        took = interleaved(
            benchmark,
            lambda: opened[-1].undo("exchange"),
            rounds=scale.rounds,
            ready=ready,
            floor=lambda: floor.append(entry),
        )
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    what = f"undo of the last exchange, FULL, at {scale.long:,} entries, just opened"
    rows.append(Row(what=what, ours=ms["ours"], unit="ms", beside=FLOOR, theirs=ms["floor"], goal=at_most(10)))
