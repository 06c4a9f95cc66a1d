"""A receiver of webhooks at a free port of this machine, which records each message and answers as the test wants."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from server.processes import PATIENCE

LOCAL = ("--hook-private", "127.0.0.0/8")
"""What lets a server send webhooks to this machine."""


class Received(msgspec.Struct, frozen=True):
    """A request that a receiver has got."""

    path: str
    headers: dict[str, str]
    """By name in lower case."""
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        """The body as a document."""
        document: dict[str, Any] = json.loads(self.body)
        return document

    @property
    def seq(self) -> int:
        """The number of the entry that it is about."""
        number: int = self.message["data"]["seq"]
        return number


class Receiver:
    """A receiver; `answer` decides the status of a request, and may have headers and wait.

    Attributes:
        received: All requests, in the order in which they came.
        answer: Returns the status of a request, with headers.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], tuple[int, dict[str, str]]] = lambda _: (204, {})
        self._changed = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                request = Received(self.path, {name.lower(): each for name, each in self.headers.items()}, body)
                receiver.add(request)
                status, headers = receiver.answer(request)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # the sender has hung up

        self._server = Server(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def add(self, request: Received) -> None:
        with self._changed:
            self.received.append(request)
            self._changed.notify_all()

    def until(self, is_done: Callable[[list[Received]], Any]) -> list[Received]:
        """Waits until what was received is as wanted, and returns it."""
        with self._changed:
            assert self._changed.wait_for(lambda: is_done(self.received), PATIENCE), self.received
            return list(self.received)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Yields a receiver."""
    receiver = Receiver(tls)
    try:
        yield receiver
    finally:
        receiver.close()
