"""Serving: the application in one process or several, behind uvicorn, ended without losing what was begun."""

import asyncio
import gc
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.supervisors import Multiprocess

from ledger.errors import Refused
from replays.server.app import create
from replays.server.http.head_requests import Heads
from replays.server.http.logs import configure
from replays.server.http.observing import Observing
from replays.server.limits.connection_limits import Guarded
from replays.server.limits.limits import Limits
from replays.server.limits.slow_readers import Paced
from replays.server.limits.sockets import GuardedSocket
from replays.server.runtime.app_state import Desk
from replays.server.runtime.settings import Settings

GRACE = 8
"""Seconds that requests have to end when the server is told to."""
_MESSAGE = 65_536
"""Bytes of a message that a reader may send."""
_PINGS = 20.0


class BadAddress(Refused):
    """There nobody can be served."""

    slug = "server/address"


class BadWorkers(Refused):
    """So many processes cannot share that ledger."""

    slug = "server/workers"


class Backend:
    """The application as an ASGI server wants it; made in the process that serves it.

    Args:
        settings: The server's.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; the first thing that is asked is to begin."""
        if self._app is None:
            self._app = self._made()
        await self._app(scope, receive, send)

    def _made(self) -> ASGIApp:
        configure()
        _end_with_parent()
        Guarded.most, Paced.patience = self._settings.connections, self._settings.seconds
        desk = Desk(self._settings)
        _before_signals(desk.end)
        app = create(desk)
        gc.freeze()  # what is loaded stays loaded
        return Observing(Limits(Heads(app), desk, app.cors_config))


class _Server(uvicorn.Server):
    """uvicorn's, which having ended dies of the signal that told it to."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End as one was told to, which is no failure."""
        await super().shutdown(sockets)
        self._captured_signals.clear()


def _before_signals(end: Callable[[], None]) -> None:
    """Let readers go as soon as the process is told to end: else the server would wait for them."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        then = signal.getsignal(number)

        def ending(number: int, frame: FrameType | None, then: object = then) -> None:
            loop.call_soon_threadsafe(end)
            if callable(then):
                then(number, frame)

        signal.signal(number, ending)


def _end_with_parent() -> None:
    """Let a worker end, as if it had been told to, when who has started it is there no more."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def outlived() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=outlived, name="affray-parent", daemon=True).start()


def serve(settings: Settings, host: str, port: int, workers: int = 1, *, ready: Callable[[str], None]) -> None:
    """Serve until told to end; requests that were begun are finished.

    Args:
        settings: The server's.
        host: The address to listen at.
        port: 0 for any that is free.
        workers: Processes.
        ready: Hears where it listens, before the first request is answered.

    Raises:
        Refused: The ledger cannot be opened, or nobody can listen there.
    """
    if workers > 1 and settings.ledger.startswith("memory:"):
        raise BadWorkers("a ledger in memory is one process's own", where="--workers", accepts="1, or another ledger")
    settings.open().close()  # what is wrong with it is told here, once
    listening = _listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{listening.getsockname()[1]}")
    config = _config(settings, workers)
    if workers == 1:
        _Server(config).run(sockets=[listening])
        return
    with tempfile.TemporaryDirectory(prefix="affray-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        Multiprocess(config, sockets=[listening]).run()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise BadAddress(f"nobody can listen at {host}:{port}: {error}", where="--host, --port") from error
    made.set_inheritable(True)
    return made


def _config(settings: Settings, workers: int) -> uvicorn.Config:
    return uvicorn.Config(
        Backend(settings), http=Guarded, ws=GuardedSocket, workers=workers, log_config=None, access_log=False,
        lifespan="on", server_header=False, forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GRACE, ws_max_size=_MESSAGE,
        ws_ping_interval=_PINGS, ws_ping_timeout=_PINGS, ws_per_message_deflate=False,
    )  # fmt: skip
