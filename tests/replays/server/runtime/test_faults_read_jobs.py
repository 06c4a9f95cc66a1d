"""A long question of one session delays no other, ends when its caller disconnects, and is never reported as written."""

import json
import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from server.faults_processes import is_alive, until
from server.faults_raw import rest
from server.faults_studies import reckoning, slow_tables, wait_for_workers
from server.processes import PATIENCE, Served, Table, served

UNHURRIED = ("--study-time", "600", "--timeout", "600")
"""So that no question of a flood is given up, however slow the machine is, before it is looked at."""


def test_two_tables_floods_of_odds_hold_up_no_third_tables_reading(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 3, *UNHURRIED) as (server, (one, other, third)), ExitStack() as stack:
        asking = [stack.enter_context(table.asking(server)) for table in (one, other) for _ in range(3)]
        wait_for_workers(server, 2)
        for what, query in (("why", {"of": "razor/initiative"}), ("luck", {}), ("audit", {}), ("disputes", {})):
            third.get(what, **query)
            one.get(what, **query)  # nor of the sessions that are flooded
        change = {"entry": 4, "change": {"set": {"faces": [6] * 20}}}
        answer = third.client.post(f"{third.path}/amend/preview", headers=third.as_("gm"), json=change)
        assert answer.status_code in (200, 422), answer.text
        for made in asking:
            made.setblocking(False)
            with pytest.raises(BlockingIOError):
                made.recv(1)


def test_a_flood_of_one_table_leaves_a_place_for_anothers_odds(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 1, *UNHURRIED) as (server, (one,)), ExitStack() as stack:
        table = Table(stack.enter_context(server.client()), server.host).brawl()
        asking = [stack.enter_context(one.asking(server)) for _ in range(6)]
        wait_for_workers(server, 1)
        asked = {"declare": {"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}}
        assert table.client.post(f"{table.path}/odds", headers=table.as_("gm"), json=asked).status_code == 200
        for made in asking:
            made.setblocking(False)
            with pytest.raises(BlockingIOError):
                made.recv(1)


def test_what_was_begun_for_those_who_hang_up_ends_at_once(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 2) as (server, tables):
        with ExitStack() as stack:
            for table in tables:
                stack.enter_context(table.asking(server))
            begun = wait_for_workers(server, 2)
        until(lambda: not any(is_alive(pid) for pid in begun))
        until(lambda: [line["status"] for line in _asked(server)] == [499, 499])
        assert 'affray_studies_total{outcome="given up",question="OddsOf"} 2.0' in tables[0].client.get("/metrics").text
        assert {line["level"] for line in server.lines()} == {"info"}


def test_what_takes_longer_than_a_question_may_is_given_up_and_nothing_is_said_to_be_written(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 1, "--study-time", "0.5") as (server, (table,)):
        answer = table.client.post(f"{table.path}/odds", headers=table.as_("gm"), json={})
        assert (answer.status_code, answer.json()["slug"]) == (503, "server/too-slow")
        assert "0.5 s" in answer.json()["detail"]
        assert "written" not in answer.text
        until(lambda: not reckoning(server))


def test_a_question_that_waits_longer_than_a_request_may_is_given_up_and_not_said_to_be_written(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 1, "--timeout", "1") as (server, (table,)):
        for route, body in (("odds", {}), ("odds", {"seed": 2})):
            answer = table.client.post(f"{table.path}/{route}", headers=table.as_("gm"), json=body)
            assert (answer.status_code, answer.json()["slug"]) == (503, "server/too-slow")
            assert "written" not in answer.text
        until(lambda: not reckoning(server))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["told to end", "killed"])
def test_no_worker_outlives_its_server(tmp_path: Path, number: signal.Signals) -> None:
    with slow_tables(tmp_path, 1) as (server, (table,)), table.asking(server) as asking:
        begun = wait_for_workers(server, 1)
        began = time.monotonic()
        os.kill(server.process.pid, number)
        if number == signal.SIGTERM:
            assert json.loads(rest(asking).rpartition(b"\r\n\r\n")[2])["slug"] == "server/ending"
        until(lambda: not any(is_alive(pid) for pid in begun))
        server.process.wait(PATIENCE)
        assert time.monotonic() - began < PATIENCE


def test_as_many_workers_as_were_said_and_one_for_what_is_brief(tmp_path: Path) -> None:
    with slow_tables(tmp_path, 3, "--studies", "1") as (server, tables), ExitStack() as stack:
        for table in tables:
            stack.enter_context(table.asking(server))
        wait_for_workers(server, 1)
        tables[2].get("why", of="razor/initiative")
        assert len(reckoning(server)) == 2


def test_a_ledger_in_memory_is_asked_as_well(tmp_path: Path) -> None:
    with served(tmp_path, ledger="memory://") as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        assert table.get("why", of="ann/initiative")["subject"] == "r1/ann/initiative"
        table.do({"type": "Note", "text": "more"})
        assert table.get("audit", "kira")["entries"] == 7


def _asked(server: Served) -> list[dict[str, Any]]:
    return [line for line in server.lines() if str(line.get("route")).endswith("/odds")]
