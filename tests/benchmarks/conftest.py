"""Benchmarks: measured on demand, asserted nowhere. They are not part of a plain run of the tests:

    pip install -e '.[test,bench]'
    pytest tests/benchmarks -o python_files='bench_*.py'            # some minutes
    pytest tests/benchmarks -o python_files='bench_*.py' --quick    # about one: fewer rounds, smaller sizes, every row

Each measures its floor, or its peer, in the same run, in turns, and takes medians of 7 rounds or more. Every row is the ratio of
the two, and what is promised is promised of the ratio: it says the same on a slow machine, and on a busy one. The table stands at
the end of the run, and as JSON in ``.benchmarks/table.json``. A quick run tells whether a change made something several times
slower; figures to be told to others come from a whole one. What a server does under load is ``load_server.py``.
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
    """Of the table at the end."""
    return pytestconfig.stash[_ROWS]


@pytest.fixture(scope="session")
def scale(pytestconfig: pytest.Config) -> Scale:
    """How much is measured."""
    return QUICK if pytestconfig.getoption("quick") else FULL


@pytest.fixture(scope="session")
def records(scale: Scale, tmp_path_factory: pytest.TempPathFactory) -> Sequence[Record]:
    """The entries of real fights, as many as the longest session has, and some more."""
    return fights.some_records(tmp_path_factory.mktemp("fights"), scale.long + 1_000)


@pytest.fixture(scope="session")
def many_events(scale: Scale, records: Sequence[Record]) -> Sequence[Record]:
    """The beginning of them that has as many events."""
    return fights.with_events(records, scale.long)


@pytest.fixture(scope="module")
def kept(many_events: Sequence[Record], tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Those in a file."""
    with closing(SqliteStore(str(tmp_path_factory.mktemp("kept") / "fight.db"))) as store:
        fights.keep(store, many_events)
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """For the files of one benchmark."""
    return tmp_path
