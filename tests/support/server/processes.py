"""A server in a separate process, started with `affray serve` on a free port of this machine."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from server import feed_recorder
from server.listed_refusals import unlisted

from replays.server.callers.keys import signing_keys
from replays.server.callers.tokens import Signer

PATIENCE = 60.0
"""Seconds within which anything on this machine should happen, even if it is busy."""


UNHURRIED = ("--rate", "0", "--study-time", "120", "--timeout", "120")
"""Options of a server that refuses no one for asking often, and no question for taking long on a busy machine."""


class Served:
    """A running server.

    Args:
        folder: The folder of its keys, and of its ledger unless `ledger` is given.
        options: More words for `affray serve`.
        ledger: The address of the ledger; by default an SQLite file in the folder.
        port: Where it listens; 0 for any free one.
        wrapper: A Python program that runs the command line in its own way, in place of ``-m replays.cli``.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        ledger: str | None = None,
        port: int = 0,
        wrapper: Sequence[str] = ("-c", "from replays.cli import main; main()"),
    ) -> None:
        feed_recorder.start()
        self.folder = folder
        self.ledger = ledger or f"sqlite:///{folder}/affray.db"
        keys = folder / "affray.keys"
        self._log = (folder / "server.log").open("ab")
        words = ["--ledger", self.ledger, "serve", "--port", str(port), "--keys", str(keys), *options]
        self.process = subprocess.Popen(
            [sys.executable, *wrapper, *words], stdout=subprocess.PIPE, stderr=self._log, cwd=folder,
        )  # fmt: skip
        self.url = self._said()
        self.port = int(self.url.rpartition(":")[2])
        self.host = {"Authorization": f"Bearer {Signer(signing_keys(keys)).host()}"}

    def _said(self) -> str:
        assert self.process.stdout is not None
        told = self.process.stdout.readline().decode()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        if not told.startswith("Affray listens at "):
            self.stop()
            raise AssertionError(f"it did not begin: {told!r} {self.log()[-2000:]}")
        return told.split()[-1]

    def client(self, **options: Any) -> httpx.Client:
        """Returns a client, which has to be closed."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE, **options)

    def log(self) -> str:
        """Returns the server's log."""
        return (self.folder / "server.log").read_text()

    def lines(self) -> list[dict[str, Any]]:
        """Returns the server's log as documents, one for each whole line; a line that is not JSON fails.

        What follows the last line feed is not read: the server may be writing it.
        """
        return [json.loads(line) for line in self.log().split("\n")[:-1]]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stops the server. Returns its exit code.

        Raises:
            AssertionError: It has refused what the OpenAPI document does not list at that operation, or a live feed
                has sent a message that the AsyncAPI document does not describe.
        """
        code = self._stop(number)
        found = unlisted(self.log())
        assert not found, f"refused, and not listed in replays/server/http/refusal_slugs.py: {found}"
        undescribed = feed_recorder.RECORDER.undescribed()
        assert not undescribed, f"sent, and not described in /schema/asyncapi.json: {undescribed[:3]}"
        return code

    def _stop(self, number: int) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
            self._log.close()

    def kill(self) -> None:
        """Kills the server, like a power cut."""
        self.stop(signal.SIGKILL)


@contextmanager
def served(folder: Path, *options: str, **others: Any) -> Iterator[Served]:
    """Yields a running server."""
    server = Served(folder, *options, **others)
    try:
        yield server
    finally:
        server.stop()


# ------------------------------------------------------------------------------------------------ a session to play

SHEET: Mapping[str, Any] = {
    "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 50},
    "weapons": {"fist": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}},
}  # fmt: skip


class Table:
    """A session on a server, with its tokens.

    Args:
        client: The HTTP client.
        host: The Authorization header of the host.
        players: The names of players who get tokens.
        campaign: The campaign that the session belongs to; empty for none.
    """

    def __init__(self, client: httpx.Client, host: Mapping[str, str], *players: str, campaign: str = "") -> None:
        self.client = client
        asked = {"ruleset": "eclipse_phase_1e", "title": "A brawl", "players": list(players), "campaign": campaign}
        answer = client.post("/v1/sessions", headers=host, json=asked)
        assert answer.status_code == 201, answer.text
        founded = answer.json()
        self.session: str = founded["session"]
        self.path = f"/v1/sessions/{self.session}"
        self.issued: dict[str, dict[str, Any]] = {
            one["name"] if one["seat"] == "player" else one["seat"]: one for one in founded["tokens"]
        }

    def as_(self, seat: str) -> dict[str, str]:
        """Returns the authorization header of ``gm``, ``spectator`` or a player by name."""
        return {"Authorization": f"Bearer {self.issued[seat]['token']}"}

    def ask(self, command: Mapping[str, Any] | list[Any], seat: str = "gm", **headers: str) -> httpx.Response:
        """Sends a POST request."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(f"{self.path}/commands", headers={**self.as_(seat), **said}, json=command)

    def do(self, command: Mapping[str, Any] | list[Any], seat: str = "gm", **headers: str) -> dict[str, Any]:
        """Sends a POST request that must succeed."""
        answer = self.ask(command, seat, **headers)
        assert answer.status_code == 201, answer.text
        done: dict[str, Any] = answer.json()
        return done

    def get(self, what: str, seat: str = "gm", **query: Any) -> Any:
        """Sends a GET request that must succeed."""
        answer = self.client.get(f"{self.path}/{what}", headers=self.as_(seat), params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def brawl(self) -> "Table":
        """Adds Ann, played by the gamemaster, and Bob, played by Kira; it is Ann's turn."""
        for who, player in (("ann", "gm"), ("bob", "kira")):
            self.do({"type": "Join", "who": who, "sheet": SHEET, "player": player})
        self.do({"type": "BeginCombat"})
        self.do({"type": "TypeDice", "key": "r1/ann/initiative", "faces": [87]})
        self.do({"type": "TypeDice", "key": "r1/bob/initiative", "faces": [12]})
        return self
