"""Uses of sessions in a program that embeds them, each of which leaves the same state behind."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from long.heap import tracing
from long.heap.growth import Measured, census, measure

from ledger.commands import BeginCombat, Declare, Join, Note, TypeDice
from ledger.errors import Refused
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from replays.api.run_script import keep, perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse
from replays.exports.jsonl import bring_in
from replays.scripts.format import find_script, read

_SCRIPT = "street-fight"
_AMENDED = 20
"""An entry of that fight that can be amended."""
_KEY = "written once"


class SessionUse:
    """A long-lived session, and sessions that come and go, on one SQLite file.

    Args:
        folder: For the file.
        chance: Decides what is read.
    """

    def __init__(self, folder: Path, chance: Random) -> None:
        self._url = f"sqlite:///{folder}/embedded.db"
        self._chance = chance
        self._script = read(find_script(_SCRIPT)[1])
        self._session = keep(perform(self._script), open_store(self._url))
        self._session.perform(Note("once"), batch=_KEY)
        self._entries = self._session.log.last
        self.kinds: Mapping[str, Callable[[], object]] = {
            "state": self._session.state,
            "state earlier": lambda: self._session.state(at=self._any_entry()),
            "options": self._session.options,
            "entries": lambda: list(self._session.entries(after=self._any_entry() - 1)),
            "why": lambda: self._session.why("razor.wounds"),
            "audit": self._session.audit,
            "export": lambda: list(self._session.export()),
            "rehearsal": lambda: list(rehearse(self._session.log)),
            "preview": lambda: self._session.preview(_AMENDED, Change(drop=True), why="a mistake"),
            "refusals": self._refused,
            "repeats": lambda: self._session.perform(Note("once"), batch=_KEY),
            "opened again": self._opened_again,
            "played and let go": self._played,
            "imported and let go": lambda: bring_in(self._session.export(), MemoryStore()),
        }

    def measured(self, operations: int) -> Measured:
        """Returns this process's memory."""
        return measure(operations)

    def census(self, snapshot: Path) -> Mapping[str, int]:
        """Returns how many objects this process has of each type; where it is traced, writes a snapshot."""
        tracing.dump(snapshot)
        return census()

    def check(self) -> None:
        """Sees that the long-lived session is as it was."""
        assert self._session.log.last == self._entries

    def close(self) -> None:
        """Lets go of the file."""
        self._session.close()

    def _any_entry(self) -> int:
        return self._chance.randint(1, self._entries)

    def _refused(self) -> None:
        for command in (
            Declare("dance", "razor"),
            TypeDice("nothing/such", (3,)),
            Join("", {}),
            BeginCombat({"no": 1}),
        ):
            with suppress(Refused):
                self._session.perform(command)
                raise AssertionError(f"{command} should have been refused")

    def _opened_again(self) -> None:
        with closing(open_store(self._url)) as store:
            Session(store, self._session.id).state()

    def _played(self) -> None:
        played = perform(self._script)
        played.undo()
        played.redo()
