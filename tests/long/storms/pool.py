"""Writers in separate processes, which are killed at random moments and replaced."""

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from long.part import Failed
from long.storms.claims import Claims

_EARLY = 0.12
"""Share of the writers that are killed while they open the ledger, if not before."""
_OPENING = 0.4
"""Seconds within which that is."""
_LIFE = 0.25
"""Seconds, at most, from a writer's first request to its end."""
_PATIENCE = 60.0
"""Seconds in which a writer must begin."""


class _Writer:
    """A process that writes, and when it is to be killed."""

    def __init__(self, url: str, session: str, name: str, folder: Path, chance: Random) -> None:
        self.output, self.errors = folder / f"{name}.txt", folder / f"{name}.errors"
        self._life = chance.random() * _LIFE
        self._began = time.monotonic()
        self.ends = self._began + chance.random() * _OPENING if chance.random() < _EARLY else float("inf")
        command = [sys.executable, "-m", "long.storms.writer", url, session, name, str(chance.random())]
        with self.output.open("ab") as output, self.errors.open("ab") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)

    def look(self) -> None:
        """Fixes when it is killed, once it has asked for something."""
        if self.process.poll() is not None:
            raise Failed(f"a writer ended by itself: {self.errors.read_text()[-2000:]}")
        if self.ends < float("inf"):
            return
        if self._has_asked():
            self.ends = time.monotonic() + self._life
        elif time.monotonic() - self._began > _PATIENCE:
            raise Failed("a writer does not begin")

    @property
    def acknowledged(self) -> int:
        """How many requests were acknowledged so far."""
        return self.output.read_bytes().count(b"\ndone ")

    def _has_asked(self) -> bool:
        return b"\nask " in self.output.read_bytes()[:400]

    def described(self) -> str:
        """Returns the request that it makes, how often that was refused for each reason, and twice where it is."""
        for _ in range(2):
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(1.0)
        *_, last = self.output.read_text().split("\nask ")
        asked, *refused = last.splitlines()
        return f"{asked}, {dict(Counter(refused))}, {self.errors.read_text()}"

    def kill(self) -> None:
        """Ends it as a power cut would, and waits for it.

        Raises:
            Failed: It had ended by itself.
        """
        self.process.kill()
        if self.process.wait() != -signal.SIGKILL:
            raise Failed(f"a writer ended by itself: {self.errors.read_text()[-2000:]}")


class Pool:
    """So many writers at one ledger, until they are stopped.

    Args:
        url: The ledger.
        sessions: Into which they write, in turn.
        folder: For what they write down.
        chance: Decides when each is killed.
        name: What their names begin with; unique for the ledger.
    """

    def __init__(self, url: str, sessions: Sequence[str], folder: Path, chance: Random, name: str) -> None:
        self._url, self._sessions, self._folder, self._chance, self._name = url, sessions, folder, chance, name
        self._all: list[_Writer] = []
        self._living: list[_Writer] = []
        folder.mkdir(parents=True, exist_ok=True)

    def start(self, count: int) -> None:
        """Starts so many more."""
        for _ in range(count):
            number = len(self._all)
            session = self._sessions[number % len(self._sessions)]
            made = _Writer(self._url, session, f"{self._name}w{number}", self._folder, self._chance)
            self._all.append(made)
            self._living.append(made)

    def kill(self, count: int) -> None:
        """Kills so many, each at its moment, and replaces each while more are to be killed."""
        try:
            for left in range(count, 0, -1):
                writer = self._next()
                writer.kill()
                self._living.remove(writer)
                if left > len(self._living) + 1:
                    self.start(1)
        finally:
            self.stop()

    def _next(self) -> _Writer:
        """Waits until the moment of one has come."""
        while True:
            for writer in self._living:
                writer.look()
            first = min(self._living, key=lambda each: each.ends)
            if first.ends <= time.monotonic():
                return first
            time.sleep(min(0.005, max(0.0, first.ends - time.monotonic())))

    def wait_for_more(self) -> None:
        """Waits until each that lives has had something more acknowledged; none is killed meanwhile."""
        before = [writer.acknowledged for writer in self._living]
        end = time.monotonic() + _PATIENCE
        while any(writer.acknowledged <= old for writer, old in zip(self._living, before, strict=True)):
            for writer in self._living:
                writer.look()
            if time.monotonic() > end:
                stuck = [each for each, old in zip(self._living, before, strict=True) if each.acknowledged <= old]
                raise Failed(f"a writer does not go on: {'; '.join(each.described() for each in stuck)}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Kills all that live."""
        with ExitStack() as ended:
            while self._living:
                ended.callback(self._living.pop().kill)

    def claims(self) -> Claims:
        """Returns the requests and acknowledgments of all writers."""
        claims = Claims()
        for writer in self._all:
            claims.read(writer.output)
        return claims

    def check_errors(self) -> None:
        """Refuses a traceback or any other word on standard error."""
        for writer in self._all:
            words = writer.errors.read_text()
            if words.strip():
                raise Failed(f"a writer says: {words[-2000:]}")
