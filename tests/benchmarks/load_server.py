"""Measures a server under load, client included, on loopback. Run it by hand: ``python tests/benchmarks/load_server.py``.

A bounded number of requests each time, in turns with the same to bare Litestar behind the same uvicorn, which may commit them to
SQLite: every row is the ratio of the two. Commands of real fights, each session's own client waiting for its answer before it goes on, the median round of each;
commands at half the rate that both reach, by the clock, for the time that answers take; entries to live readers, beside a route
that hands its body on to as many; sessions by the thousand, for the memory, beside the server that has read none. ``--quick`` for
fewer and smaller ones, in less than a minute; ``--ledger postgresql://…`` for another store.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / inner) for inner in ("support", "", "..")]

import httpx
import msgspec
from benchmarks.fights import Fighters
from benchmarks.report import Goal, Row, at_least, at_most, table
from server.processes import Served, served

from ledger.chain import Record, genesis
from ledger.commands import Command, DrawDice, TypeDice
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from replays import Session
from replays.scripts.format import find_script, read
from replays.scripts.scripted_answers import join
from replays.server.callers.keys import signing_keys
from replays.server.callers.tokens import Scope, Signer, Token
from replays.sessions.log import Draft, sealed

CLIENTS = 8
MANY_READERS = 1_000
LEAST_OF_WORKERS = {1: 1.0, 2: 1.2, 4: 1.0}
"""The least that several processes reach, on two cores that the client shares, as a multiple of one."""
PROCESSES = tuple(LEAST_OF_WORKERS)
BARE_LITESTAR, COMMITTING = "bare Litestar", "bare Litestar and SQLite"


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes of one run; every run prints all rows."""

    commands: int = 500
    """Commands of each client."""
    rounds: int = 7
    """Number of rounds; each sends a part of the commands, without pauses."""
    readers: int = 200
    published: int = 60
    """Commands whose entries the readers wait for."""
    stored: int = 10_000
    """Number of stored sessions; each is requested once."""
    long: int = 200
    """Entries of each stored session."""


WHOLE = Load()
QUICK = Load(commands=120, rounds=3, readers=50, published=15, stored=400)


# ------------------------------------------------------------------------------------------------ requests


def commands(count: int, seed: int = 1) -> list[Command]:
    """Returns the commands of a long fight with typed dice, so that every run plays the same fight."""
    script, fighters = read(find_script("stoya")[1]), Fighters(seed)
    session = Session.create(MemoryStore(), ruleset=script.ruleset, profile=script.profile, draw=fighters.draw)
    asked: list[Command] = [join(who, one) for who, one in script.combatants.items()]
    for command in asked:
        session.perform(command)
    while len(asked) < count:
        done = session.perform(fighters.command(session.combat)).command
        asked.append(TypeDice(done.key, done.faces) if isinstance(done, DrawDice) else done)
    return asked


def found(server: Served) -> tuple[str, str]:
    """Creates a session and returns its path and the gamemaster's token."""
    asked = {"ruleset": "eclipse_phase_1e", "profile": "first printing", "title": "Load"}
    with server.client() as client:
        made = client.post("/v1/sessions", headers=server.host, json=asked).raise_for_status().json()
    return f"/v1/sessions/{made['session']}", made["tokens"][0]["token"]


