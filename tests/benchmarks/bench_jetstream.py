"""Appends to JetStream on three servers of this machine at 16 and 256 sessions at once, beside the same batches by `nats-py` alone;
and opening a session among very many."""

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from statistics import median
from urllib.parse import urlsplit

import nats
import pytest
from benchmarks.appenders import Appenders
from benchmarks.report import Row, at_least, at_most
from benchmarks.scale import QUICK, Scale
from ledger_records import record_after
from nats_servers import Servers, running

from ledger.chain import Record, genesis
from ledger.stores import Head
from ledger.stores.jetstream import JetStreamStore
from ledger.stores.jetstream.messages import Keyed, encode, entries_of
from ledger.stores.jetstream.servers.names import LedgerNames
from replays.server.runtime.one_core import OneCore

SHARDS = 16
MANY = 150_000
FEW = 2_000
"""The sessions among which one is opened, in a whole and in a quick run."""


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Three servers that write each entry to disk before they acknowledge it."""
    with running() as servers:
        yield servers


class Bare:
    """Tasks that publish the same batches by the library alone, in one event loop.

    Args:
        url: The ledger.
        sessions: How many tasks there are.
    """

    def __init__(self, url: str, sessions: int) -> None:
        parts = urlsplit(url)
        self._servers = [f"nats://{host}" for host in parts.netloc.split(",")]
        self._names = LedgerNames(parts.path.strip("/"), SHARDS)
        self._last = {f"bare-{sessions}-{number}": (Head(0, genesis("bare")), 0) for number in range(sessions)}

    def appends(self, seconds: float) -> float:
        """Returns the batches a second of all tasks together."""
        return asyncio.run(self._run(seconds))

    async def _run(self, seconds: float) -> float:
        client = await nats.connect(self._servers)
        counts = dict.fromkeys(self._last, 0)
        end = time.perf_counter() + seconds

        async def go_on(session: str) -> None:
            place = self._names.place(session)
            head, last = self._last[session]
            while time.perf_counter() < end:
                record = record_after(head)
                last = await self._batch(client, place.key(f"key-{record.seq}"), place.log, record, last)
                head = Head(record.seq, record.digest)
                counts[session] += 1
            self._last[session] = head, last

        await asyncio.gather(*map(go_on, self._last))
        await client.close()
        return sum(counts.values()) / seconds

    async def _batch(self, client: nats.NATS, key: str, log: str, record: Record, last: int) -> int:
        expected, batch = "Nats-Expected-Last-Subject-Sequence", client.new_inbox()[-22:]
        marks = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": "1"}
        await client.publish(key, encode(Keyed(record.seq, 1)), headers={expected: "0", **marks})
        marks = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": "2", "Nats-Batch-Commit": "1"}
        payload = encode(entries_of([record], f"key-{record.seq}"))
        answer = await client.request(log, payload, timeout=10, headers={expected: str(last), **marks})
        return int(json.loads(answer.data)["seq"])


@pytest.fixture
def one_core() -> Iterator[None]:
    """Keeps this process on one core, as `affray serve` does; the servers are on any."""
    kept = OneCore(os.sched_getaffinity(0))
    try:
        yield
    finally:
        kept.end()


@pytest.mark.parametrize("sessions", [16, 256])
@pytest.mark.usefixtures("one_core")
def test_appends_by_a_process_on_one_core(
    benchmark, scale: Scale, servers: Servers, rows: list[Row], sessions: int
) -> None:
    rows.append(_appends(benchmark, scale, servers, sessions, ", one core"))


@pytest.mark.parametrize("sessions", [16, 256])
def test_appends_at_many_sessions(benchmark, scale: Scale, servers: Servers, rows: list[Row], sessions: int) -> None:
    rows.append(_appends(benchmark, scale, servers, sessions, ""))


def _appends(benchmark, scale: Scale, servers: Servers, sessions: int, how: str) -> Row:
    url, ours, theirs = servers.ledger(SHARDS), list[float](), list[float]()
    with closing(JetStreamStore(url)) as store:
        appending, bare = Appenders(store, sessions), Bare(url, sessions)

        def measure() -> None:
            theirs.append(bare.appends(scale.seconds))
            ours.append(appending.appends(scale.seconds))

        benchmark.pedantic(measure, rounds=scale.rounds)
    what = f"JetStream: appends at {sessions} sessions{how}"
    return Row(
        what=what, ours=median(ours), unit="entries/s",
        beside="nats-py alone", theirs=median(theirs), goal=at_least(0.7),
    )  # fmt: skip


def test_opening_a_session_among_many(benchmark, scale: Scale, servers: Servers, rows: list[Row]) -> None:
    """The session has 1,000 entries and a checkpoint; opening reads the checkpoint, the head and what follows it."""
    url, other, many = servers.ledger(SHARDS), servers.ledger(SHARDS), FEW if scale is QUICK else MANY
    with closing(JetStreamStore(url)) as store, closing(JetStreamStore(other)) as beside:
        for each in (store, beside):
            _fill(each, "opened", 1_000)
        asyncio.run(_others(url, many))
        took, alone = list[float](), list[float]()

        def measure() -> None:
            took.append(_opening(url))
            alone.append(_opening(other))

        benchmark.pedantic(measure, rounds=max(7, scale.rounds))
    what = f"JetStream: open one of {many:,}"
    rows.append(
        Row(what=what, ours=median(took), unit="ms", beside="one of one", theirs=median(alone), goal=at_most(1.5))
    )


def _opening(url: str) -> float:
    """Returns the milliseconds in which a process that knows nothing reads a session's checkpoint, head and last entries."""
    with closing(JetStreamStore(url)) as fresh:
        began = time.perf_counter()
        assert fresh.checkpoint("opened")
        head = fresh.head("opened")
        assert len(list(fresh.read("opened", head.seq - 5))) == 5
        return 1000 * (time.perf_counter() - began)


def _fill(store: JetStreamStore, session: str, entries: int) -> None:
    store.create(session)
    head = store.head(session)
    for _ in range(entries):
        record = record_after(head)
        store.append(session, [record], expected=head.seq)
        head = Head(record.seq, record.digest)
    store.keep_checkpoint(session, bytes(20_000))


async def _others(url: str, many: int) -> None:
    """Stores the first entries of very many sessions, by the library alone, many at once."""
    parts = urlsplit(url)
    client = await nats.connect([f"nats://{host}" for host in parts.netloc.split(",")])
    names = LedgerNames(parts.path.strip("/"), SHARDS)
    gate = asyncio.Semaphore(500)

    async def one(number: int) -> None:
        async with gate:
            session = f"other-{number}"
            record = record_after(Head(0, genesis(session)))
            await client.request(names.place(session).log, encode(entries_of([record], None)), timeout=60)

    for start in range(0, many, 10_000):
        await asyncio.gather(*map(one, range(start, min(many, start + 10_000))))
    await client.close()
