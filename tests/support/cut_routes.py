"""TCP proxies between servers on loopback, which can be cut: a network that fails while the machines go on."""

import socket
from contextlib import suppress
from threading import Lock, Thread


class Route:
    """A proxy in front of a port.

    Args:
        target: The port.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._lock = Lock()
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Ends all connections, and admits no new one."""
        with self._lock:
            self._is_cut = True
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Admits connections again."""
        with self._lock:
            self._is_cut = False

    def close(self) -> None:
        """Ends the proxy."""
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._listening.accept()
            except OSError:  # closed
                return
            try:
                other = socket.create_connection(("127.0.0.1", self._target), 5)
            except OSError:
                one.close()
                continue
            other.settimeout(None)
            with self._lock:
                if self._is_cut:
                    one.close()
                    other.close()
                    continue
                self._open |= {one, other}
            for source, target in ((one, other), (other, one)):
                Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while received := source.recv(65_536):
                target.sendall(received)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open -= {source}
        source.close()
