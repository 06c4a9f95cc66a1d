"""A PostgreSQL server of one's own, thrown away afterwards."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from itertools import count
from pathlib import Path

import psycopg
import pytest

from ledger.stores import migrate

REQUIRED = "AFFRAY_POSTGRES_REQUIRED"
"""The environment variable without which tests are skipped where there is no PostgreSQL."""

_TEMPLATE = "migrated"
_RULES = """\
local all all trust
host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""
_SETTINGS = {
    "listen_addresses": "127.0.0.1", "max_connections": "100", "shared_buffers": "16MB", "fsync": "on",
    "max_wal_size": "128MB", "log_min_messages": "fatal", "autovacuum": "off",
}  # fmt: skip


def binaries() -> Path | None:
    """The folder of the newest server that is installed; None where there is none."""
    found = [Path(each).resolve().parent for each in [shutil.which("initdb")] if each]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return next((folder for folder in reversed(found) if (folder / "initdb").exists()), None)


class Server:
    """It is started when it is made.

    Args:
        folder: Of the programs.
    """

    def __init__(self, folder: Path) -> None:
        self._programs = folder
        self._whom = _whom()
        self._place = Path(tempfile.mkdtemp(prefix="affray-pg-"))
        if self._whom:
            shutil.chown(self._place, self._whom["user"], self._whom["group"])
        self._port = _free_port()
        self._names = count(1)
        self._folders: dict[Path, str] = {}
        self._initialize()
        self._process = self._started()
        self.execute(f"CREATE DATABASE {_TEMPLATE}")
        migrate(self.url(_TEMPLATE))

    def url(self, database: str, user: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self._port}/{database}"

    def empty(self) -> str:
        """The address of a new database without tables."""
        return self._database("template0")

    def database(self) -> str:
        """The address of a new database with the tables."""
        return self._database(_TEMPLATE)

    def database_for(self, folder: Path) -> str:
        """The address of the database that belongs to a folder, always the same."""
        if folder not in self._folders:
            self._folders[folder] = self.database()
        return self._folders[folder]

    def execute(self, *statements: str, url: str | None = None) -> list[tuple[object, ...]]:
        """Let a superuser do something; what the last statement answers."""
        with closing(psycopg.connect(url or self.url("postgres"), autocommit=True)) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def run(self, program: str, *words: str, given: str = "") -> str:
        """Run one of the programs that come with the server; what it says."""
        done = subprocess.run(
            [self._programs / program, *words],
            **self._whom, cwd=self._place, input=given, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def crash(self) -> None:
        """End it without a word to its clients or to the disk."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(20.0)
        while self._is_heard():  # by children who have not noticed yet
            time.sleep(0.02)

    def start(self) -> None:
        """Start it again."""
        self._process = self._started()

    def restart(self) -> None:
        """Crash and start again."""
        self.crash()
        self.start()

    def stop(self) -> None:
        """End it for good, with all that was in it."""
        self.crash()
        shutil.rmtree(self._place)

    def _database(self, template: str) -> str:
        name = f"affray_{next(self._names)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def _initialize(self) -> None:
        data = str(self._place / "data")
        self.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        (self._place / "data" / "pg_hba.conf").write_text(_RULES)

    def _started(self) -> "subprocess.Popen[bytes]":
        settings = {**_SETTINGS, "port": str(self._port), "unix_socket_directories": str(self._place)}
        process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._place / "data", *_options(settings.items())],
            **self._whom, cwd=self._place, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 60.0
        while not self._answers():
            assert process.poll() is None, "the server has ended at once"
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.02)
        return process

    def _is_heard(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), 5.0).close()
        except OSError:
            return False
        return True

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


def server_or_skip() -> Server:
    """A server; where none is installed the test is skipped, unless it must not be."""
    folder = binaries()
    if folder is None:
        assert not os.environ.get(REQUIRED), "PostgreSQL is required, and not installed"
        pytest.skip("PostgreSQL is not installed here")
    return Server(folder)


def _whom() -> dict[str, int]:
    """Whom the server runs as, as `subprocess` takes it: root it refuses."""
    if os.getuid() != 0:
        return {}
    import pwd

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid}


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _options(settings: Iterable[tuple[str, str]]) -> list[str]:
    return [word for name, value in settings for word in ("-c", f"{name}={value}")]
