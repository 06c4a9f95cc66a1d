"""Uses of a server over HTTP, each of which leaves the same live state behind."""

import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
from long.heap.growth import Measured
from long.storms.tables import StruckTable
from server.processes import Served, Table
from websockets.sync.client import connect

_POOL = 12
"""Sessions that are written into in turn; more than are held in memory, so that they come and go."""
_NEW = 10
"""Of so many sessions that are founded one is new."""
_HELD = 400
"""Entries that the server holds in memory."""
_AMENDED = 8
"""An entry of a `StruckTable` that can be amended."""
_THICK, _READERS = 40, 8
"""Notes of 100 kB, beyond the 2 MB of pages that a connection of SQLite keeps; readers at the same time."""
_PATIENCE = 120.0


class ServerUse:
    """A server in a separate process, whose heap is traced.

    Args:
        folder: For its files.
        chance: Decides what is read.
        frames: Of each allocation, where they are to be traced.
    """

    def __init__(self, folder: Path, chance: Random, frames: int | None = None) -> None:
        self._chance = chance
        self._told = folder / "heap.json"
        os.environ |= {"AFFRAY_HEAP": str(self._told), "AFFRAY_HEAP_FRAMES": str(frames or 0)}
        options = ("--rate", "0", "--memory", str(_HELD), "--timeout", "60")
        self.server = Served(folder, *options, wrapper=("-m", "long.heap.traced_server"))
        self._client = self.server.client()
        self._table = StruckTable(self._client, self.server.host)
        self._entries = self._table.get("state")["entries"]
        self._pool = [Table(self._client, self.server.host, "kira").brawl() for _ in range(_POOL)]
        self._fill_caches()
        note = {"type": "Note", "text": "once"}
        self.kinds: Mapping[str, Callable[[], object]] = {
            "state": lambda: self._table.get("state"),
            "state earlier": lambda: self._table.get("state", at=chance.randint(1, self._entries)),
            "options": lambda: self._table.get("options"),
            "entries": lambda: self._table.get("entries"),
            "why": lambda: self._table.get("why", of="bob.damage"),
            "luck": lambda: self._table.get("luck"),
            "audit": lambda: self._table.get("audit"),
            "export": lambda: self._get(f"{self._table.path}/export"),
            "preview": self._preview,
            "refusals": self._refused,
            "repeats": lambda: self._pool[0].do(note, Idempotency_Key="once"),
            "writes": self._write,
            "other seats": lambda: self._any().get("state", "kira"),
            "founding": self._found,
            "sockets": self._read_socket,
            "streams": self._read_stream,
            "pages": lambda: [self._get(path) for path in ("/health", "/ready", "/metrics", "/v1/rulesets")],
        }

    def measured(self, operations: int) -> Measured:
        """Returns the server's memory."""
        return Measured(**{**self._heap()["measured"], "operations": operations})

    def census(self, snapshot: Path) -> Mapping[str, int]:
        """Returns how many objects it has of each type; where it is traced, its snapshot goes to that path."""
        counted: Mapping[str, int] = self._heap()["census"]
        written = self._told.with_suffix(".snapshot")
        if written.exists():
            written.replace(snapshot)
        return counted

    def _heap(self) -> Mapping[str, Any]:
        self._told.unlink(missing_ok=True)
        self.server.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + _PATIENCE
        while not self._told.exists():
            assert time.monotonic() < end, "the server does not tell how large it is"
            time.sleep(0.02)
        told: Mapping[str, Any] = json.loads(self._told.read_text())
        return told

    def check(self) -> None:
        """Checks that the read session is unchanged, and that no live reader is left."""
        assert self._table.get("state")["entries"] == self._entries
        end = time.monotonic() + _PATIENCE
        while "affray_feed_readers 0.0" not in self._client.get("/metrics").text:
            assert time.monotonic() < end, "readers that are gone are still counted"
            time.sleep(0.05)

    def close(self) -> None:
        """Ends the server."""
        self._client.close()
        self.server.stop()

    def _fill_caches(self) -> None:
        """Has every connection of the store fill its cache of pages, which would otherwise go on for long."""
        thick = Table(self._client, self.server.host)
        for _ in range(_THICK):
            thick.do({"type": "Note", "text": "x" * 100_000})
        with ThreadPoolExecutor(_READERS) as threads:
            for _ in threads.map(lambda _: thick.get("entries"), range(4 * _READERS)):
                pass

    def _any(self) -> Table:
        return self._chance.choice(self._pool)

    def _get(self, path: str) -> httpx.Response:
        return self._client.get(path, headers=self._table.as_("gm")).raise_for_status()

    def _preview(self) -> None:
        asked = {"entry": _AMENDED, "change": {"drop": True}, "why": "a mistake"}
        path = f"{self._table.path}/amend/preview"
        self._client.post(path, headers=self._table.as_("gm"), json=asked).raise_for_status()

    def _refused(self) -> None:
        path, gm = self._table.path, self._table.as_("gm")
        wrong: list[tuple[str, dict[str, str], Any]] = [
            (f"{path}/commands", {"Authorization": "Bearer nonsense"}, {"type": "Note", "text": "x"}),
            (f"{path}/commands", gm, {"type": "Nothing"}),
            (f"{path}/commands", gm, {"type": "TypeDice", "key": "nothing/such", "faces": [3]}),
            (f"{path}/commands", {**gm, "If-Match": '"1"'}, {"type": "Note", "text": "x"}),
            (f"{path}/nowhere", gm, {}),
            ("/v1/sessions/nowhere/commands", gm, {"type": "Note", "text": "x"}),
        ]
        for where, headers, body in wrong:
            answer = self._client.post(where, headers=headers, json=body)
            assert 400 <= answer.status_code < 500, answer.text

    def _write(self) -> None:
        table = self._any()
        table.do({"type": "Note", "text": "it rains"})
        table.client.post(f"{table.path}/undo", headers=table.as_("gm"), json={"why": "it does not"}).raise_for_status()

    def _found(self) -> None:
        """Founds a session: one of ten is new, the others are found again under their key.

        A store remembers some bytes of every session that it has met. That is no leak of an operation, so few are new.
        """
        key = {"Idempotency-Key": f"founded {self._chance.randrange(_POOL)}"} if self._chance.randrange(_NEW) else {}
        asked = {"ruleset": "eclipse_phase_1e", "title": "Empty"}
        self._client.post("/v1/sessions", headers={**self.server.host, **key}, json=asked).raise_for_status()

    def _read_socket(self) -> None:
        url = f"{self.server.url.replace('http', 'ws', 1)}{self._table.path}/feed"
        with connect(url, close_timeout=5) as socket:
            socket.send(json.dumps({"token": self._table.issued["gm"]["token"], "after": self._entries - 1}))
            socket.recv(_PATIENCE)

    def _read_stream(self) -> None:
        path, headers = f"{self._table.path}/feed", self._table.as_("gm")
        with self._client.stream("GET", path, headers=headers) as answer:
            next(line for line in answer.iter_lines() if line.startswith("data:"))
