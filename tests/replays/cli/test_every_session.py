"""Work on many sessions: in this process or in several, the same results in the same order; what fails is reported."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from session_work import Counting

from ledger import chain
from ledger.chain import Record
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from replays.api.run_script import perform
from replays.api.session import Session
from replays.cli.every_session import Failed, LedgerPlace, WorkerEnded, on_every_session
from replays.scripts.format import examples, read

FIGHTS = ("stoya", "jinx", "street-fight")
HERE = LedgerPlace("sqlite:///affray.db", None)


def records_of(name: str, session: str) -> list[Record]:
    """The records of a shipped fight, sealed for a session."""
    log, previous, found = perform(read(examples()[name].read_bytes(), name)).log, chain.genesis(session), []
    for record in log.store.read(log.session):
        previous = chain.seal(previous, record.line, record.secret)
        found.append(Record(record.seq, record.line, record.secret, previous))
    return found


@pytest.fixture
def played() -> Iterator[SqliteStore]:
    """A ledger with three fights; their ids are not in the order of their lengths."""
    with closing(SqliteStore("affray.db")) as store:
        for name in FIGHTS:
            store.create(name.upper(), records_of(name, name.upper()))
        yield store


# ------------------------------------------------------------------------------------------------ the work


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_results_are_in_the_order_of_the_names_and_a_failure_stops_nothing(played: SqliteStore, jobs: int) -> None:
    names = ["STREET-FIGHT", "STOYA", "JINX"]
    found = on_every_session(played, HERE, names, Counting("STOYA", "JINX"), doing="counting", jobs=jobs)
    refused, failed = found["STOYA"], found["JINX"]

    assert list(found) == names
    assert found["STREET-FIGHT"] == played.head("STREET-FIGHT").seq
    assert isinstance(refused, Refused)
    assert ("store/unusable", "not this one", "STOYA") == (refused.slug, refused.message, refused.where)
    assert isinstance(failed, Failed)
    assert "KeyError: 'JINX'" == failed.message


def test_a_worker_that_ends_without_a_result_is_a_refusal_that_names_the_option(played: SqliteStore) -> None:
    with pytest.raises(WorkerEnded, match="ended without its result") as refused:
        on_every_session(played, HERE, ["STOYA", "JINX"], Counting(deadly="JINX"), doing="counting", jobs=2)

    assert "--jobs" == refused.value.where


def test_sessions_in_memory_are_worked_on_in_this_process() -> None:
    with closing(MemoryStore()) as store:
        for name in FIGHTS:
            store.create(name, records_of(name, name))
        found = on_every_session(store, LedgerPlace("memory://", None), FIGHTS, Counting(), doing="counting", jobs=2)

    assert [30, 23, 45] == list(found.values())


def test_a_session_that_is_named_twice_is_worked_on_once(played: SqliteStore) -> None:
    assert ["STOYA"] == list(on_every_session(played, HERE, ["STOYA", "STOYA"], Counting(), doing="counting"))


# ------------------------------------------------------------------------------------------------ how it ends

SCRIPT = """
import signal
import sys
from ledger.stores import open_store
from replays.cli.every_session import LedgerPlace, on_every_session
from session_work import Sleeping

place = LedgerPlace("sqlite:///affray.db", None)
store = open_store(place.address)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it
try:
    on_every_session(store, place, store.sessions(), Sleeping(), doing="sleeping", jobs=2)
except KeyboardInterrupt:
    store.close()
    sys.exit(130)
