"""What a server does under load, client included, on loopback; run by hand: ``python tests/benchmarks/load_server.py``.

A bounded number of requests each time: commands of real fights, each session's own client waiting for its answer before
it goes on, and in turns with it the same bodies to a route of bare Litestar behind the same uvicorn, for the ratio, the
median round of each; commands at half the rate that is asked for, by the clock, for the time that answers take; entries
to live readers; sessions by the thousand, for the memory. ``--ledger postgresql://…`` for another store.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

import httpx
import msgspec
from benchmarks.fights import Fighters
from benchmarks.report import Row, at_least, at_most, table
from server.processes import Served, served
from websockets.asyncio.client import ClientConnection, connect

from ledger.chain import Record, genesis
from ledger.commands import Command, DrawDice, TypeDice
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from replays import Session
from replays.log import Draft, sealed
from replays.script import find, read
from replays.scripted import join
from replays.server.keys import signing_keys
from replays.server.tokens import Scope, Signer, Token

WANTED = 800
"""Durable commands a second, on SQLite, in one process."""
CLIENTS = 8
COMMANDS = 500
"""Of each client."""
ROUNDS = 7
"""How often they are sent as fast as they are answered, a part of them each time."""
READERS = 200
TOLD = 60
"""Commands that the readers hear of."""
STORED, LONG, MEGABYTES = 10_000, 200, 300.0


# ------------------------------------------------------------------------------------------------ what is asked


def commands(count: int, seed: int = 1) -> list[Command]:
    """The commands of a fight that goes on and on, dice typed, so that it is the same fight wherever it is played."""
    script, fighters = read(find("stoya")[1]), Fighters(seed)
    session = Session.create(MemoryStore(), ruleset=script.ruleset, profile=script.profile, draw=fighters.draw)
    asked: list[Command] = [join(who, one) for who, one in script.combatants.items()]
    for command in asked:
        session.perform(command)
    while len(asked) < count:
        done = session.perform(fighters.command(session.combat)).command
        asked.append(TypeDice(done.key, done.faces) if isinstance(done, DrawDice) else done)
    return asked


def found(server: Served) -> tuple[str, str]:
    """A new session: its path and the gamemaster's token."""
    asked = {"ruleset": "eclipse_phase_1e", "profile": "first printing", "title": "Load"}
    with server.client() as client:
        made = client.post("/v1/sessions", headers=server.host, json=asked).raise_for_status().json()
    return f"/v1/sessions/{made['session']}", made["tokens"][0]["token"]


class Caller:
    """A client that costs little: one connection, one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._head = f"POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-length: ".encode()

    async def post(self, body: bytes) -> int:
        """One request; returns the status."""
        self._writer.write(self._head + b"%d\r\n\r\n" % len(body) + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
        await self._reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        self._writer.close()


async def calling(port: int, path: str, token: str) -> Caller:
    return Caller(*await asyncio.open_connection("127.0.0.1", port), path, token)


# ------------------------------------------------------------------------------------------------ throughput


async def at_once(port: int, seats: Sequence[tuple[str, str]], bodies: Sequence[bytes]) -> float:
    """Commands a second, each client as fast as it is answered."""
    callers = [await calling(port, path, token) for path, token in seats]

    async def go_on(caller: Caller) -> None:
        for body in bodies:
            status = await caller.post(body)
            assert status == 201, status

    began = time.perf_counter()
    await asyncio.gather(*map(go_on, callers))
    seconds = time.perf_counter() - began
    for caller in callers:
        caller.close()
    return len(callers) * len(bodies) / seconds


def tables(server: Served) -> list[tuple[str, str]]:
    """A new session for each client: where it sends its commands, and its token."""
    return [(f"{path}/commands", token) for path, token in (found(server) for _ in range(CLIENTS))]


def rounds(server: Served, other: Served, bodies: Sequence[bytes]) -> tuple[list[float], list[float]]:
    """Commands a second, and what the bare route answers a second, in turns; what is asked first is not measured."""
    ours, plain, size = [], [], len(bodies) // (ROUNDS + 1)
    seats = tables(server)
    for first in range(0, (ROUNDS + 1) * size, size):
        part = bodies[first : first + size]
        ours.append(asyncio.run(at_once(server.port, seats, part)))
        plain.append(asyncio.run(at_once(other.port, [("/bare", "")] * CLIENTS, part)))
    return ours[1:], plain[1:]


async def by_the_clock(
    port: int, seats: Sequence[tuple[str, str]], bodies: Sequence[bytes], rate: float
) -> list[float]:
    """Seconds from when a command was due until it was answered, at so many a second in all."""
    callers = [await calling(port, path, token) for path, token in seats]
    pause, began = len(callers) / rate, time.perf_counter() + 0.1
    took: list[float] = []

    async def go_on(place: int, caller: Caller) -> None:
        for number, body in enumerate(bodies):
            due = began + (number + place / len(callers)) * pause
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            assert await caller.post(body) == 201
            took.append(time.perf_counter() - due)

    await asyncio.gather(*(go_on(place, caller) for place, caller in enumerate(callers)))
    for caller in callers:
        caller.close()
    return took


# ------------------------------------------------------------------------------------------------ the feed


async def heard(server: Served, path: str, token: str, bodies: Sequence[bytes]) -> list[float]:
    """Seconds from when a command was sent until each reader had its entry."""
    readers = [await connect(f"ws://127.0.0.1:{server.port}{path}/feed", compression=None) for _ in range(READERS)]
    for reader in readers:
        await reader.send(json.dumps({"token": token}))
        assert json.loads(await reader.recv())["seq"] == 1
    sent: dict[int, float] = {}
    took: list[float] = []

    async def listen(reader: ClientConnection) -> None:
        for number in range(2, len(bodies) + 2):
            told = await reader.recv()
            took.append(time.perf_counter() - sent[number])
            assert f'"seq":{number},' in str(told)[:20], told

    listening = asyncio.gather(*map(listen, readers))
    caller = await calling(server.port, f"{path}/commands", token)
    for number, body in enumerate(bodies, 2):
        sent[number] = time.perf_counter()
        assert await caller.post(body) == 201
        await asyncio.sleep(0.1)
    await listening
    caller.close()
    for reader in readers:
        await reader.close()
    return took


# ------------------------------------------------------------------------------------------------ memory


def stored(ledger: str, count: int, entries: int) -> list[str]:
    """Write so many sessions of so many entries; returns their ids."""
    script = read(find("stoya")[1])
    first = Session.create(MemoryStore(), ruleset=script.ruleset, profile=script.profile, session="FIRST")
    for command in commands(entries - 1):
        first.perform(command)
    drafts = [
        Draft(each.command, each.events, each.by, each.after, each.rules_version, each.origin)
        for each in first.entries()
    ]
    store = open_store(ledger)
    names = [f"STORED{number:05}" for number in range(count)]
    for name in names:
        store.create(name, _records(drafts, name))
    store.close()
    return names


def _records(drafts: Sequence[Draft], name: str) -> Sequence[Record]:
    return sealed(drafts, "2026-01-01T00:00:00.000Z", [b"s" * 16] * len(drafts), genesis(name))[0]


def resident(process: int) -> float:
    """Megabytes of a process and its children."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


