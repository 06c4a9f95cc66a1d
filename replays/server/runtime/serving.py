"""Runs the application with uvicorn in one or several processes, and ends it without losing a request."""

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

import msgspec
import uvicorn
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.supervisors import Multiprocess

from ledger.errors import Refused
from replays.server.app import create
from replays.server.http.allow_header import AllowHeader
from replays.server.http.head_requests import HeadRequests
from replays.server.http.logs import configure
from replays.server.http.observing import RequestLog
from replays.server.limits.connection_limits import LimitedHttpProtocol
from replays.server.limits.limits import Limits
from replays.server.limits.slow_readers import SlowReaderMixin
from replays.server.limits.sockets import LimitedWebSocketProtocol
from replays.server.runtime.app_state import AppState
from replays.server.runtime.settings import Settings
from replays.server.webhooks.addresses import parse_networks

GRACE = 8
"""Seconds that requests have to complete when the server shuts down."""
_MESSAGE = 65_536
"""Maximum size in bytes of a WebSocket message from a client."""
_PINGS = 20.0
"""Seconds between two WebSocket pings, and seconds to wait for an answer."""


class BadListenAddress(Refused):
    """The server cannot listen at this address."""

    slug = "server/address"


class BadWorkers(Refused):
    """Several processes cannot share this ledger."""

    slug = "server/workers"


class Backend:
    """The ASGI application, created by the process that serves it when it gets its first message.

    Args:
        settings: The settings of the server.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request; the first one is the server's lifespan message."""
        if self._app is None:
            self._app = self._create()
        await self._app(scope, receive, send)

    def _create(self) -> ASGIApp:
        configure(quietly=self._settings.is_quiet)
        _end_with_parent()
        LimitedHttpProtocol.most, SlowReaderMixin.patience = self._settings.connections, self._settings.seconds
        app_state = AppState(self._settings)
        _before_signals(app_state.end)
        app = create(app_state)
        gc.freeze()  # loaded modules need no garbage collection
        return RequestLog(Limits(HeadRequests(AllowHeader(app)), app_state, app.cors_config))


class _Server(uvicorn.Server):
    """uvicorn's server, except that it does not raise its signal once more after an orderly shutdown."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shuts down, and forgets the signal that asked for it: the exit status is then 0."""
        await super().shutdown(sockets)
        self._captured_signals.clear()


def _before_signals(end: Callable[[], None]) -> None:
    """Ends the live feeds as soon as a signal arrives: otherwise uvicorn would wait for them."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        previous = signal.getsignal(number)

        def ending(number: int, frame: FrameType | None, previous: object = previous) -> None:
            loop.call_soon_threadsafe(end)
            if callable(previous):
                previous(number, frame)

        signal.signal(number, ending)


def _end_with_parent() -> None:
    """Ends this process as on SIGTERM when its parent process has ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def outlived() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=outlived, name="affray-parent", daemon=True).start()


def serve(settings: Settings, host: str, port: int, workers: int = 1, *, ready: Callable[[str], None]) -> None:
    """Serves until a signal ends it; requests that were begun are finished.

    Args:
        settings: The settings of the server.
        host: The address to listen at.
        port: The port to listen at; 0 for any free port.
        workers: The number of processes.
        ready: Is called with the server's URL before the first request is answered.

    Raises:
        Refused: The ledger cannot be opened, or the server cannot listen at this address.
    """
    if workers > 1 and settings.ledger.startswith("memory:"):
        message = "several processes cannot share a ledger in memory"
        raise BadWorkers(message, where="--workers", accepts="1, or another ledger")
    parse_networks(settings.hook_private)
    settings.open().close()  # refuses a bad ledger here, once, and not in each process
    listening = _listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    bound: int = listening.getsockname()[1]
    settings = msgspec.structs.replace(settings, listens=(host, bound))
    ready(f"http://{shown}:{bound}")
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
        message = f"the server cannot listen at {host}:{port}: {error}"
        raise BadListenAddress(
            message, where="--host, --port", accepts="a free port of an address of this machine"
        ) from error
    made.set_inheritable(True)
    return made


def _config(settings: Settings, workers: int) -> uvicorn.Config:
    return uvicorn.Config(
        Backend(settings), http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, workers=workers,
        log_config=None, access_log=False, lifespan="on", server_header=False,
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GRACE, ws_max_size=_MESSAGE,
        ws_ping_interval=_PINGS, ws_ping_timeout=_PINGS, ws_per_message_deflate=False,
    )  # fmt: skip