"""


def sleeping() -> tuple["subprocess.Popen[str]", list[int]]:
    """A process with two workers that never end, and the numbers of these."""
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], env=os.environ | paths, start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdout is not None
    return running, [int(running.stdout.readline()) for _ in range(2)]


def gone(process: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(200):
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes of another system are not looked up")
def test_ctrl_c_ends_the_workers_and_prints_nothing(played: SqliteStore) -> None:
    running, workers = sleeping()
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=30)

    assert (130, "") == (running.returncode, errors)
    assert all(map(gone, workers))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes of another system are not looked up")
def test_workers_do_not_outlive_the_process_that_started_them(played: SqliteStore) -> None:
    running, workers = sleeping()
    running.kill()
    running.communicate(timeout=30)

    assert all(map(gone, workers))


# ------------------------------------------------------------------------------------------------ the verbs


@pytest.fixture
def ledger(affray: Any) -> Any:
    """The command line, with a ledger of two fights."""
    for name in ("street-fight", "jinx"):
        affray("play", name)
    return affray


@pytest.mark.parametrize("verb", ["rehearse", "audit", "luck"])
def test_two_processes_print_what_one_prints(ledger: Any, verb: str) -> None:
    alone = [ledger(verb, "--all", "--jobs", "1", *form) for form in ([], ["--json"])]

    assert alone == [ledger(verb, "--all", "--jobs", "2", *form) for form in ([], ["--json"])]
    assert 2 == len(json.loads(alone[1])["sessions"])


def test_an_audit_of_all_names_each_broken_session_and_exits_with_1(ledger: Any) -> None:
    with closing(SqliteStore("affray.db")) as store:
        store.create("UNSEALED", records_of("stoya", "UNSEALED"))  # without the seed that it committed to
    found = ledger("audit", "--all", code=1)

    assert ": Jinx and the exhuman (eclipse_phase_2e): 23 entries, sound, 8 rolls" in found
    assert "UNSEALED: Stoya and the assassin (eclipse_phase_1e): 30 entries, BROKEN: the sealed seed" in found
    assert "3 sessions: 2 sound, 1 broken, 0 could not be audited" in found
    assert "audit/broken" in found
    document = json.loads(ledger("audit", "--all", "--json", code=1).splitlines()[0])
    assert (2, 1, 0) == (document["sound"], document["broken"], document["not_audited"])


def test_luck_of_a_campaign_is_that_of_its_sessions_together(affray: Any) -> None:
    script = read(examples()["stoya"].read_bytes(), "stoya")
    with closing(SqliteStore("affray.db")) as store:
        for number, campaign in enumerate(("Mars", "Mars", "Titan")):
            Session.create(store, ruleset=script.ruleset, session=f"S{number}", campaign=campaign)
        store.create("STOYA", records_of("stoya", "STOYA"))
        store.create("AGAIN", records_of("stoya", "AGAIN"))
    once, twice = (json.loads(affray("luck", *names, "--json")) for names in (["STOYA"], ["STOYA", "AGAIN"]))

    assert 2 * once["dice"] == twice["dice"]
    assert ["STOYA", "AGAIN"] == twice["sessions"]
    assert "5 sessions together." in affray("luck", "--all")
    assert "luck/no-dice: no dice were thrown in these sessions" in affray("luck", "--campaign", "Mars", code=2)
    assert "campaign/unknown: no session belongs to the campaign 'Venus'" in affray(
        "luck", "--campaign", "Venus", code=2
    )


def test_luck_of_several_reports_the_session_that_cannot_be_read(affray: Any, played: SqliteStore) -> None:
    played.close()
    records = records_of("stoya", "TORN")
    records[9] = Record(records[9].seq, records[9].line[:40], records[9].secret, records[9].digest)
    with closing(SqliteStore("affray.db")) as store:
        store.create("TORN", records)

    assert "TORN: not measured: log/unreadable" in affray("luck", "--all")
    (problem,) = json.loads(affray("luck", "--all", "--json"))["not_measured"]
    assert ("TORN", "log/unreadable") == (problem["session"], problem["slug"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("luck", "--all", "STOYA"), ("luck", "--all", "--campaign", "Mars"), ("luck", "--campaign", "Mars", "STOYA"),
        ("audit", "--all", "STOYA"), ("audit", "--all", "--head", "00" * 32), ("rehearse", "--jobs", "0"),
    ],
)  # fmt: skip
def test_options_that_exclude_one_another_are_wrong_usage(affray: Any, played: SqliteStore, arguments: Any) -> None:
    played.close()

    assert affray(*arguments, code=2).startswith("usage")