class Caller:
    """A cheap HTTP client: one connection, one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._head = f"POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-length: ".encode()

    async def post(self, body: bytes) -> int:
        """Sends one request and returns the status."""
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
    """Returns commands a second; each client sends its next request as soon as it has the answer."""
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
    """Creates a session for each client and returns the path for its commands and its token."""
    return [(f"{path}/commands", token) for path, token in (found(server) for _ in range(CLIENTS))]


def bare_routes(path: str) -> list[tuple[str, str]]:
    """Returns the path of a bare route for each client, without a token."""
    return [(path, "")] * CLIENTS


def rounds(server: Served, other: Served, bodies: Sequence[bytes], count: int) -> tuple[float, float, float]:
    """Measures commands a second, and requests a second of two bare routes, in alternation; the first round is a warm-up.

    Returns:
        Ours; that of a route that does nothing; that of one that writes the body into a file of SQLite, durably.
    """
    ours, plain, kept, size = list[float](), list[float](), list[float](), len(bodies) // (count + 1)
    seats = tables(server)
    for first in range(0, (count + 1) * size, size):
        part = bodies[first : first + size]
        ours.append(asyncio.run(at_once(server.port, seats, part)))
        plain.append(asyncio.run(at_once(other.port, bare_routes("/bare"), part)))
        kept.append(asyncio.run(at_once(other.port, bare_routes("/kept"), part)))
    return median(ours[1:]), median(plain[1:]), median(kept[1:])


async def by_the_clock(
    port: int, seats: Sequence[tuple[str, str]], bodies: Sequence[bytes], rate: float
) -> list[float]:
    """Returns the seconds from when each command was due until its answer, at a total rate."""
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


class Reader(asyncio.Protocol):
    """A cheap WebSocket client, which records when each message has arrived.

    Args:
        path: The path of the feed.
        greeting: The first message to send.
    """

    def __init__(self, path: str, greeting: bytes) -> None:
        head = f"GET {path} HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
        assert 125 < len(greeting) < 65_536
        self._greeting = b"\x81\xfe" + len(greeting).to_bytes(2, "big") + bytes(4) + greeting  # masked with zeros
        self._head = head.encode() + b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        self._buffer = b""
        self._is_open = False
        self.arrived: list[float] = []
        self.changed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        transport.write(self._head)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, separator, rest = self._buffer.partition(b"\r\n\r\n")
            if not separator:
                return
            assert b" 101 " in head, head
            self._is_open, self._buffer = True, rest
            self._transport.write(self._greeting)  # a server may ignore what arrives with the head
        now = time.perf_counter()
        while (size := _frame_size(self._buffer)) is not None and len(self._buffer) >= size:
            frame, self._buffer = self._buffer[:size], self._buffer[size:]
            if frame[0] == 0x89:  # a ping
                self._transport.write(bytes([0x8A, 0x80 | frame[1]]) + bytes(4) + frame[2:])
                continue
            assert frame[0] == 0x81, f"no text message: {frame!r}"
            self.arrived.append(now)
            self.changed.set()

    async def wait_for(self, count: int) -> None:
        """Waits until a number of messages has arrived."""
        while len(self.arrived) < count:
            self.changed.clear()
            await self.changed.wait()


def _frame_size(data: bytes) -> int | None:
    """Returns the size of the frame that begins here; None if its head is incomplete."""
    if len(data) < (4 if data[1:2] > b"\x7d" else 2):
        return None
    short = data[1] & 0x7F
    return 2 + short if short < 126 else 4 + int.from_bytes(data[2:4], "big")


async def latencies(
    ports: Sequence[int], path: str, to: str, token: str, bodies: Sequence[bytes], readers: int
) -> list[float]:
    """Returns the seconds from sending each body until each reader received it; body by body, the last reader last.

    Args:
        ports: Those of the servers: the bodies are sent to the first one, and the readers are distributed over all.
        path: The path of the feed; it sends one message on connecting.
        to: The path to send the bodies to.
        token: The token of the sender and of all readers.
        bodies: The bodies, sent one every 0.1 s.
        readers: Number of readers.
    """
    loop, greeting = asyncio.get_running_loop(), json.dumps({"token": token}).encode()
    made = [
        await loop.create_connection(lambda: Reader(path, greeting), "127.0.0.1", ports[number % len(ports)])
        for number in range(readers)
    ]
    listeners = [listener for _, listener in made]
    for listener in listeners:
        await listener.wait_for(1)
    took: list[float] = []
    caller = await calling(ports[0], to, token)
    for number, body in enumerate(bodies, 2):
        sent = time.perf_counter()
        assert await caller.post(body) == 201
        await asyncio.sleep(0.1)
        for listener in listeners:
            await listener.wait_for(number)
        took += sorted(listener.arrived[number - 1] - sent for listener in listeners)
    caller.close()
    for transport, _ in made:
        transport.close()
    return took


# ------------------------------------------------------------------------------------------------ memory


def stored(ledger: str, count: int, entries: int) -> list[str]:
    """Writes sessions and returns their ids."""
    script = read(find_script("stoya")[1])
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
    """Returns the megabytes of a process and its children."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


