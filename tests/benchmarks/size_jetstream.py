"""Prints what a session and an entry take in JetStream, on disk and in the memory of each of three servers:
`python tests/benchmarks/size_jetstream.py [SESSIONS ENTRIES]`.

First many sessions without an entry are stored, then many entries, each with its idempotency key, of few sessions.
"""

import asyncio
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec
import nats

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / inner) for inner in ("support", "..")]

from ledger_records import record_after
from nats_servers import Servers, running

from ledger.chain import genesis
from ledger.stores import Head
from ledger.stores.jetstream.messages import Created, Keyed, encode, entries_of
from ledger.stores.jetstream.servers.names import LedgerNames

SHARDS = 64
WORDS = "The ork kicks the door in and fires twice. " * 14
"""The text of an entry, which makes it as long as one of seven events: 780 bytes."""
AT_ONCE = 400
CALM = 20
"""Seconds for which the servers are left alone after a restart, which empties their memory of what was written last."""


class Sizes(msgspec.Struct, frozen=True):
    """Bytes of one server, on average."""

    disk: float
    memory: float

    def less(self, other: "Sizes", by: float) -> "Sizes":
        """Returns the difference, divided by a number."""
        return Sizes((self.disk - other.disk) / by, (self.memory - other.memory) / by)


def sizes(servers: Servers) -> Sizes:
    """Returns what the servers take after each was restarted."""
    for node in servers.nodes:
        node.stop()
        node.start()
        servers.wait_until_healthy()
    time.sleep(CALM)
    disk = memory = 0
    for node in servers.nodes:
        disk += sum(each.stat().st_blocks * 512 for each in node.place.rglob("*") if each.is_file())
        with urlopen(f"http://127.0.0.1:{node.http}/varz") as answer:
            memory += msgspec.json.decode(answer.read())["mem"]
    return Sizes(disk / len(servers.nodes), memory / len(servers.nodes))


async def store(url: str, name: str, sessions: int, entries: int) -> float:
    """Stores sessions of so many entries, each with its key; returns the entries a second."""
    parts = urlsplit(url)
    client = await nats.connect([f"nats://{host}" for host in parts.netloc.split(",")])
    names, gate = LedgerNames(parts.path.strip("/"), SHARDS), asyncio.Semaphore(AT_ONCE)

    async def one(session: str) -> None:
        async with gate:
            place, head, last = names.place(session), Head(0, genesis(session)), 0
            await client.request(place.session, encode(Created(session, "0" * 22)), timeout=60)
            for _ in range(entries):
                record = record_after(head, WORDS)
                key = f"{session}-{record.seq:032}"
                batch = client.new_inbox()[-22:]
                marks = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": "1", "Nats-Expected-Last-Subject-Sequence": "0"}
                await client.publish(place.key(key), encode(Keyed(record.seq, 1)), headers=marks)
                marks = {
                    "Nats-Batch-Id": batch, "Nats-Batch-Sequence": "2", "Nats-Batch-Commit": "1",
                    "Nats-Expected-Last-Subject-Sequence": str(last),
                }  # fmt: skip
                answer = await client.request(place.log, encode(entries_of([record], key)), timeout=60, headers=marks)
                last = msgspec.json.decode(answer.data)["seq"]
                head = Head(record.seq, record.digest)

    began = time.perf_counter()
    await asyncio.gather(*(one(f"{name}-{number}") for number in range(sessions)))
    await client.close()
    return sessions * entries / (time.perf_counter() - began)


def main(sessions: int = 50_000, entries: int = 250_000) -> None:
    """Stores, measures and prints."""
    with running() as servers:
        url = servers.ledger(SHARDS)
        empty = sizes(servers)
        asyncio.run(store(url, "short", sessions, 0))
        many = sizes(servers)
        rate = asyncio.run(store(url, "long", AT_ONCE, entries // AT_ONCE))
        long = sizes(servers)
    session, entry = many.less(empty, sessions), long.less(many, entries)
    print(f"{SHARDS} shards, empty, of each server: {empty.disk:,.0f} B on disk, {empty.memory:,.0f} B of memory")
    print(f"a session: {session.disk:,.0f} B on disk, {session.memory:,.0f} B of memory")
    print(f"an entry with its key: {entry.disk:,.0f} B on disk, {entry.memory:,.0f} B of memory")
    print(f"{rate:,.0f} entries/s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
