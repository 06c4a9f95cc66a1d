"""Killed writers, and concurrent writers."""

from contextlib import closing
from pathlib import Path

import pytest
from ledger_writers import killed_writers, shares

from ledger.chain import check, genesis
from ledger.stores.sqlite import SqliteStore

KILLS = 25
"""The number of kills in these tests; `tests/benchmarks` kills a thousand."""

SECONDS = 2.0


def test_nothing_acknowledged_is_lost_and_nothing_is_doubled_when_writers_are_killed(tmp_path: Path) -> None:
    ledger = tmp_path / "fight.db"

    def check_heads() -> None:
        with closing(SqliteStore(str(ledger))) as store:
            report = store.heads.examine()
            assert report is not None
            assert report.holds

    killed_writers(ledger, KILLS, settled=check_heads)


@pytest.mark.parametrize("sessions", [("doors", "windows"), ("doors", "doors")], ids=["two sessions", "one session"])
def test_two_processes_take_turns_on_one_file(tmp_path: Path, sessions: tuple[str, str]) -> None:
    path = str(tmp_path / "fight.db")
    store = SqliteStore(path)
    for session in dict.fromkeys(sessions):
        store.create(session)

    written = [count for count, _ in shares(tmp_path / "fight.db", sessions, SECONDS)]

    if len(set(sessions)) == 2:  # on one session the first reader wins, in any order of turns
        assert min(written) >= 0.2 * sum(written)
    stored = [len(list(check(store.read(session), genesis(session)))) for session in dict.fromkeys(sessions)]
    assert sum(stored) == sum(written)
    store.close()
