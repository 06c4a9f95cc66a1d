"""Sessions whose odds take many seconds, callers that ask for them, and the worker processes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from server.faults_processes import descendants, until
from server.faults_raw import dialed
from server.processes import Served, Table, served

from ledger import chain
from ledger.commands import BeginCombat, Declare, Join, TypeDice
from ledger.stores import open_store
from replays import Session
from replays.server.callers.keys import signing_keys
from replays.server.callers.tokens import Scope, Signer, Token
from replays.sessions.log import Draft, sealed

_CAUGHT = 12
"""Number of combatants in the blast whose odds are asked for: so many must be sampled, for some 12 s on a quiet machine."""
_FIGURES = ("agility", "charisma", "intuition", "logic", "reaction", "strength", "willpower")
_SHEET = dict.fromkeys(_FIGURES, 1) | {"body": 10, "skills": {"throwing weapons": 6}, "weapons": ["high explosive"]}
_AT = "2026-01-01T00:00:00.000Z"


@cache
def _drafts() -> Sequence[Draft]:
    others = [f"thug-{number}" for number in range(_CAUGHT)]
    session = Session.create("memory://", ruleset="shadowrun_4e", title="A blast")
    terms = {"at": others[0], "using": "high explosive", "distance": 10, "unaware": True}
    for command in (
        *(Join(who, _SHEET) for who in ("razor", *others)),
        BeginCombat(),
        TypeDice("r1/razor/initiative", (6,) * 2),
        *(TypeDice(f"r1/{who}/initiative", (1,) * 2) for who in others),
        Declare("attack", "razor", {**terms, "caught": {who: {"meters": 1} for who in others}}),
    ):
        session.perform(command)
    return [
        Draft(each.command, each.events, each.by, each.after, each.rules_version, each.origin)
        for each in session.entries()
    ]


class Slow(Table):
    """A table whose odds take long.

    Args:
        server: The server.
        session: The session's id.
    """

    def __init__(self, server: Served, session: str) -> None:
        self.client = server.client()
        self.session = session
        self.path = f"/v1/sessions/{session}"
        signer = Signer(signing_keys(server.folder / "affray.keys"))
        tokens = {seat: Token(f"{seat}-{session}", Scope(seat), session, seat) for seat in ("gm", "spectator")}
        self.issued = {seat: {"token": signer.sign(token)} for seat, token in tokens.items()}

    @contextmanager
    def asking(self, server: Served, seat: str = "spectator") -> Iterator[Any]:
        """Requests the odds during the block, then disconnects."""
        token = self.as_(seat)["Authorization"]
        lines = (f"POST {self.path}/odds HTTP/1.1", "Host: x", f"Authorization: {token}", "Content-Length: 2", "", "{}")
        with dialed(server) as made:
            made.sendall("\r\n".join(lines).encode())
            yield made


@contextmanager
def slow_tables(folder: Path, count: int, *options: str) -> Iterator[tuple[Served, list[Slow]]]:
    """Yields a server with such sessions."""
    store = open_store(f"sqlite:///{folder}/affray.db")
    names = [f"SLOW{number}" for number in range(count)]
    for name in names:  # the same fight as another session: every digest differs
        secrets = [b"s" * chain.SECRET] * len(_drafts())
        store.create(name, sealed(_drafts(), _AT, secrets, chain.genesis(name))[0])
    store.close()
    with served(folder, "--rate", "0", *options) as server:
        tables = [Slow(server, name) for name in names]
        yield server, tables
        for table in tables:
            table.client.close()


def reckoning(server: Served) -> list[int]:
    """Returns the worker processes for long questions: their scheduling priority is lower."""
    return [pid for pid in descendants(server.process.pid) if _calm(pid)]


def wait_for_workers(server: Served, count: int) -> list[int]:
    """Waits until there are this many."""
    until(lambda: len(reckoning(server)) == count)
    return reckoning(server)


def _calm(pid: int) -> bool:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16]) > 0
    except (FileNotFoundError, ProcessLookupError):
        return False