async def read_all(server: Served, names: Sequence[str], signer: Signer) -> float:
    """Ask for the state of every session; returns the most that the server took."""
    most = 0.0
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        for number, name in enumerate(names):
            token = signer.sign(_gm(name))
            answer = await client.get(f"/v1/sessions/{name}/state", headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200, answer.text
            if number % 100 == 0:
                most = max(most, resident(server.process.pid))
    return max(most, resident(server.process.pid))


def _gm(session: str) -> Token:
    return Token("0", Scope.GM, session, "gm")


# ------------------------------------------------------------------------------------------------ bare Litestar

BARE = """
import sys, socket, uvicorn
from typing import Any
from litestar import Litestar, post

@post("/bare")
async def bare(data: dict[str, Any]) -> dict[str, Any]:
    return data

made = socket.create_server(("127.0.0.1", 0), backlog=2048)
print("Affray listens at http://127.0.0.1:%d" % made.getsockname()[1], flush=True)
config = uvicorn.Config(Litestar([bare], openapi_config=None), log_config=None, access_log=False, lifespan="on")
uvicorn.Server(config).run(sockets=[made])
"""


@contextmanager
def bare(folder: Path) -> Iterator[Served]:
    with served(folder, wrapper=("-c", BARE)) as server:
        yield server


# ------------------------------------------------------------------------------------------------ all of it


def measured(folder: Path, ledger: str | None, only: Sequence[str]) -> Iterator[Row]:
    signing_keys(folder / "affray.keys", create=True)
    bodies = [msgspec.json.encode(command) for command in commands(COMMANDS)]
    options: Mapping[str, Any] = {} if ledger is None else {"ledger": ledger}
    if not only or "commands" in only:
        with bare(folder) as other, served(folder, "--rate", "0", **options) as server:
            ours, plain = rounds(server, other, bodies)
            took = asyncio.run(by_the_clock(server.port, tables(server), bodies, WANTED / 2))
        reached, theirs = median(ours), median(plain)
        yield Row(what="durable commands over HTTP", ours=reached, unit="/s", goal=at_least(WANTED))
        yield Row(what="the same beside a bare route", ours=reached, unit="/s", beside="bare Litestar", theirs=theirs)
        yield Row(what=f"p50 at {WANTED // 2}/s", ours=1000 * quantiles(took, n=100)[49], unit="ms")
        yield Row(what=f"p99 at {WANTED // 2}/s", ours=1000 * quantiles(took, n=100)[98], unit="ms", goal=at_most(50))
    if not only or "feed" in only:
        with served(folder, "--rate", "0", **options) as server:
            path, token = found(server)
            took = asyncio.run(heard(server, path, token, bodies[:TOLD]))
        what = f"an entry to {READERS} live readers"
        yield Row(what=f"{what}: p50", ours=1000 * quantiles(took, n=100)[49], unit="ms")
        yield Row(what=f"{what}: the last", ours=1000 * max(took), unit="ms", goal=at_most(100))
    if not only or "memory" in only:
        yield from memory(folder, ledger)


def memory(folder: Path, ledger: str | None) -> Iterator[Row]:
    path = ledger or f"sqlite:///{folder}/many.db"
    names = stored(path, STORED, LONG)
    with served(folder, "--rate", "0", ledger=path) as server:
        began = resident(server.process.pid)
        most = asyncio.run(read_all(server, names, Signer(signing_keys(folder / "affray.keys"))))
    what = f"{STORED:,} sessions of {LONG} entries, each asked for"
    yield Row(what="a server that has done nothing yet", ours=began, unit="MB")
    yield Row(what=what, ours=most, unit="MB", goal=at_most(MEGABYTES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", choices=["commands", "feed", "memory", []], help="what; left out, all")
    parser.add_argument("--ledger", help="an address; left out, an SQLite file in a temporary folder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="affray-load-") as folder:
        print(table(list(measured(Path(folder), asked.ledger, asked.only))))


if __name__ == "__main__":
    main()
