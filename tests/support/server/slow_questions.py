"""Questions that keep workers busy; a worker imports this module by its name."""

import os
import time
from pathlib import Path
from typing import Any, ClassVar

from ledger.commands import Note
from ledger.errors import Broken, Refused, Stale
from replays.api.session import Session
from replays.server.callers.seat_token import Caller
from replays.server.runtime.questions.of_sessions import SessionQuestion


class Wait(SessionQuestion, frozen=True):
    """Runs until a file exists; reports its start, and returns the id of its process."""

    is_brief: ClassVar[bool] = False
    folder: str
    name: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns the id of the process that answered."""
        (Path(self.folder) / f"{self.name}.{os.getpid()}").touch()
        while not (Path(self.folder) / "go").exists():
            time.sleep(0.005)
        return os.getpid()


class BriefWait(Wait, frozen=True):
    """The same question, declared as brief."""

    is_brief: ClassVar[bool] = True


class Ask(SessionQuestion, frozen=True):
    """Answers at once: the session, its number of entries, and the process id."""

    is_brief: ClassVar[bool] = False

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns these."""
        return session.id, session.log.last, os.getpid()


class WhichObject(SessionQuestion, frozen=True):
    """Answers with the identity of the worker's session, and its number of entries."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Returns these."""
        return [os.getpid(), id(session)], session.log.last


class Write(SessionQuestion, frozen=True):
    """Writes, which a question must not do."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Writes, or is refused."""
        session.perform(Note("From a worker."))


class Refuse(SessionQuestion, frozen=True):
    """Is refused."""

    how: str

    def answer(self, session: Session, caller: Caller) -> Any:
        """Raises an error of a chosen kind."""
        kinds: dict[str, Exception] = {
            "plain": Refused("no", where="there", accepts="this"), "stale": Stale(3, 4), "broken": Broken("torn", seq=7),
            "fault": KeyError("what?"), "memory": MemoryError(),
        }  # fmt: skip
        raise kinds[self.how]


class Hoard(SessionQuestion, frozen=True):
    """Takes more and more memory."""

    def answer(self, session: Session, caller: Caller) -> Any:
        """Never returns."""
        kept = []
        while True:
            kept.append(bytearray(10_000_000))
