"""Amending the first declaration of a session, durable commit included, beside redeciding the whole session."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.commands import Declare
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays import Session
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse

OTHERWISE = Change(set={"terms.range": "medium"})


def test_amending_the_first_declaration(
    benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    with closing(SqliteStore(str(folder / "amended.db"))) as store, closing(MemoryStore()) as apart:
        session, first = _begun(store, records, scale.short)
        untouched, _ = _begun(apart, records, scale.short)
        last = session.log.last

        def amend() -> None:
            session.amend(first, OTHERWISE, why="as she said")

        def ready() -> None:
            if session.log.last > last and not session.log.timeline.stands(first):
                session.undo()

        again = lambda: list(rehearse(untouched.log))  # noqa: E731
        took = interleaved(benchmark, amend, rounds=scale.finer, ready=ready, again=again)
    rows.append(_row(f"amending the first declaration of {scale.short:,} entries, FULL", took))


def test_previewing_it(benchmark, scale: Scale, records: Sequence[Record], rows: list[Row]) -> None:
    with closing(MemoryStore()) as store:
        session, first = _begun(store, records, scale.short)
        again = lambda: list(rehearse(session.log))  # noqa: E731
        preview = lambda: session.preview(first, OTHERWISE)  # noqa: E731
        took = interleaved(benchmark, preview, rounds=scale.finer, again=again)
    rows.append(_row(f"previewing that, {scale.short:,} entries", took))


def _row(what: str, took: Mapping[str, float]) -> Row:
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    return Row(what=what, ours=ms["ours"], unit="ms", beside="rehearsing it", theirs=ms["again"], goal=at_most(15))


def _begun(store: Store, records: Sequence[Record], entries: int) -> tuple[Session, int]:
    """Returns a session of that many entries, and the number of its first declaration."""
    session = Session(fights.keep(store, fights.between_fights(records, entries)), fights.SESSION)
    return session, next(entry.seq for entry in session.entries() if isinstance(entry.command, Declare))
