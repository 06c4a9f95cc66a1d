"""Runs temporary PostgreSQL servers: one that all workers of a test run share, and private ones that tests may crash."""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.stores import migrate

REQUIRED = "AFFRAY_POSTGRES_REQUIRED"
"""The environment variable that makes tests fail, instead of being skipped, where PostgreSQL is not installed."""

_TEMPLATE = "migrated"
_RULES = """\
local all all trust
host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""
_SETTINGS = {
    "listen_addresses": "127.0.0.1", "max_connections": "200", "shared_buffers": "16MB", "fsync": "on",
    "max_wal_size": "128MB", "log_min_messages": "fatal", "autovacuum": "off",
}  # fmt: skip


def binaries() -> Path | None:
    """Returns the folder of the newest installed server; None where there is none."""
    found = [Path(each).resolve().parent for each in [shutil.which("initdb")] if each]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return next((folder for folder in reversed(found) if (folder / "initdb").exists()), None)


class Server:
    """A running server; `begun` starts one.

    Args:
        programs: The folder of PostgreSQL's programs.
        place: The folder of its data.
        port: Its port on this machine.
    """

    def __init__(self, programs: Path, place: Path, port: int) -> None:
        self.place = place
        self.port = port
        self._programs = programs
        self._owner = server_user()
        self._names = (f"affray_{os.getpid()}_{number}" for number in count(1))
        self._folders: dict[Path, str] = {}

    def url(self, database: str, user: str = "postgres") -> str:
        """Returns the address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def empty(self) -> str:
        """Returns the address of a new database without tables."""
        return self._database("template0")

    def database(self) -> str:
        """Returns the address of a new database with the tables."""
        return self._database(_TEMPLATE)

    def database_for(self, folder: Path) -> str:
        """Returns the address of a folder's database, which is the same for each call."""
        if folder not in self._folders:
            self._folders[folder] = self.database()
        return self._folders[folder]

    def execute(self, *statements: str, url: str | None = None) -> list[tuple[object, ...]]:
        """Executes statements as a superuser, and returns the rows of the last one."""
        with closing(psycopg.connect(url or self.url("postgres"), autocommit=True)) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def run(self, program: str, *words: str, given: str = "") -> str:
        """Runs one of PostgreSQL's programs, and returns its output."""
        done = subprocess.run(
            [self._programs / program, *words],
            **self._owner, cwd=self.place, input=given, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def crash(self) -> None:
        """Stops the server at once, without informing clients or writing to the disk."""
        self._control("stop", "-m", "immediate")
        while self._is_heard():  # by children that have not noticed yet
            time.sleep(0.02)

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        options = " ".join(_options({**_SETTINGS, "port": self.port, "unix_socket_directories": self.place}.items()))
        self._control("start", "-l", str(self.place / "server.log"), "-o", options)

    def restart(self) -> None:
        """Crashes the server, and starts it again."""
        self.crash()
        self.start()

    def stop(self) -> None:
        """Stops the server, and deletes its data."""
        self.crash()
        shutil.rmtree(self.place)

    def _database(self, template: str) -> str:
        name = next(self._names)
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def initialize(self) -> None:
        """Creates the data, starts the server, and keeps an empty ledger as a template."""
        data = str(self.place / "data")
        self.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        (self.place / "data" / "pg_hba.conf").write_text(_RULES)
        self.start()
        self.execute(f"CREATE DATABASE {_TEMPLATE}")
        migrate(self.url(_TEMPLATE))

    def _control(self, *words: str) -> None:
        self.run("pg_ctl", "-D", str(self.place / "data"), "-s", "-w", "-t", "60", *words)

    def _is_heard(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 5.0).close()
        except OSError:
            return False
        return True


def begun(programs: Path) -> Server:
    """Starts a server with separate data."""
    place = Path(tempfile.mkdtemp(prefix="affray-pg-"))
    owner = server_user()
    if owner:
        shutil.chown(place, owner["user"], owner["group"])
    server = Server(programs, place, free_port())
    server.initialize()
    return server


def server_or_skip() -> Server:
    """Yields a private server; skips the test where none is installed, unless `REQUIRED` is set."""
    return begun(_binaries_or_skip())


@contextmanager
def shared_server(folder: Path) -> Iterator[Server]:
    """Yields the server of a test run: the first process starts it, the last one stops it.

    Args:
        folder: A folder that all processes of the run share.
    """
    programs = _binaries_or_skip()
    with _register(folder) as users:
        if not users:
            server = begun(programs)
            users.update(place=str(server.place), port=server.port, count=0)
        users["count"] += 1
        server = Server(programs, Path(users["place"]), users["port"])
    try:
        yield server
    finally:
        with _register(folder) as users:
            users["count"] -= 1
            if not users["count"]:
                server.stop()
                users.clear()


@contextmanager
def _register(folder: Path) -> Iterator[dict[str, Any]]:
    """Yields the address of the server and the number of processes that use it, under a lock."""
    with (folder / "postgres.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        users = json.loads(file.read() or "{}")
        try:
            yield users
        finally:
            file.truncate(0)
            file.write(json.dumps(users))
            file.flush()


def _binaries_or_skip() -> Path:
    folder = binaries()
    if folder is None:
        assert not os.environ.get(REQUIRED), "PostgreSQL is required, and not installed"
        pytest.skip("PostgreSQL is not installed here")
    return folder


def server_user() -> dict[str, int]:
    """Returns the user of the server as arguments for `subprocess`: it refuses to run as root."""
    if os.getuid() != 0:
        return {}
    import pwd

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid}


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _options(settings: Iterable[tuple[str, object]]) -> list[str]:
    return [word for name, value in settings for word in ("-c", f"{name}={value}")]
