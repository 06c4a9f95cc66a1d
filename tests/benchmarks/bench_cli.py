"""The command line, from start to end of the process.

What Python keeps of modules and tables is kept before the first round, as on any machine on which the program ran once.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import fights
from benchmarks.report import Goal, Row, at_most
from benchmarks.scale import Scale
from benchmarks.timing import interleaved

from ledger.chain import Record
from ledger.stores.sqlite import SqliteStore

AFFRAY = shutil.which("affray", path=str(Path(sys.executable).parent)) or "affray"

pytestmark = pytest.mark.skipif(find_spec("replays.cli") is None, reason="there is no command line yet")


def test_affray_version(benchmark, scale: Scale, rows: list[Row]) -> None:
    rows.append(_row(benchmark, scale, "affray --version", ["--version"], at_most(4)))


def test_affray_show(benchmark, scale: Scale, records: Sequence[Record], folder: Path, rows: list[Row]) -> None:
    path = folder / "affray.db"
    with closing(SqliteStore(str(path))) as store:
        fights.keep(store, records[: scale.short])
    words = ["--ledger", f"sqlite:///{path}", "show"]
    rows.append(_row(benchmark, scale, f"affray show, {scale.short:,} entries", words, at_most(12)))


def test_affray_fight(benchmark, scale: Scale, folder: Path, rows: list[Row]) -> None:
    words = ["--ledger", f"sqlite:///{folder / 'new.db'}", "fight", "gurps_3e", "--new"]
    rows.append(_row(benchmark, scale, "affray fight, to its first prompt", words, at_most(15)))


def _row(benchmark, scale: Scale, what: str, words: Sequence[str], goal: Goal) -> Row:
    ours, python = _process(AFFRAY, *words), _process(sys.executable, "-c", "pass")
    ours()
    took = interleaved(benchmark, ours, rounds=scale.rounds, python=python)
    ms = {name: seconds * 1e3 for name, seconds in took.items()}
    return Row(what=what, ours=ms["ours"], unit="ms", beside="python -c pass", theirs=ms["python"], goal=goal)


def _process(*words: str):
    keeping = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(
        words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=keeping
    )
