"""Correcting the first declaration of a session of a thousand entries, with its durable commit."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.timing import FINER, interleaved

from ledger.chain import Record
from ledger.commands import Declare
from ledger.stores.sqlite import SqliteStore
from replays import Session
from replays.changes import Change

ENTRIES = 1000
OTHERWISE = Change(set={"terms.range": "medium"})


def test_amending_the_first_declaration(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    with closing(SqliteStore(str(folder / "amended.db"))) as store:
        session, first = _begun(store, records)
        last = session.log.last

        def amend() -> None:
            session.amend(first, OTHERWISE, why="as she said")

        def ready() -> None:
            if session.log.last > last and not session.log.timeline.stands(first):
                session.undo()

        took = interleaved(benchmark, amend, rounds=FINER, ready=ready)
    what = f"amending the first declaration of {ENTRIES:,} entries, FULL"
    rows.append(Row(what=what, ours=took["ours"] * 1e3, unit="ms", goal=at_most(1000)))


def test_previewing_it(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    with closing(SqliteStore(str(folder / "previewed.db"))) as store:
        session, first = _begun(store, records)
        took = interleaved(benchmark, lambda: session.preview(first, OTHERWISE), rounds=FINER)
    what = f"previewing that, {ENTRIES:,} entries"
    rows.append(Row(what=what, ours=took["ours"] * 1e3, unit="ms", goal=at_most(1000)))


def _begun(store: SqliteStore, records: Sequence[Record]) -> tuple[Session, int]:
    """A session of so many entries, and its first declaration."""
    session = Session(fights.keep(store, fights.between_fights(records, ENTRIES)), fights.SESSION)
    return session, next(entry.seq for entry in session.entries() if isinstance(entry.command, Declare))
