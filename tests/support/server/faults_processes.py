"""The processes, memory and condition of a server, for tests of failures."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from server.processes import PATIENCE, Served, Table


def children(pid: int) -> list[int]:
    """Returns the child processes of a process, started by any of its threads."""
    try:
        told = [(task / "children").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(word) for words in told for word in words.split()]


def descendants(pid: int) -> list[int]:
    """Returns all descendants of a process."""
    found = children(pid)
    return found + [each for child in found for each in descendants(child)]


def workers(server: Served) -> list[int]:
    """Returns the processes of a server that answer requests: its children that listen, or itself."""
    found = [pid for pid in children(server.process.pid) if "spawn_main" in _words(pid)]
    return found or [server.process.pid]


def end_all(server: Served) -> None:
    """Kills a server with all its workers, like a power cut."""
    ended = children(server.process.pid)
    server.process.send_signal(signal.SIGSTOP)  # so that it does not start new ones
    for pid in ended:
        os.kill(pid, signal.SIGKILL)
    server.kill()
    until(lambda: not any(is_alive(pid) for pid in ended))


def is_alive(pid: int) -> bool:
    """Returns whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def memory(server: Served) -> int:
    """Returns the memory of a server's processes in bytes."""
    return sum(_resident(pid) for pid in workers(server))


def until(happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Waits for a condition that must become true."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)


def check_well(server: Served, table: Table, *, levels: Sequence[str] = ("info", "warning")) -> None:
    """Checks that the server answers, performs a command, and has logged no internal error."""
    with server.client() as client:
        assert client.get("/health").json() == {"status": "alive"}
        assert client.get("/ready").json() == {"status": "ready"}
        assert client.get("/metrics").status_code == 200
        asked = {"type": "Note", "text": "all is well"}
        answer = client.post(f"{table.path}/commands", headers=table.as_("gm"), json=asked)
        assert answer.status_code == 201, answer.text
    told = [line for line in server.lines() if line["level"] not in levels or "exception" in line]
    assert told == []
    assert "Traceback" not in server.log()


def answered(url: str, path: str = "/ready") -> int:
    """Returns the status of a response; 0 without one."""
    try:
        return httpx.get(url + path, timeout=PATIENCE).status_code
    except httpx.TransportError:
        return 0


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except FileNotFoundError:
        return ""


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


MOST = 150_000_000
"""Bytes by which a server's memory may grow in a test."""


@contextmanager
def unharmed(server: Served) -> Iterator[Table]:
    """A session on a server; at the end there are no readers, and the server must be healthy and not have grown."""
    with server.client() as client:
        table = Table(client, server.host)
        before = memory(server)
        yield table
        until(lambda: "affray_feed_readers 0.0" in client.get("/metrics").text)
        check_well(server, table)
        assert memory(server) - before < MOST