async def read_all(server: Served, names: Sequence[str], signer: Signer) -> float:
    """Requests the state of every session and returns the peak memory of the server."""
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
import json, socket, sqlite3, sys, uvicorn
from typing import Any
from litestar import Litestar, WebSocket, post, websocket

readers = []
file = sqlite3.connect("bare.db", isolation_level=None)
for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE IF NOT EXISTS kept (body TEXT)"):
    file.execute(statement)

@post("/bare")
async def bare(data: dict[str, Any]) -> dict[str, Any]:
    return data

@post("/kept")
async def kept(data: dict[str, Any]) -> dict[str, Any]:
    file.execute("INSERT INTO kept VALUES (?)", (json.dumps(data),))
    return data

@post("/publish")
async def publish(data: dict[str, Any]) -> dict[str, Any]:
    file.execute("INSERT INTO kept VALUES (?)", (json.dumps(data),))
    for reader in readers:
        await reader.send_json(data)
    return data

@websocket("/feed")
async def feed(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    await socket.send_json(await socket.receive_json())
    readers.append(socket)
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass

made = socket.create_server(("127.0.0.1", 0), backlog=2048)
print("Affray listens at http://127.0.0.1:%d" % made.getsockname()[1], flush=True)
config = uvicorn.Config(Litestar([bare, kept, publish, feed], openapi_config=None), log_config=None, access_log=False, lifespan="on")
uvicorn.Server(config).run(sockets=[made])
"""


@contextmanager
def bare(folder: Path) -> Iterator[Served]:
    with served(folder, wrapper=("-c", BARE)) as server:
        yield server


# ------------------------------------------------------------------------------------------------ the whole run


def measured(folder: Path, load: Load, ledger: str | None, only: Sequence[str]) -> Iterator[Row]:
    """Yields the rows of one run."""
    signing_keys(folder / "affray.keys", create=True)
    bodies = [msgspec.json.encode(command) for command in commands(load.commands)]
    options: Mapping[str, Any] = {"ledger": ledger} if ledger else {}
    if not only or "commands" in only:
        with bare(folder) as other, served(folder, "--rate", "0", "--feeds", "1000", **options) as server:
            yield from throughput(server, other, bodies, load)
    if not only or "feed" in only:
        with bare(folder) as other, served(folder, "--rate", "0", "--feeds", "1000", **options) as server:
            yield from feed(server, other, bodies[: load.published], load)
    if ledger and "several" in only:
        yield from several(folder, bodies[: load.published], ledger)
    if "workers" in only:
        yield from workers(folder, bodies, load, ledger)
    if not only or "memory" in only:
        yield from memory(folder, load, ledger)


def throughput(server: Served, other: Served, bodies: Sequence[bytes], load: Load) -> Iterator[Row]:
    """Yields rows of throughput, then of latency at half the rate that both servers reach."""
    reached, plain, kept = rounds(server, other, bodies, load.rounds)
    what = "durable commands over HTTP"
    yield Row(what=what, ours=reached, unit="/s", beside=BARE_LITESTAR, theirs=plain, goal=at_least(0.3))
    yield Row(what=what, ours=reached, unit="/s", beside=COMMITTING, theirs=kept, goal=at_least(0.1))
    rate = min(reached, kept) / 2
    took = asyncio.run(by_the_clock(server.port, tables(server), bodies, rate))
    theirs = asyncio.run(by_the_clock(other.port, bare_routes("/kept"), bodies, rate))
    for percent, goal in ((50, at_most(10)), (99, at_most(20))):
        yield _time(f"an answer at half that rate: p{percent}", took, (COMMITTING, theirs), percent, goal)


def feed(server: Served, other: Served, bodies: Sequence[bytes], load: Load) -> Iterator[Row]:
    """Yields rows of the live feed."""
    path, token = found(server)
    took = asyncio.run(latencies([server.port], f"{path}/feed", f"{path}/commands", token, bodies, load.readers))
    plain = asyncio.run(latencies([other.port], "/feed", "/publish", token, bodies, load.readers))
    what = f"an entry to {load.readers} live readers"
    for percent, goal in ((50, at_most(6)), (99, at_most(12))):
        yield _time(f"{what}: p{percent}", took, (COMMITTING, plain), percent, goal)


def several(folder: Path, bodies: Sequence[bytes], ledger: str) -> Iterator[Row]:
    """Yields rows of the live feed of two servers on one ledger, of which one receives the commands."""
    with bare(folder) as other, ExitStack() as stack:
        servers = [
            stack.enter_context(served(folder, "--rate", "0", "--feeds", "1000", ledger=ledger)) for _ in range(2)
        ]
        path, token = found(servers[0])
        ports, to = [server.port for server in servers], f"{path}/commands"
        took = asyncio.run(latencies(ports, f"{path}/feed", to, token, bodies, MANY_READERS))
        plain = asyncio.run(latencies([other.port], "/feed", "/publish", token, bodies, MANY_READERS))
    for percent in (50, 99):
        what = f"an entry to {MANY_READERS:,} live readers of two servers: p{percent}"
        yield _time(what, took, (COMMITTING, plain), percent, at_most(6))


def workers(folder: Path, bodies: Sequence[bytes], load: Load, ledger: str | None) -> Iterator[Row]:
    """Yields rows of durable commands by several processes of one server, beside one process, in alternation.

    The system gives each connection to any of the processes. So a session's client keeps its process, as most clients do.
    """
    path, size = ledger or f"sqlite:///{folder}/workers.db", len(bodies) // (load.rounds + 1)
    rates: dict[int, list[float]] = {number: [] for number in PROCESSES}
    with ExitStack() as stack:
        servers = {
            number: stack.enter_context(served(folder, "--rate", "0", "--workers", str(number), ledger=path))
            for number in PROCESSES
        }
        seats = {number: tables(server) for number, server in servers.items()}
        for first in range(0, (load.rounds + 1) * size, size):
            for number, server in servers.items():
                rates[number].append(asyncio.run(at_once(server.port, seats[number], bodies[first : first + size])))
    one = median(rates[1][1:])
    for number in PROCESSES:
        what = f"durable commands of {CLIENTS} clients, {number} worker{'s' if number > 1 else ''}"
        goal = at_least(LEAST_OF_WORKERS[number])
        yield Row(what=what, ours=median(rates[number][1:]), unit="/s", beside="one worker", theirs=one, goal=goal)


def _time(what: str, took: Sequence[float], beside: tuple[str, Sequence[float]], percent: int, goal: Goal) -> Row:
    """Returns a percentile of durations, in milliseconds."""
    name, other = beside
    ours, theirs = (1000 * quantiles(seconds, n=100)[percent - 1] for seconds in (took, other))
    return Row(what=what, ours=ours, unit="ms", beside=name, theirs=theirs, goal=goal)


def memory(folder: Path, load: Load, ledger: str | None) -> Iterator[Row]:
    """Yields rows of the memory for very many sessions."""
    path = ledger or f"sqlite:///{folder}/many.db"
    names = stored(path, load.stored, load.long)
    with served(folder, "--rate", "0", "--feeds", "1000", ledger=path) as server:
        began = resident(server.process.pid)
        most = asyncio.run(read_all(server, names, Signer(signing_keys(folder / "affray.keys"))))
    what = f"a server asked for {load.stored:,} sessions of {load.long} entries"
    yield Row(what=what, ours=most, unit="MB", beside="before the first", theirs=began, goal=at_most(3))


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "only",
        nargs="*",
        choices=["commands", "feed", "memory", "several", "workers", []],
        help="what; left out, all but several servers, which need a ledger, and several workers",
    )
    parser.add_argument("--quick", action="store_true", help="fewer requests, readers and sessions")
    parser.add_argument("--ledger", help="an address; left out, an SQLite file in a temporary folder")
    asked = parser.parse_args()
    load = QUICK if asked.quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="affray-load-") as folder:
        print(table(list(measured(Path(folder), load, asked.ledger, asked.only))))


if __name__ == "__main__":
    main()
