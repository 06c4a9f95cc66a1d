"""Benchmarks, run on demand. They assert nothing and are not collected by a plain run of the tests:

    pip install -e '.[test,bench]'
    pytest tests/benchmarks -o python_files='bench_*.py'            # some minutes
    pytest tests/benchmarks -o python_files='bench_*.py' --quick    # about one: fewer rounds, smaller sizes, every row

Each benchmark measures its floor or its peer in the same run, in alternation, and takes medians of at least 7 rounds. A row is the ratio
of the two, and goals are set for the ratio, because it is the same on a slow and on a busy machine. The table is printed at the end of the
run, and written as JSON to ``.benchmarks/table.json``. A quick run shows whether a change made something several times slower; publish
figures of a whole run only. ``load_server.py`` measures a server under load.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks import fights
from benchmarks.report import Row, table, write
from benchmarks.scale import FULL, QUICK, Scale

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore

_ROWS: pytest.StashKey[list[Row]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="fewer rounds and smaller sizes of every benchmark")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_ROWS] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    rows = config.stash[_ROWS]
    if rows:
        path = config.rootpath / ".benchmarks" / "table.json"
        write(rows, path)
        terminalreporter.write_sep("=", "Affray beside its floors and peers")
        terminalreporter.write_line(table(rows))
        terminalreporter.write_line(f"as JSON: {path}")


@pytest.fixture(scope="session")
def rows(pytestconfig: pytest.Config) -> list[Row]:
    """The rows of the table that is printed at the end."""
    return pytestconfig.stash[_ROWS]


@pytest.fixture(scope="session")
def scale(pytestconfig: pytest.Config) -> Scale:
    """The sizes and numbers of rounds of this run."""
    return QUICK if pytestconfig.getoption("quick") else FULL


@pytest.fixture(scope="session")
def records(scale: Scale, tmp_path_factory: pytest.TempPathFactory) -> Sequence[Record]:
    """The entries of real fights: as many as the longest session has, and 1,000 more."""
    return fights.some_records(tmp_path_factory.mktemp("fights"), scale.long + 1_000)


@pytest.fixture(scope="session")
def many_events(scale: Scale, records: Sequence[Record]) -> Sequence[Record]:
    """The first of these entries that have that many events together."""
    return fights.with_events(records, scale.long)


@pytest.fixture(scope="module")
def kept(many_events: Sequence[Record], tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """A SQLite file with these entries."""
    with closing(SqliteStore(str(tmp_path_factory.mktemp("kept") / "fight.db"))) as store:
        fights.keep(store, many_events)
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for the files of one benchmark."""
    return tmp_path
