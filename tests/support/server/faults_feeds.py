"""Hundreds of live readers, which keep what they receive and resume after a disconnection."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import msgspec
from server.faults_processes import until
from server.processes import PATIENCE, Table
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PAUSE = 0.2


class Readers:
    """Readers of a session over WebSockets, in a separate thread.

    Args:
        table: The session.
        many: How many there are.
        url: The server they read from; by default the table's.
        leaving: Of which entry a reader, by number, goes away to come again; 0 where of none.
    """

    def __init__(
        self, table: Table, many: int = 1, *, url: str = "", leaving: Callable[[int], int] = lambda number: 0
    ) -> None:
        self.heard: list[list[int]] = [[] for _ in range(many)]
        self.texts: list[str] = []
        self.cut = 0
        self.failure: BaseException | None = None
        base = (url or str(table.client.base_url)).rstrip("/").replace("http", "ws", 1)
        self._url, self._token = f"{base}{table.path}/feed", table.issued["gm"]["token"]
        self._leaving, self._ended = leaving, threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()

    def wait_for(self, seq: int) -> None:
        """Waits until all have received up to an entry."""
        until(lambda: self.failure is not None or all(heard and heard[-1] >= seq for heard in self.heard))
        assert self.failure is None, self.failure

    def end(self) -> Sequence[Sequence[int]]:
        """Disconnects the readers; returns what each received, checked for gaps and repeats."""
        self._ended.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        assert self.failure is None, self.failure
        for heard in self.heard:
            assert heard == list(range(1, len(heard) + 1))
        return self.heard

    async def _run(self) -> None:
        tasks = [asyncio.ensure_future(self._read(number)) for number in range(len(self.heard))]
        while not self._ended.is_set() and not any(task.done() for task in tasks):
            await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        self.failure = next((end for end in ends if end and not isinstance(end, asyncio.CancelledError)), None)

    async def _read(self, number: int) -> None:
        heard, leaving = self.heard[number], self._leaving(number)
        while True:
            try:
                await self._listen(number, heard, leaving)
                leaving = 0
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.cut += 1
                await asyncio.sleep(PAUSE)

    async def _listen(self, number: int, heard: list[int], leaving: int) -> None:
        options = {"open_timeout": PATIENCE, "close_timeout": 1, "compression": None, "max_queue": None}
        async with connect(self._url, **options) as socket:  # type: ignore[arg-type]
            await socket.send(msgspec.json.encode({"token": self._token, "after": heard[-1] if heard else 0}).decode())
            while not leaving or not heard or heard[-1] < leaving:
                entry = msgspec.json.decode(await socket.recv())
                heard.append(entry["seq"])
                if not number:
                    self.texts.append(entry["command"].get("text", ""))
