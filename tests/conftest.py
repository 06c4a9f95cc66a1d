"""Configures the tests: tiers, order, hypothesis profiles, and the shared PostgreSQL servers.

- `-m quick` runs the tests that need no server and no long search, with few examples of each law, on every core.
- Without it all tests run, on several workers with `-n auto`. The tests of a file stay on one worker, so that module
  fixtures are set up once; files that mostly wait start first.
- Dice that sessions of this process draw depend on the name of the test alone, so that a test that the dice may fail
  fails always, or never.
- `HYPOTHESIS_PROFILE=thorough` searches new examples and shrinks them. `ci`, the default, always tries the same
  examples and does not shrink: a failing law is reported at once, and `thorough` finds its smallest example.
"""

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, Phase, settings

from replays.sessions import ports

if TYPE_CHECKING:
    from nats_servers import Servers
    from postgres_server import Server
    from xdist.scheduler.protocol import Scheduling

HERE = Path(__file__).parent

WAITING = (
    "ledger/stores/postgres/test_faults.py",
    "replays/server",
    "ledger/stores/postgres/test_store.py",
    "contracts",
    "replays/client",
    "replays/javascript",
    "ledger",
)
"""Files and folders whose tests mostly wait for servers and processes; they start first."""

NOT_QUICK = (
    "census", "replays/cli", "replays/client", "contracts/test_jetstream_store.py", "contracts/test_postgres_store.py", "fixtures", "gate", "laws/test_damaged_rows_are_reported.py",
    "laws/test_every_field_of_a_line_counts.py", "laws/test_forged_sessions.py", "ledger", "replays/exports/copying", "replays/exports/test_keeping.py", "replays/javascript",
    "replays/odds/test_luck.py", "replays/odds/test_odds.py", "replays/scripts/test_wrong_scripts.py", "replays/server", "replays/web",
)  # fmt: skip
"""Files and folders that `-m quick` omits: they start servers and processes, damage thousands of files, or play thousands
of fights. Run them by path while you work on their subject."""

SAMPLED = (
    "machines/contract/test_printed_rules.py",
    "machines/contract/test_procedures.py",
    "machines/eclipse_phase",
    "machines/gurps_3e",
    "machines/shadowrun_4e",
    "scenarios",
)
"""Files and folders of thousands of small tests, of which `-m quick` takes one in `ONE_IN`."""
ONE_IN = 4

WORKERS_A_CORE = 1.5
"""Half of the time of the whole suite is spent waiting."""

_SLOW_MACHINES = (HealthCheck.too_slow, HealthCheck.data_too_large)
_SAME_EACH_TIME = {
    "derandomize": True, "deadline": None, "print_blob": False, "suppress_health_check": _SLOW_MACHINES,
    "phases": (Phase.explicit, Phase.generate),
}  # fmt: skip

settings.register_profile("ci", max_examples=8, **_SAME_EACH_TIME)
settings.register_profile("quick", max_examples=2, **_SAME_EACH_TIME)
settings.register_profile(
    "thorough", deadline=None, max_examples=500, print_blob=True, suppress_health_check=_SLOW_MACHINES
)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Runs the quick tests on every core, unless the command line sets the number of processes or a debugger."""
    is_free = getattr(config.option, "numprocesses", 0) is None and not config.option.usepdb
    if _is_quick(config) and is_free and not _is_worker():
        config.option.numprocesses = os.cpu_count() or 1


def pytest_configure(config: pytest.Config) -> None:
    """Chooses how many examples hypothesis tries."""
    settings.load_profile("quick" if _is_quick(config) else os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Returns the number of workers of `-n auto`."""
    return max(1, round((os.cpu_count() or 1) * WORKERS_A_CORE))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "Scheduling":
    """Keeps the tests of a file on one worker, and files in their order.

    This hook replaces `--dist` in the default options, which would disable the benchmarks.
    """
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignores files without quick tests in a quick run, because importing them takes time."""
    return True if _is_quick(config) and _is_in(collection_path, NOT_QUICK) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the quick tests, and moves tests that mostly wait to the front."""
    for item in items:
        if _is_for_daily_work(item):
            item.add_marker(pytest.mark.quick)
    items.sort(key=lambda item: _place(item.path))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seeds the dice of the sessions that a test opens in this process by the name of the test."""
    opened = count()
    ports.new_seed = lambda: sha256(f"{item.nodeid} {next(opened)}".encode()).digest()


def _is_worker() -> bool:
    return "PYTEST_XDIST_WORKER" in os.environ


def _is_quick(config: pytest.Config) -> bool:
    return str(config.getoption("markexpr", "")) == "quick"


def _is_for_daily_work(item: pytest.Item) -> bool:
    if _is_in(item.path, NOT_QUICK) or item.get_closest_marker("whole"):
        return False
    return not (_is_in(item.path, SAMPLED) and crc32(item.nodeid.encode()) % ONE_IN)


@cache  # a file has many tests
def _is_in(path: Path, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / place) for place in places)


@cache
def _place(path: Path) -> int:
    return next((index for index, place in enumerate(WAITING) if _is_in(path, (place,))), len(WAITING))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Server"]:
    """Yields the PostgreSQL server that all workers of this run share; each test asks it for a separate database."""
    from postgres_server import shared_server

    folder = tmp_path_factory.getbasetemp()
    with shared_server(folder.parent if _is_worker() else folder) as server:
        yield server


@pytest.fixture(scope="session")
def fragile_postgres() -> Iterator["Server"]:
    """A PostgreSQL server of this worker alone, which tests may crash."""
    from postgres_server import server_or_skip

    server = server_or_skip()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def nats() -> Iterator["Servers"]:
    """Three NATS servers of this file, as they are busy even when nothing is asked; each test gets a separate ledger."""
    from nats_servers import running

    with running() as servers:
        yield servers
