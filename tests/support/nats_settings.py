"""Runs NATS servers with settings of a test: without JetStream, with users, or that write to disk later."""

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
from nats_servers import binary_or_skip

JETSTREAM = 'jetstream { store_dir: "STORE", sync_interval: always, max_mem: 64MB, max_file: 1GB }'
"""The settings of a server that writes each entry to disk at once."""


class Started(msgspec.Struct):
    """A server that runs."""

    client: str
    """Where it serves clients: ``host:port``."""
    http: str
    """Where it reports its settings."""

    def url(self, user: str = "", **options: str | int) -> str:
        """Returns the address of a ledger with one copy and one shard, unless the options are others."""
        words = {"monitoring": self.http, "replicas": 1, "shards": 1, **options}
        return f"nats://{user}{self.client}/x?" + "&".join(f"{name}={value}" for name, value in words.items())


@contextmanager
def started(*settings: str) -> Iterator[Started]:
    """Runs a server with some settings."""
    with tempfile.TemporaryDirectory(prefix="affray-nats-") as folder:
        place = Path(folder)
        words = ['listen: "127.0.0.1:-1"', 'http: "127.0.0.1:-1"', f'ports_file_dir: "{folder}"', *settings]
        (place / "settings").write_text("\n".join(words).replace("STORE", f"{folder}/jetstream"))
        with (place / "log").open("wb") as log:
            process = subprocess.Popen([binary_or_skip(), "-c", place / "settings"], stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 60
            while not (found := [each for each in place.glob("*.ports") if each.read_bytes().endswith(b"}")]):
                is_alive = process.poll() is None and time.monotonic() < deadline
                assert is_alive, (place / "log").read_text()
                time.sleep(0.05)
            ports = json.loads(found[0].read_bytes())
            yield Started(ports["nats"][0].removeprefix("nats://"), ports["monitoring"][0])
        finally:
            process.kill()
            process.wait(30)


@contextmanager
def clustered(settings: Sequence[str]) -> Iterator[list[Started]]:
    """Runs servers that know each other, each with its settings."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in settings]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                started(
                    f'server_name: node{port}\ncluster {{ name: c, listen: "127.0.0.1:{port}", no_advertise: true,'
                    f" routes: [{routes}] }}\n{own}"
                )
            )
            for port, own in zip(ports, settings, strict=True)
        ]
