"""A server shuts down, or loses one of its processes: running requests are answered, and readers are disconnected."""

import os
import signal
import socket
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from server.faults_crowd import Writer, check_log, wait_for_more
from server.faults_processes import answered, children, is_alive, until, workers
from server.processes import PATIENCE, Served, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

WORKERS = pytest.mark.parametrize("processes", [1, 2], ids=["one process", "two"])


def reading(stack: ExitStack, table: Table, after: int = 0) -> ClientConnection:
    """Reads over a WebSocket; it has received the first entries."""
    url = str(table.client.base_url).replace("http", "ws", 1).rstrip("/")
    reader = stack.enter_context(connect(f"{url}{table.path}/feed", close_timeout=1))
    reader.send(f'{{"token": "{table.issued["gm"]["token"]}", "after": {after}}}')
    assert '"seq":1' in str(reader.recv(PATIENCE)).replace(" ", "")
    return reader


def close_code(reader: ClientConnection) -> int | None:
    """Returns what a reader receives at the end."""
    try:
        while True:
            reader.recv(PATIENCE)
    except ConnectionClosed:
        return reader.protocol.close_code


class Listening:
    """Reads Server-Sent Events until they end."""

    def __init__(self, table: Table) -> None:
        self.lines: list[str] = []
        self.failure: Exception | None = None
        self._url, self._headers = f"{table.client.base_url}{table.path}/feed", table.as_("gm")
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        until(lambda: any(line.startswith("id: 1") for line in self.lines))

    def _run(self) -> None:
        try:
            with httpx.stream("GET", self._url, headers=self._headers, timeout=PATIENCE) as answer:
                for line in answer.iter_lines():
                    self.lines.append(line)
        except Exception as error:
            self.failure = error


@WORKERS
def test_a_server_that_is_told_to_end_answers_what_it_began_and_lets_readers_go(processes: int, tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(served(tmp_path, "--rate", "0", "--workers", str(processes)))
        table = Table(stack.enter_context(server.client()), server.host)
        sockets = [reading(stack, table) for _ in range(4)]
        streams = [Listening(table) for _ in range(4)]
        writers = [Writer(f"writer {number}", server.url, [table]) for number in range(3)]
        wait_for_more(writers, 3)
        assert server.stop() == 0
        assert {close_code(each) for each in sockets} <= {1001, 1012}
        for each in streams:
            each.thread.join(PATIENCE)
            assert not each.thread.is_alive()
            assert each.failure is None
            assert "event: refused" not in each.lines
        with served(tmp_path, "--rate", "0", port=server.port):
            wait_for_more(writers)
            for writer in writers:
                writer.end()
    assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []
    assert "Traceback" not in server.log()
    check_log(server.ledger, writers, [table])


def test_a_request_that_is_half_there_when_the_server_is_told_to_end_is_answered(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as client:
        table = Table(client, server.host)
        body = b'{"type": "Note", "text": "the last word"}'
        head = (
            f"POST {table.path}/commands HTTP/1.1\r\nHost: x\r\nAuthorization: {table.as_('gm')['Authorization']}\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as slow:
            slow.sendall(head.encode() + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
            slow.sendall(body[:9])
            until(lambda: answered(server.url, "/health") == 200)
            server.process.send_signal(signal.SIGTERM)
            until(lambda: not answered(server.url, "/health"))
            slow.sendall(body[9:])
            answer = slow.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert b"the last word" in answer
        assert server.stop() == 0


@WORKERS
def test_telling_it_twice_changes_nothing(processes: int, tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(served(tmp_path, "--workers", str(processes)))
        table = Table(stack.enter_context(server.client()), server.host)
        reader = reading(stack, table)
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGTERM)
        assert close_code(reader) in (1001, 1012)
        server.process.send_signal(signal.SIGTERM)
        assert server.stop() == 0
    assert "Traceback" not in server.log()


def test_a_worker_that_is_killed_is_replaced_and_the_other_goes_on(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--workers", "2") as server, server.client() as client:
        table = Table(client, server.host)
        until(lambda: len(workers(server)) == 2)
        writers = [Writer(f"writer {number}", server.url, [table]) for number in range(3)]
        wait_for_more(writers)
        before = workers(server)
        os.kill(before[0], signal.SIGKILL)
        wait_for_more(writers, 10)
        until(lambda: len({*workers(server)} - {before[0]}) == 2)
        assert before[1] in workers(server)
        wait_for_more(writers, 10)
        for writer in writers:
            writer.end()
        assert server.stop() == 0
    check_log(server.ledger, writers, [table])


def test_workers_whose_server_is_killed_do_not_live_on(tmp_path: Path) -> None:
    server = Served(tmp_path, "--workers", "2")
    until(lambda: len(workers(server)) == 2)
    until(lambda: answered(server.url) == 200)
    left = children(server.process.pid)
    server.kill()
    until(lambda: not any(is_alive(pid) for pid in left))


def test_who_waits_for_a_ledger_that_others_have_is_told_that_the_server_ends(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client, ThreadPoolExecutor() as threads:
        table = Table(client, server.host)
        with closing(sqlite3.connect(tmp_path / "affray.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asked = [threads.submit(table.ask, {"type": "Note", "text": "So it is."}) for _ in range(6)]
            with pytest.raises(TimeoutError):
                asked[0].result(0.5)
            server.process.send_signal(signal.SIGTERM)
            answers = [each.result(PATIENCE) for each in asked]
            other.execute("ROLLBACK")
        assert {(each.status_code, each.json()["slug"]) for each in answers} == {(503, "server/ending")}
        assert {each.json()["accepts"] for each in answers} == {"the same request with its Idempotency-Key"}
        assert server.process.wait(PATIENCE) == 0
