"""Previewing and amending the first declaration of a session.

A preview is measured beside redeciding the session, an amendment beside its preview and one commit of its records.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import count
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
    numbers, live = count(), list[Session]()
    with ExitStack() as opened:

        def begun() -> tuple[Session, int]:
            """Returns a session without earlier amendments, because each one makes the log longer."""
            path = str(folder / f"{next(numbers)}.db")
            return _begun(opened.enter_context(closing(SqliteStore(path))), records, scale.short)

        session, first = begun()
        length = session.log.last
        session.amend(first, OTHERWISE, why="as she said")
        written = list(session.log.store.read(fights.SESSION, after=length))

        def ready() -> None:
            live[:] = [begun()[0] for _ in range(2)]

        def previewed_and_committed() -> None:
            live[1].preview(first, OTHERWISE)
            live[1].log.store.append(fights.SESSION, written, expected=length)

        amend = lambda: live[0].amend(first, OTHERWISE, why="as she said")  # noqa: E731
        took = interleaved(benchmark, amend, rounds=scale.rounds, ready=ready, again=previewed_and_committed)
    what = f"amending the first declaration of {scale.short:,} entries, FULL"
    rows.append(_row(what, took, "its preview and one commit", 1.5))


def test_previewing_it(benchmark, scale: Scale, records: Sequence[Record], rows: list[Row]) -> None:
    with closing(MemoryStore()) as store:
        session, first = _begun(store, records, scale.short)
        again = lambda: list(rehearse(session.log))  # noqa: E731
        preview = lambda: session.preview(first, OTHERWISE)  # noqa: E731
        took = interleaved(benchmark, preview, rounds=scale.finer, again=again)
    rows.append(_row(f"previewing that, {scale.short:,} entries", took, "rehearsing it", 1.3))


def _row(what: str, took: Mapping[str, float], beside: str, most: float) -> Row:
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    return Row(what=what, ours=ms["ours"], unit="ms", beside=beside, theirs=ms["again"], goal=at_most(most))


def _begun(store: Store, records: Sequence[Record], entries: int) -> tuple[Session, int]:
    """Returns a session of that many entries, and the number of its first declaration."""
    session = Session(fights.keep(store, fights.between_fights(records, entries)), fights.SESSION)
    return session, next(entry.seq for entry in session.entries() if isinstance(entry.command, Declare))
