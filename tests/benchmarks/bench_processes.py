"""Writers that are killed in the middle, and writers side by side. What must hold is asserted by the writers' own test."""

from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.report import Row, at_least
from benchmarks.timing import ROUNDS
from ledger_writers import killed_writers, shares

from ledger.stores.sqlite import SqliteStore

KILLS = 1000
SECONDS = 2.0


def test_kills(benchmark, folder: Path, rows: list[Row]) -> None:
    unheard = benchmark.pedantic(killed_writers, args=(folder / "fight.db", KILLS), rounds=1)
    rows += [
        Row(what="SIGKILLs of a writer, nothing lost, torn or doubled", ours=KILLS, unit="kills", goal=at_least(1000)),
        Row(what="of these, committed but not acknowledged", ours=unheard, unit="kills"),
    ]


def test_two_writers_on_one_file(benchmark, folder: Path, rows: list[Row]) -> None:
    path, written = folder / "fight.db", []
    with closing(SqliteStore(str(path))) as store:
        store.create("doors")
        store.create("windows")

    def ours() -> None:
        written.append([count for count, _ in shares(path, ("doors", "windows"), SECONDS)])

    benchmark.pedantic(ours, rounds=ROUNDS)
    least = median(min(counts) / sum(counts) for counts in written)
    both = median(sum(counts) / SECONDS for counts in written)
    what = "two writers on one file"
    rows += [
        Row(what=f"{what}: share of the smaller", ours=100 * least, unit="%", goal=at_least(30)),
        Row(what=f"{what}: together", ours=both, unit="entries/s"),
    ]
