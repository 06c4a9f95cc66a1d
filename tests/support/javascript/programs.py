"""Node and Chromium for the tests of the JavaScript client, and what runs in them."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from client.brawl import host_token
from server.processes import PATIENCE, Served

from ledger.commands import Note
from replays.client import Founded, Host, RemoteSession

HERE = Path(__file__).parent
STEPS = HERE / "steps.js"
CHROMIUM = "chromium-headless-shell"
"""Debian's Chromium without its windows, which start a dozen processes that a test does not look at."""
REQUIRED = "AFFRAY_CHROMIUM_REQUIRED"
"""The environment variable that makes a missing program a failure; the gate sets it."""


def program(name: str) -> str:
    """Returns the path of `node`, `npm` or `CHROMIUM`; skips the test if it is missing and not required."""
    found = shutil.which(name)
    if found is None and not os.environ.get(REQUIRED):
        pytest.skip(f"{name} is not installed")
    assert found is not None, f"{name} is not installed"
    return found


def node(*words: str, text: str = "", **environment: str) -> str:
    """Runs Node on a file, or on the text of a module, and returns its output."""
    command = [program("node"), "--throw-deprecation", *(words or ("--input-type=module", "-"))]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, env={**os.environ, **environment}, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def steps(name: str, server: Served) -> Any:
    """Runs a function of `steps.js` in Node with the host's token, and returns its result."""
    return json.loads(node(str(HERE / "run.js"), name, server.url, host_token(server)))


@contextmanager
def session_with_a_note(server: Served) -> Iterator[tuple[Founded, RemoteSession]]:
    """Yields a session with one note, and the gamemaster's client of it."""
    with Host(server.url, host_token(server)) as host:
        founded = host.create_session(ruleset="gurps_3e")
        session = founded.gamemaster()
        session.perform(Note("one"))
        yield founded, session


class Running:
    """A function of `steps.js` that runs in Node, and what it has reported.

    Args:
        words: Its name, the server's address, a token, and further arguments.
    """

    def __init__(self, *words: str) -> None:
        self.reports: list[dict[str, Any]] = []
        command = [program("node"), "--throw-deprecation", str(HERE / "run.js"), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._arrived:
                self.reports.append(json.loads(line))
                self._arrived.notify_all()

    def until(self, holds: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Waits until something holds of the reports."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: holds(self.reports), PATIENCE), self.reports

    def end(self) -> list[dict[str, Any]]:
        """Waits until the function has returned, and returns all reports."""
        try:
            code = self.process.wait(PATIENCE)
            self._thread.join(PATIENCE)
            assert self.process.stderr is not None
            assert (code, self.process.stderr.read()) == (0, "")
            return self.reports
        finally:
            self.close()

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
