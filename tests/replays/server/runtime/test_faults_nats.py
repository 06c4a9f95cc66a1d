"""Servers on a ledger in NATS, while some of its three servers are away: what is promised then is kept over HTTP."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
from ledger_records import content_of, fill
from nats_opening import open_in_new_process
from nats_servers import Servers
from server.faults_away import (
    NOTICED,
    TIMEOUT,
    WatchedSession,
    at_once,
    check_accepts_again,
    check_not_ready,
    check_only_reads,
)  # fmt: skip
from server.faults_crowd import Writer, check_log, wait_for_more, writing
from server.faults_processes import answered, check_well, until, workers
from server.processes import Served, Table, served

from ledger.errors import StoreRefused
from ledger.stores import open_store
from ledger.stores.jetstream.servers.reading import StreamReader
from replays.server.runtime.app_state import AppState
from replays.server.runtime.settings import Settings

BACK = 30.0
"""Seconds within which everything is accepted again once all servers are there."""
OPENED = 20.0
"""Seconds within which a new process has opened the ledger, read and written while one of three servers is away."""
REFUSED = 12.0
"""Seconds within which a new process with a patience of 3 seconds is refused while two of three servers are away."""


@pytest.fixture
def nats(nats: Servers) -> Iterator[Servers]:
    """The servers of this file, all of which are there again after each test."""
    yield nats
    for node in nats.nodes:
        if node.is_running:
            node.go_on()
        else:
            node.start()
    nats.wait_until_healthy()


def test_while_two_of_three_servers_are_gone_both_servers_read_and_refuse_writes(nats: Servers, tmp_path: Path) -> None:
    ledger = nats.ledger()
    with ExitStack() as stack:
        both = [stack.enter_context(served(tmp_path, *TIMEOUT, ledger=ledger)) for _ in range(2)]
        sessions = [WatchedSession(server) for server in both]
        for node in nats.nodes[1:]:
            node.kill()
        at_once(*(partial(check_only_reads, server, sessions, "asked once") for server in both))
        for node in nats.nodes[1:]:
            node.start()
        nats.wait_until_healthy()
        check_accepts_again(both[0], sessions, "asked once", BACK)
        for session in sessions:
            assert session.read(both[1]) == session.content
            assert session.write(both[1], "asked once").status_code == 201
            assert session.read(both[1]) == session.content
        check_quiet(*both)


def test_new_workers_answer_while_two_of_three_servers_are_gone(nats: Servers, tmp_path: Path) -> None:
    ledger, _, shards = nats.ledger().partition("&shards=")
    assert shards
    with served(tmp_path, ledger=ledger) as one, served(tmp_path, ledger=ledger) as other:
        session = WatchedSession(one)
        studied = session.study(one)
        for node in nats.nodes[1:]:
            node.kill()
        check_not_ready(other, NOTICED)
        assert session.study(other) == studied
        check_quiet(one, other)


def test_writes_that_wedge_while_health_is_good_are_reported_in_time(nats: Servers, tmp_path: Path) -> None:
    with served(tmp_path, *TIMEOUT, ledger=nats.ledger()) as server:
        session = WatchedSession(server)
        with server.client() as client:
            assert client.get("/ready").json() == {"status": "ready"}
        for node in nats.nodes[1:]:
            node.pause()
        assert nats.nodes[0].is_healthy()
        check_not_ready(server, NOTICED)
        until(lambda: answered(server.url) == 503 and "accept no writes" in server.log(), NOTICED)
        assert session.write(server, "wedged").status_code == 503
        for node in nats.nodes[1:]:
            node.go_on()
        check_accepts_again(server, [session], "wedged", BACK)
        check_quiet(server)


def test_readiness_waits_for_nothing_but_writes_into_every_shard(
    nats: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What else is read may take as long as `/ready` waits: it would report a slow ledger instead of the reason."""
    with closing(AppState(Settings(ledger=nats.ledger(), keys=("k" * 40,)))) as app_state:
        asyncio.run(app_state.check())
        monkeypatch.setattr(StreamReader, "last", lambda *_: pytest.fail("something else was read"))
        asyncio.run(app_state.check())


def test_killed_workers_are_replaced_while_one_of_three_servers_is_away(nats: Servers, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--workers", "2", ledger=nats.ledger()) as server, server.client() as client:
        tables = [Table(client, server.host) for _ in range(2)]
        writers = [Writer(f"writer {number}", server.url, tables) for number in range(3)]
        with writing(writers):
            until(lambda: len(workers(server)) == 2)
            first = workers(server)
            nats.nodes[2].kill()
            for killed in first:  # in the end only workers answer that were started while a server was away
                kill_worker(server, killed)
                wait_for_more(writers, 2)
        assert not {*first} & {*workers(server)}
        assert all(len(writer.acknowledged) >= 4 for writer in writers)
        check_log(server.ledger, writers, tables)
        for table in tables:
            check_well(server, table)


def kill_worker(server: Served, killed: int) -> None:
    """Kills one of two workers, and waits until another one is there in its place."""
    os.kill(killed, signal.SIGKILL)
    until(lambda: killed not in workers(server) and len(workers(server)) == 2)


def test_a_new_process_opens_the_ledger_while_one_server_is_away_and_is_refused_while_two_are(nats: Servers) -> None:
    ledger = nats.ledger()
    with closing(open_store(ledger)) as store:
        before = fill(store, 5)
    nats.nodes[2].kill()
    opened = open_in_new_process(ledger, "doors", "opened")
    assert (opened.refused, opened.message) == ("", "")
    whole, appended, last = opened.deeds
    assert (whole.count, whole.content) == (5, content_of(before))
    assert (appended.after, appended.count) == (5, 1)
    assert last.digest == appended.digest
    assert opened.seconds < OPENED
    nats.nodes[1].kill()
    began = time.monotonic()
    refused = open_in_new_process(ledger, "doors", "refused", patience=3.0)
    assert refused.refused in ("store/busy", "store/unusable")
    assert refused.message
    assert (refused.deeds, refused.seconds < REFUSED, time.monotonic() - began < 2 * REFUSED) == ((), True, True)
    with closing(open_store(ledger, only_read=True, patience=3.0)) as store:  # the address gives the number of shards
        assert content_of(store.read("doors", upto=5)) == whole.content
    without, _, shards = ledger.partition("&shards=")
    for wrong in (without, f"{without}&shards={int(shards) - 1}", f"{without}&shards={int(shards) + 1}"):
        with pytest.raises(StoreRefused):
            open_store(wrong, only_read=True, patience=3.0)


def check_quiet(*servers: Served) -> None:
    """Checks that servers have logged no internal error."""
    for server in servers:
        assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []
        assert "Traceback" not in server.log()
