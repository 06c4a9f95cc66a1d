"""A TCP proxy on loopback that delays what it passes on, as a network between two cities does, and counts turns."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Thread

_CHUNK = 65_536


class SlowRoute:
    """A proxy in front of a port.

    Args:
        target: The port.
        delay: Seconds that each byte takes in each direction.
    """

    def __init__(self, target: int, delay: float) -> None:
        self.turns = 0
        """How often the client has sent something after it had received an answer."""
        self._target, self._delay = target, delay
        self._is_answered = False
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Ends all connections, and admits no more."""
        self._listening.close()
        for each in self._open:
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:  # closed
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                passing: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
                Thread(target=self._receive, args=(source, passing, source is client), daemon=True).start()
                Thread(target=self._send, args=(sink, passing), daemon=True).start()

    def _receive(self, source: socket.socket, passing: SimpleQueue[tuple[float, bytes]], is_client: bool) -> None:
        while True:
            chunk = b""
            with suppress(OSError):
                chunk = source.recv(_CHUNK)
            if is_client and self._is_answered:
                self.turns += 1
            self._is_answered = not is_client
            passing.put((time.monotonic() + self._delay, chunk))
            if not chunk:
                return

    def _send(self, sink: socket.socket, passing: SimpleQueue[tuple[float, bytes]]) -> None:
        with suppress(OSError):
            while True:
                due, chunk = passing.get()
                time.sleep(max(0.0, due - time.monotonic()))
                if not chunk:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(chunk)


@contextmanager
def slowed(url: str, delay: float) -> Iterator[tuple[SlowRoute, str]]:
    """Yields a proxy in front of the server on loopback of an address, and the address with the proxy's port."""
    before, _, rest = url.partition("@127.0.0.1:")
    port, _, path = rest.partition("/")
    route = SlowRoute(int(port), delay)
    try:
        yield route, f"{before}@127.0.0.1:{route.port}/{path}"
    finally:
        route.close()
