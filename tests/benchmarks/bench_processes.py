"""Writers that are killed while they write, and writers in parallel. The test of the writers asserts what must hold."""

from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.report import Row, at_least
from benchmarks.scale import Scale
from ledger_writers import killed_writers, shares

from ledger.stores.sqlite import SqliteStore


def test_kills(benchmark, scale: Scale, folder: Path, rows: list[Row]) -> None:
    looked_after: list[None] = []

    def kill() -> int:
        return killed_writers(folder / "fight.db", scale.kills, settled=lambda: looked_after.append(None))

    unheard = benchmark.pedantic(kill, rounds=1)
    what, of = "after a SIGKILL of the writer nothing is lost, torn or doubled", "SIGKILLs"
    rows += [
        Row(what=what, ours=len(looked_after), unit="times", beside=of, theirs=scale.kills, goal=at_least(1)),
        Row(what="of these, committed but not acknowledged", ours=unheard, unit="times", beside=of, theirs=scale.kills),
    ]


def test_two_writers_on_one_file(benchmark, scale: Scale, folder: Path, rows: list[Row]) -> None:
    path, written, alone = folder / "fight.db", list[list[int]](), list[int]()
    with closing(SqliteStore(str(path))) as store:
        store.create("doors")
        store.create("windows")

    def ours() -> None:
        written.append([count for count, _ in shares(path, ("doors", "windows"), scale.seconds)])

    def by_itself() -> None:
        alone.extend(count for count, _ in shares(path, ("doors",), scale.seconds))

    benchmark.pedantic(ours, setup=by_itself, rounds=scale.rounds)
    least, most = (median(pick(counts) for counts in written) / scale.seconds for pick in (min, max))
    both = median(sum(counts) for counts in written) / scale.seconds
    what, unit = "two writers on one file", "entries/s"
    rows += [
        Row(what=f"{what}: the slower", ours=least, unit=unit, beside="the faster", theirs=most, goal=at_least(0.4)),
        Row(
            what=f"{what}: together", ours=both, unit=unit,
            beside="one by itself", theirs=median(alone) / scale.seconds, goal=at_least(0.5),
        ),
    ]  # fmt: skip
