"""The command line, from start to end of the process."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore

AFFRAY = shutil.which("affray", path=str(Path(sys.executable).parent)) or "affray"

pytestmark = pytest.mark.skipif(find_spec("replays.cli") is None, reason="there is no command line yet")


def test_affray_version(benchmark, rows: list[Row]) -> None:
    _row(benchmark, rows, "affray --version", ["--version"], 150)


def test_affray_show(benchmark, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    path = folder / "affray.db"
    with closing(SqliteStore(str(path))) as store:
        fights.keep(store, records[:1000])
    _row(benchmark, rows, "affray show, 1,000 entries", ["--ledger", f"sqlite:///{path}", "show"], 400)


def _row(benchmark, rows: list[Row], what: str, words: Sequence[str], goal_ms: float) -> None:
    ours, python = _process(AFFRAY, *words), _process(sys.executable, "-c", "pass")
    took = interleaved(benchmark, ours, python=python)
    ms = took["ours"] * 1e3
    rows += [
        Row(what=what, ours=ms, unit="ms", goal=at_most(goal_ms)),
        Row(what=what, ours=ms, unit="ms", beside="python -c pass", theirs=took["python"] * 1e3),
    ]


def _process(*words: str):
    return lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
