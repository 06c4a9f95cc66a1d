"""Taking the last exchange back, with its durable commit."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.timing import FINER, interleaved

from ledger.chain import Record
from ledger.events import ExchangeEnded
from ledger.stores.sqlite import SqliteStore
from replays import Session


def test_undo_of_the_last_exchange(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    with closing(SqliteStore(str(folder / "short.db"))) as near, closing(SqliteStore(str(folder / "long.db"))) as far:
        short, long = _after_an_exchange(near, records, 100), _after_an_exchange(far, records, 100_000)
        undone: list[Session] = []

        def undo(session: Session) -> None:
            session.undo("exchange", why="it was not her turn")
            undone.append(session)

        def ready() -> None:
            while undone:
                undone.pop().redo()

        took = interleaved(benchmark, lambda: undo(short), rounds=FINER, ready=ready, at_100_000=lambda: undo(long))
    near_ms, far_ms = took["ours"] * 1e3, took["at_100_000"] * 1e3
    what = "undo of the last exchange, FULL"
    rows += [
        Row(what=f"{what}, at 100 entries", ours=near_ms, unit="ms", goal=at_most(2)),
        Row(what=f"{what}, at 100,000 entries", ours=far_ms, unit="ms", goal=at_most(2)),
        Row(
            what=f"{what}, at 100,000 entries", ours=far_ms, unit="ms",
            beside="at 100", theirs=near_ms, goal=at_most(1.5),
        ),
    ]  # fmt: skip


def test_undo_right_after_opening(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    with closing(SqliteStore(str(folder / "long.db"))) as store:
        opened = [_after_an_exchange(store, records, 100_000)]

        def ready() -> None:
            if opened[-1].log.timeline.redo is not None:
                opened[-1].redo()
            opened.append(Session(store, fights.SESSION))

        took = interleaved(benchmark, lambda: opened[-1].undo("exchange"), ready=ready)
    what = "undo of the last exchange, FULL, at 100,000 entries, just opened"
    rows.append(Row(what=what, ours=took["ours"] * 1e3, unit="ms", goal=at_most(2)))


def _after_an_exchange(store: SqliteStore, records: Sequence[Record], upto: int) -> Session:
    """A live session in which an attack was just resolved."""
    fighters = fights.Fighters(seed=7)
    begun = fights.between_fights(records, upto)
    session = Session(fights.keep(store, begun), fights.SESSION, draw=fighters.draw)
    while True:
        entry = session.perform(fighters.command(session.combat))
        if any(isinstance(event, ExchangeEnded) and "/attack" in event.key for event in entry.events):
            return session
