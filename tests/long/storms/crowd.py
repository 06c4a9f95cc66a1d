"""A crowd that writes over HTTP with retries, and the checks of the ledger when it has finished."""

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx
import msgspec
from long.part import Failed
from long.storms.tables import Asked, CrowdTable, PlayedTable
from server.faults_crowd import Writer
from server.processes import PATIENCE

from ledger.chain import check, genesis
from ledger.errors import Broken
from ledger.stores import Store, open_store

_REPEATED = 120
"""Requests that are repeated after a storm."""
_AWAY_SECONDS = 0.1
_AT_ONCE = 8
"""Keys that are looked up at the same time."""


@dataclass(frozen=True, order=True)
class Acknowledged:
    """A request that was performed: where its entries stand."""

    session: str
    first: int
    size: int

    @property
    def entries(self) -> list[int]:
        """Their numbers."""
        return list(range(self.first, self.first + self.size))


class BusyWriter(Writer):
    """Writes into tables, each request under its key, until it is stopped.

    Args:
        name: What its keys begin with.
        url: Of the server.
        tables: The sessions.
        answered: Is set whenever something has been acknowledged.
    """

    def __init__(self, name: str, url: str, tables: Sequence[CrowdTable], answered: threading.Event) -> None:
        self._answered = answered
        self.answers: dict[str, Acknowledged] = {}
        self.asked: dict[str, Asked] = {}
        self.refused: Counter[str] = Counter()
        """Requests that came too late at a `PlayedTable`, by the reason."""
        super().__init__(name, url, tables)

    def _asked(self, client: httpx.Client, table: Any, key: str) -> httpx.Response:
        try:
            if key not in self.asked:
                self.asked[key] = table.choose(client, key)
            return ask(client, table, key, self.asked[key])
        except httpx.ConnectError:
            time.sleep(_AWAY_SECONDS)  # else those who try again take the time that the server needs to come back
            raise

    def _heard(self, table: Any, key: str, answer: httpx.Response) -> bool:
        if answer.status_code == 201:
            self._answered.set()
            told = answer.json()
            entries = [entry["seq"] for entry in told["entries"]]
            self.answers[key] = Acknowledged(table.session, entries[0], len(entries))
            self.acknowledged[key] = table.session, entries[0]
            return True
        told = answer.json()
        if answer.status_code == 503:
            self.refusals[told["slug"]] += 1
            return False
        if isinstance(table, PlayedTable) and answer.status_code < 500:
            self.refused[told["slug"]] += 1
            return True
        raise Failed(f"{key} was answered {answer.status_code}: {answer.text[:500]}")


def ask(client: httpx.Client, table: CrowdTable, key: str, command: Asked) -> httpx.Response:
    """Makes a request under its key."""
    headers = {**table.as_("gm"), "Idempotency-Key": key}
    return client.post(f"{table.path}/commands", headers=headers, json=dict(command))


def check_crowd(ledger: str, writers: Sequence[BusyWriter], before: Mapping[str, int]) -> int:
    """Checks that all that was acknowledged is there, whole and once, and nothing else; returns how many entries.

    Args:
        ledger: The ledger's address.
        writers: Who wrote; they have ended.
        before: For each session the number of its last entry before they began.

    Raises:
        Failed: Something is lost, torn, doubled or invented, or a chain does not hold.
    """
    known = {key: where for writer in writers for key, where in writer.answers.items()}
    asked = {key: command for writer in writers for key, command in writer.asked.items()}
    with closing(open_store(ledger)) as store:
        for session, last in before.items():
            mine = {key: where for key, where in known.items() if where.session == session}
            commands = _commands(store, session)
            check_requests(commands, mine, asked, session, last)
            _check_keys(store, session, mine)
    return sum(where.size for where in known.values())


def _commands(store: Store, session: str) -> list[Asked]:
    """Returns the commands of a session's entries, in their order, having checked the chain."""
    try:
        return [msgspec.json.decode(record.line)["command"] for record in check(store.read(session), genesis(session))]
    except Broken as refusal:
        raise Failed(f"torn: {session}: {refusal}") from refusal


def check_requests(
    commands: Sequence[Asked], known: Mapping[str, Acknowledged], asked: Mapping[str, Asked], session: str, last: int
) -> None:
    """Checks that every entry behind the beginning belongs to one acknowledged request, and begins with its command.

    Raises:
        Failed: One is lost, doubled or invented.
    """
    owners: dict[int, str] = {}
    for key, where in known.items():
        for seq in where.entries:
            if seq in owners:
                raise Failed(f"lost: entry {seq} of {session} was acknowledged for {owners[seq]} and for {key}")
            if seq > len(commands):
                raise Failed(f"lost: {key} was acknowledged as {where}, and the log ends with entry {len(commands)}")
            owners[seq] = key
        there = commands[where.first - 1]
        if any(there.get(name) != value for name, value in asked[key].items()):
            raise Failed(f"lost: {key} was acknowledged as {where}, and entry {where.first} is {there}")
    for seq in range(last + 1, len(commands) + 1):
        if seq not in owners:
            raise Failed(f"doubled: entry {seq} of {session} belongs to no acknowledged request: {commands[seq - 1]}")


def _check_keys(store: Store, session: str, known: Mapping[str, Acknowledged]) -> None:
    def check_key(key: str) -> None:
        kept, where = [record.seq for record in store.batch(session, key)], known[key]
        if kept != where.entries:
            raise Failed(f"torn: under the key {key} stand the entries {kept} of {session}, not {where}")

    with ThreadPoolExecutor(_AT_ONCE) as threads:  # a ledger on other machines answers each after some milliseconds
        list(threads.map(check_key, known))  # raises what a check has raised


def _answered(client: httpx.Client, table: CrowdTable, key: str, command: Asked) -> httpx.Response:
    """Makes a request until the server has time for it, as clients do."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = ask(client, table, key, command)
        if answer.status_code != 503 or time.monotonic() > deadline:
            return answer
        time.sleep(_AWAY_SECONDS)


def repeat(client: httpx.Client, writers: Sequence[BusyWriter], tables: Sequence[CrowdTable], chance: Random) -> int:
    """Makes some requests again, each of which must be answered as it was then; returns how many.

    Raises:
        Failed: One is answered otherwise, or a log has become longer by it.
    """
    by_session = {table.session: table for table in tables}
    known = sorted((key, where, writer) for writer in writers for key, where in writer.answers.items())
    before = {table.session: table.get("state")["entries"] for table in tables}
    again = chance.sample(known, min(len(known), _REPEATED))
    for key, where, writer in again:
        answer = _answered(client, by_session[where.session], key, writer.asked[key])
        entries = [entry["seq"] for entry in answer.json().get("entries", ())]
        if answer.status_code != 201 or entries != where.entries:
            raise Failed(
                f"doubled: {key}, acknowledged as {where}, is answered {answer.text[:300]} when it is repeated"
            )
    after = {table.session: table.get("state")["entries"] for table in tables}
    if before != after:
        raise Failed(f"doubled: repeating requests has made logs longer: {before} became {after}")
    return len(again)
