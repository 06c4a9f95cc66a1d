"""The limits that are given to `affray serve` are applied."""

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from server.faults_processes import check_well, until, workers
from server.faults_raw import dialed, head, rest, socketed
from server.processes import PATIENCE, Table, served

MOST = 8


@pytest.mark.parametrize("processes", [1, 2], ids=["one process", "two"])
def test_no_more_connections_than_were_said_are_open(processes: int, tmp_path: Path) -> None:
    options = ("--rate", "0", "--connections", str(MOST), "--workers", str(processes))
    with served(tmp_path, *options) as server, ExitStack() as stack:
        with server.client() as client:
            table = Table(client, server.host)
        until(lambda: len(workers(server)) == processes)
        for _ in range(MOST * processes * 3):
            made = stack.enter_context(dialed(server))
            made.sendall(b"GET /health HTTP/1.1\r\n")
            made.settimeout(0.05)
            try:
                assert made.recv(100)[:12] in (b"HTTP/1.1 503", b"")
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("any number may be open")
        stack.close()
        until(lambda: _is_open(server.port))
        check_well(server, table)


def _is_open(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as made:
        made.sendall(b"GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return rest(made).startswith(b"HTTP/1.1 200 ")


def test_readers_count_among_the_connections(tmp_path: Path) -> None:
    with served(tmp_path, "--connections", "3") as server, server.client() as client:
        table = Table(client, server.host)
        client.close()
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socketed(server, table))
            with dialed(server) as made:
                assert rest(made).startswith(b"HTTP/1.1 503 ")
        until(lambda: _is_open(server.port))


def test_who_asks_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "2") as server, server.client() as client:
        table = Table(client, server.host)
        answers = [client.get(f"{table.path}/state", headers=table.as_("gm")) for _ in range(20)]
        many = [answer for answer in answers if answer.status_code == 429]
        assert many
        assert answers[0].status_code == 200
        for answer in many:
            assert int(answer.headers["retry-after"]) >= 1
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["slug"] == "server/too-often"
        assert client.get(f"{table.path}/state", headers=table.as_("spectator")).status_code == 200
        time.sleep(int(many[-1].headers["retry-after"]))
        assert client.get(f"{table.path}/state", headers=table.as_("gm")).status_code == 200


def test_a_body_that_is_longer_than_was_said_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, "--body", "2000") as server, server.client() as client:
        table = Table(client, server.host)
        assert table.ask({"type": "Note", "text": "x" * 1_000}).status_code == 201
        answer = table.ask({"type": "Note", "text": "x" * 2_000})
        assert (answer.status_code, answer.json()["slug"]) == (413, "server/too-long")


def test_an_imported_session_is_as_long_as_other_bodies_may_be(tmp_path: Path) -> None:
    with served(tmp_path, "--body", "2000") as server, server.client() as client:
        answer = client.post("/v1/sessions/import", content=b"\n" * 2_001, headers=server.host)
        assert (answer.status_code, answer.json()["slug"]) == (413, "server/too-long")
        answer = client.post("/v1/sessions/import", content=b"\n" * 2_000, headers=server.host)
        assert answer.status_code == 422


def test_a_body_that_dribbles_is_given_up(tmp_path: Path) -> None:
    with served(tmp_path, "--timeout", "1") as server, server.client() as client:
        table = Table(client, server.host)
        with dialed(server) as made:
            made.sendall(head(table, Content_Length="100000"))
            made.settimeout(0.05)
            answer = b""
            for _ in range(1_000):
                made.sendall(b" ")
                try:
                    answer = made.recv(100)
                    break
                except TimeoutError:
                    continue
            assert answer.startswith(b"HTTP/1.1 408 ")
            made.settimeout(PATIENCE)
            assert b"request/too-slow" in rest(made)
        check_well(server, table)
