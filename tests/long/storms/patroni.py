"""Three PostgreSQL servers under Patroni, with etcd, on this machine; and what may happen to them."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import httpx
import psycopg
from long.part import Failed
from long.processes import adopt_orphans
from postgres_server import binaries, free_port, server_user

from ledger.stores import migrate

PROGRAMS = ("patroni", "etcd")
LEASE = 20
"""Seconds after which a primary without a sign of life is replaced; Patroni accepts no less."""
_PATIENCE = 120.0
_RULES = ("local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust")
_CLUSTER = {
    "ttl": LEASE, "loop_wait": 2, "retry_timeout": 5, "maximum_lag_on_failover": 1_048_576,
    "synchronous_mode": True, "synchronous_mode_strict": True,
    "postgresql": {"use_pg_rewind": True, "parameters": {"synchronous_commit": "on", "wal_log_hints": "on"}},
}  # fmt: skip
_SETTINGS = {"max_connections": 100, "shared_buffers": "16MB", "max_wal_size": "256MB", "wal_keep_size": "256MB"}


class Node:
    """One PostgreSQL server with its Patroni."""

    def __init__(self, name: str, folder: Path, etcd: int) -> None:
        self.name, self.port, self._api = name, free_port(), free_port()
        self._folder, self._data = folder, folder / name
        self._file = folder / f"{name}.json"
        self._file.write_text(json.dumps(self._settings(etcd)))
        self._process: subprocess.Popen[bytes] | None = None

    def _settings(self, etcd: int) -> dict[str, Any]:
        address, user = f"127.0.0.1:{self.port}", {"username": "postgres", "password": "unused"}
        api = f"127.0.0.1:{self._api}"
        boot = {"dcs": _CLUSTER, "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth-local": "trust"}]}
        parameters = {**_SETTINGS, "unix_socket_directories": str(self._folder)}
        return {
            "scope": "affray", "name": self.name, "restapi": {"listen": api, "connect_address": api},
            "etcd3": {"host": f"127.0.0.1:{etcd}"}, "bootstrap": boot,
            "postgresql": {
                "listen": address, "connect_address": address, "data_dir": str(self._data), "bin_dir": str(binaries()),
                "pgpass": str(self._folder / f"{self.name}.pgpass"), "parameters": parameters, "pg_hba": _RULES,
                "authentication": {"superuser": user, "replication": user, "rewind": user},
                "remove_data_directory_on_diverged_timelines": True,
            },
        }  # fmt: skip

    def start(self) -> None:
        """Starts Patroni, which starts PostgreSQL."""
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["patroni", str(self._file)], **server_user(), cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )  # fmt: skip

    def ask(self, path: str, **body: str) -> httpx.Response:
        """Asks Patroni of this node."""
        url = f"http://127.0.0.1:{self._api}/{path}"
        return httpx.post(url, json=body, timeout=60.0) if body else httpx.get(url, timeout=5.0)

    def signal(self, kind: signal.Signals, *, with_patroni: bool = True) -> None:
        """Sends a signal to all processes of the node, or to those of PostgreSQL only."""
        if with_patroni and self._process is not None:
            self._process.send_signal(kind)
        processes = self.servers()
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, kind)
        if kind is signal.SIGKILL:
            if with_patroni and self._process is not None:
                self._process.wait()
            _reap(processes)

    def kill_patroni(self) -> None:
        """Kills Patroni alone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def servers(self) -> list[int]:
        """Returns the processes of PostgreSQL, that which started the others first."""
        try:
            parent = int((self._data / "postmaster.pid").read_text().split("\n")[0])
            command = Path(f"/proc/{parent}/cmdline").read_bytes()
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return []
        if str(self._data).encode() not in command:  # another process has got its number since
            return []
        return [parent, *map(int, children)]


def _reap_servers(nodes: Sequence[Node], ended: Event) -> None:
    """Reaps PostgreSQL servers that have ended, until the event is set: Patroni takes a zombie for a running server."""
    seen: set[int] = set()
    while not ended.wait(0.1):
        for node in nodes:
            seen.update(node.servers()[:1])
        for pid in seen:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _reap(processes: Sequence[int]) -> None:
    """Waits for killed processes, which are children of this one now: Patroni takes a zombie for a running server."""
    end = time.monotonic() + 10.0
    while time.monotonic() < end and any(Path(f"/proc/{pid}").exists() for pid in processes):
        for pid in processes:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.02)


