"""Benchmarks: measured on demand, asserted nowhere. They are not part of a plain run of the tests:

    pip install -e '.[test,bench]'
    pytest tests/benchmarks -o python_files='bench_*.py'

Each measures its floor, and its peer where it has one, in the same run, in turns, and takes medians of 7. The table stands at
the end of the run, and as JSON in ``.benchmarks/table.json``.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks import fights
from benchmarks.report import Row, table, write

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore

_ROWS: pytest.StashKey[list[Row]] = pytest.StashKey()


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
def records(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Record]:
    """A hundred thousand entries of real fights, and some more."""
    return fights.some_records(tmp_path_factory.mktemp("fights"), 101_000)


@pytest.fixture(scope="session")
def many_events(records: Sequence[Record]) -> Sequence[Record]:
    """The beginning of them that has a hundred thousand events."""
    return fights.with_events(records, 100_000)


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
