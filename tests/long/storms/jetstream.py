"""Three NATS servers for a storm, and what may happen to them."""

import shutil
import time
from collections.abc import Callable
from contextlib import closing
from random import Random

from long.part import Failed
from long.storms.jetstream_checks import OPENED_BESIDE_A_CUT, FaultChecks
from nats_servers import Node, Servers

from ledger.errors import Refused
from ledger.stores import open_store
from ledger.stores.jetstream.probe import SECONDS

_AWAY = 3.0
"""Seconds, at most, that a server stays away beyond the time of an election."""
_ELECTION = 4.0
_PATIENCE = 120.0
_BACK = 240.0
"""Seconds within which a server is up to date after its return. NATS 2.15.1 needs up to two minutes under load."""
_CUT = "servers cut off"
"""The kind of fault after which servers may be up to date late."""
_CALM = 2.0
"""Seconds in which all servers must report good health before another fault happens. Just after its return, a server that
was cut off does so although it lacks entries; NATS 2.15.1 may not bring it up to date if another one then goes away."""
_SHARDS = 2


class ServerFaults:
    """What happens to the servers, at random.

    Args:
        servers: The servers, which can be cut off.
        url: The ledger.
        chance: Decides what happens.
        checks: What is checked meanwhile.
    """

    def __init__(self, servers: Servers, url: str, chance: Random, checks: FaultChecks) -> None:
        self.happened: dict[str, int] = {}
        self.slowest = 0.0
        """The longest time in seconds until a server was up to date after its return."""
        self._servers, self._url, self._chance, self._checks = servers, url, chance, checks
        self._kinds: dict[str, Callable[[], None]] = {
            "leaders killed": self._kill_leader,
            "pairs killed": self._kill_two,
            "pairs restarted at once": self._restart_two,
            "disks deleted": self._delete_disk,
            _CUT: self._cut_off,
            "servers paused": self._pause,
            "rolling restarts": self._roll,
        }

    @property
    def kinds(self) -> list[str]:
        """The kinds of faults."""
        return [*self._kinds]

    def happen(self, kind: str) -> None:
        """Lets a fault happen; afterwards all servers are there again, healthy, and accept writes.

        A server that was cut off may be up to date late; writes are accepted before that.

        Raises:
            Failed: They do not come back, or what is checked meanwhile or afterwards is not so.
        """
        try:
            self._kinds[kind]()
        except BaseException:
            self._bring_back()  # else the first fault that is found hides behind those who wait
            raise
        if kind != _CUT:
            self._servers.wait_until_healthy()
        self._wait_for_writes()
        self._checks.after_return()
        if kind == _CUT:
            self._wait_until_caught_up()
        self.happened[kind] = self.happened.get(kind, 0) + 1

    def _bring_back(self) -> None:
        self._servers.mend()
        for node in self._servers.nodes:
            if node.is_running:
                node.go_on()
            else:
                node.start()

    def _kill_leader(self) -> None:
        node = self._leader()
        node.kill()
        self._stay_away()
        self._checks.while_one_is_away()
        node.start()

    def _kill_two(self) -> None:
        """Kills two: writes stop, with a refusal; what was written can be read; nothing is lost on return."""
        dead = self._chance.sample(self._servers.nodes, 2)
        with closing(open_store(self._url, patience=2.0)) as store:
            for node in dead:
                node.kill()
            self._check_only_reads(store)
            self._checks.while_two_are_away()
        for node in dead:
            node.start()

    def _check_only_reads(self, store: object) -> None:
        began = time.monotonic()
        try:
            store.check_there()  # type: ignore[attr-defined]
        except Refused:
            pass
        else:
            raise Failed("two of three servers are dead, and the store reports that it accepts writes")
        noticed = time.monotonic() - began
        if noticed > SECONDS + 2:
            raise Failed(f"it took {noticed:.1f} s to notice that no writes are accepted")
        for session in ("doors", "windows"):
            if not list(store.read(session)):  # type: ignore[attr-defined]
                raise Failed(f"{session} cannot be read while two servers are dead")

    def _restart_two(self) -> None:
        dead = self._chance.sample(self._servers.nodes, 2)
        for node in dead:
            node.kill()
        for node in dead:
            node.start()

    def _delete_disk(self) -> None:
        node = self._chance.choice(self._servers.nodes)
        node.kill()
        shutil.rmtree(node.place, ignore_errors=True)
        self._stay_away()
        self._checks.while_one_is_away()
        node.start()

    def _cut_off(self) -> None:
        node = self._leader()
        self._servers.cut(node)
        time.sleep(_ELECTION)
        self._stay_away()
        self._checks.while_one_is_away(OPENED_BESIDE_A_CUT)
        if node.routes() != 0:
            raise Failed("the server that was cut off was connected with the others again")
        self._servers.mend()

    def _pause(self) -> None:
        node = self._leader()
        node.pause()
        time.sleep(_ELECTION)
        self._stay_away()
        self._checks.while_one_is_away()
        node.go_on()

    def _roll(self) -> None:
        for node in self._servers.nodes:
            node.stop()
            node.start()
            self._servers.wait_until_healthy()

    def _leader(self) -> Node:
        ledger = self._url.partition("?")[0].rpartition("/")[2]
        return self._servers.leader(f"{ledger}-log-{self._chance.randrange(_SHARDS)}")

    def _stay_away(self) -> None:
        time.sleep(self._chance.random() * _AWAY)

    def _wait_until_caught_up(self) -> None:
        began = since = time.monotonic()
        while time.monotonic() - since < _CALM:
            if time.monotonic() - began > _BACK:
                raise Failed(f"a server is not up to date {_BACK:.0f} s after its return")
            if not all(node.is_healthy() for node in self._servers.nodes):
                since = time.monotonic()
            time.sleep(0.1)
        self.slowest = max(self.slowest, since - began)

    def _wait_for_writes(self) -> None:
        """Waits until all shards accept writes; good health does not show it."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                with closing(open_store(self._url, patience=2.0)) as store:
                    store.check_there()
            except Refused:
                time.sleep(0.5)
            else:
                return
        raise Failed(f"all servers are there, and a shard accepts no writes for {_PATIENCE:.0f} s")