class Cluster:
    """Three nodes and etcd; `patroni_cluster` starts and ends one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._etcd_port = free_port()
        self._etcd = self._start_etcd()
        self.nodes = [Node(f"node{number}", folder, self._etcd_port) for number in (1, 2, 3)]
        self._names = (f"affray_{number}" for number in count(1))
        self._ended = Event()
        self._reaper = Thread(target=_reap_servers, args=(self.nodes, self._ended), daemon=True)

    def _start_etcd(self) -> "subprocess.Popen[bytes]":
        client, peer = f"http://127.0.0.1:{self._etcd_port}", f"http://127.0.0.1:{free_port()}"
        words = ["--data-dir", str(self._folder / "etcd"), "--listen-client-urls", client]
        words += ["--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
        with (self._folder / "etcd.log").open("wb") as log:
            return subprocess.Popen(
                ["etcd", *words, "--initial-cluster", f"default={peer}"], **server_user(), cwd=self._folder, stdout=log, stderr=log
            )  # fmt: skip

    def start(self) -> None:
        """Starts all nodes, and waits until there are a primary and a synchronous standby."""
        self._reaper.start()
        for node in self.nodes:
            node.start()
        self.wait_until_whole()

    def stop(self) -> None:
        """Ends everything."""
        for node in self.nodes:
            node.signal(signal.SIGKILL)
        self._ended.set()
        self._etcd.kill()
        self._etcd.wait()

    def url(self, database: str) -> str:
        """Returns the address of a database, with all nodes."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://postgres@{hosts}/{database}?target_session_attrs=read-write"

    def database(self) -> str:
        """Returns the address of a new ledger."""
        name = next(self._names)
        self.execute(f"CREATE DATABASE {name}")
        migrate(self.url(name))
        return self.url(name)

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Executes a statement on the primary."""
        with closing(psycopg.connect(self.url("postgres"), autocommit=True)) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def roles(self) -> dict[str, str]:
        """Returns the nodes that run, by role: ``leader``, ``sync_standby`` or ``replica 1`` and so on."""
        found: dict[str, str] = {}
        for node in self.nodes:
            with suppress(httpx.HTTPError, KeyError, ValueError):
                for number, member in enumerate(node.ask("cluster").json()["members"]):
                    if member["state"] in ("running", "streaming"):
                        found[f"replica {number}" if member["role"] == "replica" else member["role"]] = member["name"]
                return found
        return found

    def node_of(self, role: str) -> Node:
        """Returns the node that has a role, as soon as one has."""
        end = time.monotonic() + _PATIENCE
        while role not in (roles := self.roles()) and time.monotonic() < end:
            time.sleep(0.2)
        name = roles[role]
        return next(node for node in self.nodes if node.name == name)

    def wait_until_whole(self) -> None:
        """Waits until there are a primary, a synchronous standby and another standby.

        Raises:
            Failed: They are not there in time.
        """
        end = time.monotonic() + _PATIENCE
        while not ({"leader", "sync_standby"} <= {*(roles := self.roles())} and self._has_standbys()):
            if time.monotonic() > end:
                raise Failed(f"Patroni's cluster is not whole again: {roles}; {self._words()}")
            time.sleep(0.2)

    def _has_standbys(self) -> bool:
        """Returns whether the primary sends to both standbys, to one of them synchronously."""
        counts = "SELECT count(*), count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication "
        with suppress(psycopg.Error):
            return self.execute(counts + "WHERE state = 'streaming'") == [(2, 1)]
        return False

    def wait_for_another(self, old: Node) -> None:
        """Waits until another node is the primary."""
        end = time.monotonic() + _PATIENCE
        others = [node for node in self.nodes if node is not old]
        while not any(_is_primary(node) for node in others):
            if time.monotonic() > end:
                raise Failed(f"no standby has taken the place of {old.name}: {self._words()}")
            time.sleep(0.1)

    def _words(self) -> str:
        return "".join((self._folder / f"{node.name}.log").read_text()[-1500:] for node in self.nodes)


def _is_primary(node: Node) -> bool:
    with suppress(httpx.HTTPError):
        return node.ask("primary").status_code == 200
    return False


@contextmanager
def patroni_cluster(kept: Path) -> Iterator[Cluster]:
    """Starts a cluster, and ends it with all that is in it.

    Args:
        kept: The folder into which the logs are copied if something fails.

    Raises:
        Failed: A program is not installed; the part cannot be skipped.
    """
    missing = [name for name in PROGRAMS if shutil.which(name) is None] + ["initdb"] * (binaries() is None)
    if missing:
        raise Failed(f"{', '.join(missing)} is not installed (on Debian: patroni, etcd-server, postgresql)")
    adopt_orphans()  # PostgreSQL is one, as soon as its Patroni is killed
    folder = Path(tempfile.mkdtemp(prefix="affray-patroni-"))
    user = server_user()
    if user:
        shutil.chown(folder, user["user"], user["group"])
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    except BaseException:
        for log in folder.glob("*.log"):
            shutil.copy(log, kept)
        raise
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Failovers:
    """What happens to a cluster, at random.

    Args:
        cluster: The one.
        chance: Decides what happens.
        note: Called with a line about each.
    """

    def __init__(self, cluster: Cluster, chance: Random, note: Callable[[str], None] = print) -> None:
        self.happened: dict[str, int] = {}
        self._cluster, self._chance, self._note = cluster, chance, note
        self._kinds: dict[str, Callable[[], None]] = {
            "primaries killed with their Patroni": self._kill_primary,
            "primaries killed": self._kill_server,
            "primaries frozen": self._freeze_primary,
            "planned switches": self._switch,
            "synchronous standbys killed": self._kill_standby,
        }

    def happen(self) -> None:
        """Lets one happen; afterwards the cluster is whole again."""
        kinds = [*self._kinds]
        fewest = min(self.happened.get(name, 0) for name in kinds)
        name = self._chance.choice([name for name in kinds if self.happened.get(name, 0) == fewest])
        began = time.monotonic()
        self._kinds[name]()
        self._cluster.wait_until_whole()
        self.happened[name] = self.happened.get(name, 0) + 1
        self._note(f"{name}: whole again after {time.monotonic() - began:.1f} s")

    @property
    def total(self) -> int:
        """How many have happened."""
        return sum(self.happened.values())

    def __str__(self) -> str:
        return ", ".join(f"{number} {kind}" for kind, number in sorted(self.happened.items()))

    def _kill_primary(self) -> None:
        """Ends a node as a power cut would; it returns when another is the primary."""
        node = self._cluster.node_of("leader")
        node.signal(signal.SIGKILL)
        self._cluster.wait_for_another(node)
        time.sleep(self._chance.random())
        node.start()

    def _kill_server(self) -> None:
        """Kills PostgreSQL alone; Patroni starts it again, or lets a standby take its place."""
        self._cluster.node_of("leader").signal(signal.SIGKILL, with_patroni=False)
        time.sleep(1.0)

    def _freeze_primary(self) -> None:
        """Freezes PostgreSQL without its Patroni; it goes on for a moment when there is another primary already."""
        node = self._cluster.node_of("leader")
        node.signal(signal.SIGSTOP)
        try:
            node.kill_patroni()
            self._cluster.wait_for_another(node)
            node.signal(signal.SIGCONT, with_patroni=False)
            time.sleep(self._chance.random() * 2)
        finally:
            node.signal(signal.SIGKILL)
        node.start()

    def _switch(self) -> None:
        leader, candidate = self._cluster.node_of("leader"), self._cluster.node_of("sync_standby")
        leader.ask("switchover", leader=leader.name, candidate=candidate.name)

    def _kill_standby(self) -> None:
        node = self._cluster.node_of("sync_standby")
        node.signal(signal.SIGKILL)
        time.sleep(self._chance.random() * 3)
        node.start()
