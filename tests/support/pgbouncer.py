"""Runs a PgBouncer before a PostgreSQL server."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from postgres_server import REQUIRED, Server, free_port, server_user

_SETTINGS = """\
[databases]
* = host=127.0.0.1 port={behind} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
server_round_robin = {rotates}
"""


@contextmanager
def bouncer(server: Server, mode: str, *, rotates: bool = False) -> Iterator[int]:
    """Yields the port of a PgBouncer; skips the test where it is not installed.

    Args:
        server: The server behind it.
        mode: Its ``pool_mode``: session, transaction or statement.
        rotates: Whether it uses the server's connections in turn, and not the last one first.
    """
    if shutil.which("pgbouncer") is None:
        assert not os.environ.get(REQUIRED), "PgBouncer is required, and not installed"
        pytest.skip("PgBouncer is not installed here")
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="affray-bouncer-"))
    os.chmod(folder, 0o755)  # it refuses to run as root
    (folder / "bouncer.ini").write_text(
        _SETTINGS.format(behind=server.port, port=port, mode=mode, rotates=int(rotates))
    )
    process = subprocess.Popen(["pgbouncer", "-q", folder / "bouncer.ini"], **server_user())
    try:
        _wait_until_heard(port)
        yield port
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


def _wait_until_heard(port: int) -> None:
    deadline = time.monotonic() + 30.0
    while time.monotonic() < deadline:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 5.0).close()
            return
        time.sleep(0.02)
    raise AssertionError("PgBouncer does not start")
