"""Floods a server through one table, and measures its memory and the latency of its health check.

    python tests/benchmarks/attack_server.py [--quick]

One session gets the longest notes there may be and sheets at their bound; then its log is read whole again and again, one
token opens as many live feeds as it can, and spectators ask for odds without waiting for an answer. Meanwhile `/health`
is asked, and another session is played. Printed are the most memory of the server's processes and the slowest answers.
"""

import argparse
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / inner) for inner in ("support", "", "..")]

import httpx
from server.processes import SHEET, Served, Table, served
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

MOST = 300_000_000
"""Most bytes that the server's processes may use together."""


def resident(pid: int) -> int:
    """Returns the bytes of a process and its children; pages shared by several processes are divided among them."""
    total = 0
    for number in (pid, *_children(pid)):
        try:
            rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return total


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *_children(child)]
    return found


class Watched:
    """Polls a server from another thread until it is stopped.

    Args:
        server: The server.
        other: Another session on it, which is read all the time.
    """

    def __init__(self, server: Served, other: Table) -> None:
        self.most = 0
        self.health: list[float] = []
        self.state: list[float] = []
        self._server, self._other = server, other
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        with httpx.Client(base_url=self._server.url, timeout=60.0) as client:
            while not self._stopped.wait(0.1):
                self.most = max(self.most, resident(self._server.process.pid))
                self.health.append(_timed(lambda: client.get("/health").raise_for_status()))
                self.state.append(_timed(lambda: self._other.get("state")))

    def stop(self) -> None:
        """Stops polling."""
        self._stopped.set()
        self._thread.join()


def _timed(work: "object") -> float:
    began = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - began


def attack(server: Served, table: Table, *, notes: int, feeds: int, odds: int) -> None:
    """Sends every kind of request of one table at the same time."""
    for _ in range(notes):
        table.do({"type": "Note", "text": "x" * 20_000})
    for number in range(notes // 30):
        sheet = {**SHEET, "skills": {f"skill {nth} {'x' * 150}": 40 for nth in range(500)}}
        table.ask({"type": "Join", "who": f"goon-{number}", "sheet": sheet})
    with ExitStack() as stack, ThreadPoolExecutor(16) as crowd:
        opened = 0
        for _ in range(feeds):
            try:
                socket = stack.enter_context(
                    connect(f"ws://127.0.0.1:{server.port}{table.path}/feed", ping_interval=None, close_timeout=0.1)
                )
                socket.send(f'{{"token": "{table.issued["gm"]["token"]}"}}')
                opened += 1
            except (OSError, WebSocketException):
                break
        reading = [crowd.submit(table.client.get, f"{table.path}/entries", headers=table.as_("gm")) for _ in range(32)]
        asked = {"declare": {"kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}}
        asking = [
            crowd.submit(table.client.post, f"{table.path}/odds", headers=table.as_("gm"), json=asked)
            for _ in range(odds)
        ]
        answers = [each.result().status_code for each in (*reading, *asking)]
    print(f"{opened} feeds asked for; answers: { {code: answers.count(code) for code in sorted({*answers})} }")


def main() -> None:
    """Floods a server, prints the measurements, and exits with 1 if a limit was exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    part = 10 if parser.parse_args().quick else 1
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "--rate", "0") as server,
        server.client() as client,
    ):
        other = Table(client, server.host).brawl()
        table = Table(client, server.host, "kira").brawl()
        watched = Watched(server, other)
        try:
            attack(server, table, notes=3_000 // part, feeds=1_000 // part, odds=60 // part)
        finally:
            watched.stop()
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    print(f"ledger {size / 1e6:.0f} MB; server at most {watched.most / 1e6:.0f} MB (bound {MOST / 1e6:.0f})")
    print(f"/health answered {len(watched.health)} times, slowest {max(watched.health):.2f} s")
    print(f"another table's state: slowest {max(watched.state):.2f} s")
    raise SystemExit(int(watched.most > MOST))


if __name__ == "__main__":
    main()
