"""A crowd that writes over HTTP and does not give up, and what the ledger must say of it when it has finished."""

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import httpx
import msgspec
from server.faults_crowd import Writer
from server.processes import Table

from ledger.chain import check, genesis
from ledger.errors import Broken
from ledger.stores import Store, open_store
from long.part import Failed

_REPEATED = 120
"""Requests that are repeated after a storm."""
_AWAY_SECONDS = 0.1


class StruckTable(Table):
    """A table at which a blow has been struck; a modifier on its roll makes all that followed be performed again."""

    ROLL = "r1/ann/a1/attack/to-hit"
    _DAMAGE = "r1/ann/a1/attack/damage"

    def __init__(self, client: httpx.Client, host: Mapping[str, str]) -> None:
        super().__init__(client, host)
        self.brawl()
        self.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
        while not any(rest["by"] == "ann" and "options" in rest for rest in self.get("rests")):
            self._answer(self.get("rests")[0])

    def _answer(self, rest: Mapping[str, Any]) -> None:
        if "dice" in rest:
            face = {self.ROLL: 11, self._DAMAGE: 3}.get(rest["key"], 77)
            self.do({"type": "TypeDice", "key": rest["key"], "faces": [face]})
        else:
            self.do({"type": "Choose", "key": rest["key"], "option": rest["options"][0]["option"]})


@dataclass(frozen=True, order=True)
class Acknowledged:
    """A request that was answered: where its entries stand."""

    session: str
    first: int
    size: int


class BusyWriter(Writer):
    """Writes notes and modifiers into tables, each under its key, until it is told to end."""

    def __init__(self, name: str, url: str, tables: Sequence[Table]) -> None:
        self.answers: dict[str, Acknowledged] = {}
        super().__init__(name, url, tables)

    def _asked(self, client: httpx.Client, table: Table, key: str) -> httpx.Response:
        try:
            return ask(client, table, key)
        except httpx.ConnectError:
            time.sleep(_AWAY_SECONDS)  # else those who try again take the time that the server needs to come back
            raise

    def _heard(self, table: Table, key: str, answer: httpx.Response) -> bool:
        if answer.status_code == 201:
            entries = [entry["seq"] for entry in answer.json()["entries"]]
            self.answers[key] = Acknowledged(table.session, entries[0], len(entries))
            self.acknowledged[key] = table.session, entries[0]
            return True
        if answer.status_code != 503:
            raise Failed(f"{key} was answered {answer.status_code}: {answer.text[:500]}")
        self.refusals[answer.json()["slug"]] += 1
        return False


def ask(client: httpx.Client, table: Table, key: str) -> httpx.Response:
    """Makes the request that belongs to a key: a note, or where a blow was struck a modifier, which makes many entries."""
    command: dict[str, Any] = {"type": "Note", "text": key}
    if isinstance(table, StruckTable):
        command = {"type": "ApplyModifier", "key": table.ROLL, "value": crc32(key.encode()) % 61 - 30 or 1, "why": key}
    headers = {**table.as_("gm"), "Idempotency-Key": key}
    return client.post(f"{table.path}/commands", headers=headers, json=command)


def check_crowd(ledger: str, writers: Sequence[BusyWriter], tables: Sequence[Table]) -> int:
    """Checks that all that was acknowledged is there, whole and once, and nothing else; returns how many entries.

    Raises:
        Failed: Something is lost, torn, doubled or invented, or a chain does not hold.
    """
    known = {key: where for writer in writers for key, where in writer.answers.items()}
    with closing(open_store(ledger)) as store:
        for table in tables:
            mine = {key: where for key, where in known.items() if where.session == table.session}
            _check_session(store, table.session, mine)
    return sum(where.size for where in known.values())


def _check_session(store: Store, session: str, known: Mapping[str, Acknowledged]) -> None:
    try:
        lines = [msgspec.json.decode(record.line) for record in check(store.read(session), genesis(session))]
    except Broken as refusal:
        raise Failed(f"torn: {session}: {refusal}") from refusal
    found: dict[str, Acknowledged] = {}
    for key, where in _requests(lines, session):
        if key in found:
            raise Failed(f"doubled: {key} is entry {found[key].first} of {session}, and again entry {where.first}")
        found[key] = where
    if found.keys() - known.keys():
        raise Failed(f"invented: {session} has {sorted(found.keys() - known.keys())[:5]}, which were never acknowledged")
    for key, where in known.items():
        if found.get(key) != where:
            raise Failed(f"{'torn' if key in found else 'lost'}: {key} was acknowledged as {where}, and is {found.get(key)}")
        kept = [record.seq for record in store.batch(session, key)]
        if kept != list(range(where.first, where.first + where.size)):
            raise Failed(f"torn: under the key {key} stand the entries {kept} of {session}, not {where}")


def _requests(lines: Sequence[Mapping[str, Any]], session: str) -> Iterable[tuple[str, Acknowledged]]:
    """Yields the crowd's requests in a log: an entry without an origin and those that are performed again behind it."""
    starts = [at for at, line in enumerate(lines) if line["origin"] is None]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        command = lines[start]["command"]
        key = command.get("text") if command["type"] == "Note" else command.get("why", "")
        if command["type"] in ("Note", "ApplyModifier"):
            yield str(key), Acknowledged(session, lines[start]["seq"], end - start)


def repeat(client: httpx.Client, writers: Sequence[BusyWriter], tables: Sequence[Table], chance: Random) -> int:
    """Makes some requests again, each of which must be answered as it was then; returns how many.

    Raises:
        Failed: One is answered otherwise, or a log has become longer by it.
    """
    by_session = {table.session: table for table in tables}
    known = sorted((key, where) for writer in writers for key, where in writer.answers.items())
    before = {table.session: table.get("state")["entries"] for table in tables}
    again = chance.sample(known, min(len(known), _REPEATED))
    for key, where in again:
        answer = ask(client, by_session[where.session], key)
        entries = [entry["seq"] for entry in answer.json().get("entries", ())]
        if answer.status_code != 201 or entries != list(range(where.first, where.first + where.size)):
            raise Failed(f"doubled: {key}, acknowledged as {where}, is answered {answer.text[:300]} when it is repeated")
    after = {table.session: table.get("state")["entries"] for table in tables}
    if before != after:
        raise Failed(f"doubled: repeating requests has made logs longer: {before} became {after}")
    return len(again)
