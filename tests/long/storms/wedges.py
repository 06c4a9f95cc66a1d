"""Whether writes are accepted, seen without the store: what `/ready` of the servers reports is compared with it.

A client of NATS alone writes a small message into every shard through every server, several times a second. While none
is acknowledged, the shard accepts no writes. That is a wedge if all servers report good health meanwhile
(nats-server#8519), and an outage in any case.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from threading import Event, Thread

import httpx
from long.part import Failed
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error
from nats_servers import Node

STATED = 5.0
"""Seconds within which `/ready` reports that a shard accepts no writes, as the store's README states."""
_SLACK = 0.3
"""Seconds by which its answer is seen later, as it is asked again after a pause."""
_EDGE = 0.5
"""Seconds at the end of an outage in which `/ready` may report already that writes are accepted."""
_PAUSE = 0.1
_BETWEEN = 0.25
"""Seconds between two writes into a shard through a server, and between two looks at the servers' health."""
_ANSWERED = 10.0
_LATELY = 180.0


@dataclass(frozen=True)
class Span:
    """A time on the monotonic clock."""

    began: float
    ended: float

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.ended - self.began


@dataclass(frozen=True)
class Look(Span):
    """An answer that was looked for: whether all servers were healthy, or `/ready` reported that writes are accepted."""

    is_good: bool


@dataclass
class Seen:
    """What was seen from the outside.

    Attributes:
        acks: For each shard, when writes into it were acknowledged.
        health: Looks at the health of all servers.
        ready: Looks at `/ready` of each server, by its name.
    """

    acks: dict[int, list[float]] = field(default_factory=dict)
    health: list[Look] = field(default_factory=list)
    ready: dict[str, list[Look]] = field(default_factory=dict)

    def outages(self) -> list[Span]:
        """Returns the times of more than `STATED` seconds in which a shard acknowledged no write."""
        return [span for acks in self.acks.values() for span in gaps(acks)]

    def wedges(self) -> list[Span]:
        """Returns the parts of outages, of more than `STATED` seconds, in which all servers reported good health."""
        parts = [
            Span(max(out.began, good.began), min(out.ended, good.ended))
            for out in self.outages() for good in stretches(self.health)
        ]  # fmt: skip
        return [part for part in parts if part.seconds > STATED]

    def longest_good_gap(self) -> float:
        """Returns the longest time in seconds without an acknowledgment while all servers reported good health."""
        parts = [
            min(out.ended, good.ended) - max(out.began, good.began)
            for acks in self.acks.values() for out in gaps(acks, 0.0) for good in stretches(self.health)
        ]  # fmt: skip
        return max([0.0, *parts])

    def waits(self, writes: Iterable[Span]) -> list[float]:
        """Returns for how long each write of a client waited while all servers reported good health, if over `STATED`.

        A shard may accept writes meanwhile: the client may be connected to a server that is cut off from the others.
        """
        good = stretches(self.health)
        waits = [min(one.ended, at.ended) - max(one.began, at.began) for one in writes for at in good]
        return [seconds for seconds in waits if seconds > STATED]

    def lately(self) -> str:
        """Returns what was seen in the last minutes, in one line: longest times without acknowledgments, and health."""
        now = time.monotonic()
        acks = {
            shard: [*(at - now for at in sorted(times) if at > now - _LATELY), 0.0]
            for shard, times in self.acks.items()
        }
        empty = {
            shard: [f"{a:.0f} to {b:.0f} s" for a, b in pairwise(times) if b - a > 2] for shard, times in acks.items()
        }
        good = [f"{each.began - now:.0f} to {each.ended - now:.0f} s" for each in stretches(self.health[-500:])]
        ready = {
            name: [
                f"{bad.began - now:.0f} to {bad.ended - now:.0f} s" for bad in stretches(map(_turned, looks[-1000:]))
            ]
            for name, looks in self.ready.items()
        }
        return f"without acknowledgment, by shard: {empty}; all healthy: {good}; not ready: {ready}"

    def check(self) -> float:
        """Checks that `/ready` of every server reported every outage, in time and until its end.

        Returns:
            The longest time in seconds from the beginning of an outage until a server reported it.

        Raises:
            Failed: It did not, or so little was seen that this shows nothing.
        """
        if not (self.acks and all(self.acks.values()) and self.health and self.ready and all(self.ready.values())):
            raise Failed("what servers accept and report was not seen")
        return max(
            [0.0, *(noticed_after(out, looks, name) for out in self.outages() for name, looks in self.ready.items())]
        )


def gaps(acks: Sequence[float], least: float = STATED) -> list[Span]:
    """Returns the times between an acknowledgment and the next that are longer than `least` seconds."""
    times = sorted(acks)
    return [Span(one, other) for one, other in pairwise(times) if other - one > least]


def stretches(looks: Iterable[Look]) -> list[Span]:
    """Returns the times in which one look after the other was good."""
    found: list[Span] = []
    last = False
    for look in looks:
        if look.is_good:
            found.append(Span(found.pop().began if last else look.began, look.ended))
        last = look.is_good
    return found


def _turned(look: Look) -> Look:
    """Returns a bad look for a good one, and the reverse."""
    return replace(look, is_good=not look.is_good)


def noticed_after(outage: Span, looks: Sequence[Look], name: str) -> float:
    """Returns the seconds after which a server reported an outage.

    Raises:
        Failed: It reported it too late, or reported during the outage that writes are accepted.
    """
    bad = [look.ended - outage.began for look in looks if not look.is_good and look.ended >= outage.began]
    if not bad or min(bad) > STATED + _SLACK:
        late = f"after {min(bad):.1f} s" if bad else "never"
        raise Failed(f"no write was accepted for {outage.seconds:.1f} s, and {name} reported it {late}")
    wrong = [
        look for look in looks
        if look.is_good and look.began > outage.began + STATED and look.ended < outage.ended - _EDGE
    ]  # fmt: skip
    if wrong:
        since = wrong[0].ended - outage.began
        raise Failed(f"{since:.1f} s after the last accepted write, {name} reported that writes are accepted")
    return min(bad)


class Watch:
    """Looks at servers until it is ended.

    Args:
        nodes: The servers of NATS.
        subjects: A subject in every shard that nothing else uses.
        urls: The servers of Affray.
    """

    def __init__(self, nodes: Sequence[Node], subjects: Sequence[str], urls: Sequence[str]) -> None:
        self.seen = Seen({shard: [] for shard in range(len(subjects))}, [], {url: [] for url in urls})
        self._nodes, self._subjects = nodes, subjects
        self._ended = Event()
        works: list[Callable[[], None]] = [self._write, self._look_at_health]
        works += [lambda url=url: self._look_at_ready(url) for url in urls]  # type: ignore[misc]
        self._failures: list[BaseException] = []
        self._threads = [Thread(target=self._run, args=(work,), daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def end(self) -> Seen:
        """Ends looking; returns what was seen.

        Raises:
            Failed: Looking has failed.
        """
        self._ended.set()
        for thread in self._threads:
            thread.join(30)
            if thread.is_alive():
                raise Failed("a look at the servers does not end")
        if self._failures:
            raise Failed(f"looking at the servers has failed: {self._failures[0]!r}") from self._failures[0]
        return self.seen

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._failures.append(error)

    def _look_at_ready(self, url: str) -> None:
        with httpx.Client(base_url=url, timeout=_ANSWERED) as client:
            while not self._ended.wait(_PAUSE):
                began = time.monotonic()
                status = client.get("/ready").status_code
                self.seen.ready[url].append(Look(began, time.monotonic(), status == 200))

    def _look_at_health(self) -> None:
        with ThreadPoolExecutor(len(self._nodes)) as threads:
            while not self._ended.wait(_BETWEEN):
                began = time.monotonic()
                is_good = all(list(threads.map(lambda node: node.is_healthy(), self._nodes)))
                self.seen.health.append(Look(began, time.monotonic(), is_good))

    def _write(self) -> None:
        asyncio.run(self._write_all())

    async def _write_all(self) -> None:
        await asyncio.gather(*(self._write_through(node) for node in self._nodes))

    async def _write_through(self, node: Node) -> None:
        """Writes into all shards through one server, whenever it can be reached, and notes what is acknowledged."""
        client = await self._connected(node)
        inboxes = [client.new_inbox() for _ in self._subjects]
        for shard, inbox in enumerate(inboxes):
            await client.subscribe(inbox, cb=self._hearer(shard))
        while not self._ended.is_set():
            for subject, inbox in zip(self._subjects, inboxes, strict=True):
                with suppress(Error):
                    if client.is_connected:
                        await client.publish(subject, b"", inbox)
            await asyncio.sleep(_BETWEEN)
        await client.close()

    def _hearer(self, shard: int) -> Callable[[Msg], "asyncio.Future[None]"]:
        async def hear(message: Msg) -> None:
            if b'"seq"' in message.data and b'"error"' not in message.data:
                self.seen.acks[shard].append(time.monotonic())

        return hear  # type: ignore[return-value]

    @staticmethod
    async def _connected(node: Node) -> Client:
        async def ignore(_: Exception) -> None:
            """A lost connection is no fault here."""

        client = Client()
        await client.connect(
            f"nats://127.0.0.1:{node.port}", max_reconnect_attempts=-1, reconnect_time_wait=_PAUSE, error_cb=ignore,
        )  # fmt: skip
        return client


def described(seen: Seen, noticed: float, writes: Iterable[Span]) -> str:
    """Returns one line of what was seen.

    Args:
        seen: What was seen.
        noticed: After how many seconds at most `/ready` reported an outage.
        writes: When each write of a client was asked for and acknowledged.
    """
    outages, waits = seen.outages(), seen.waits(writes)
    return (
        f"{len(outages)} times a shard accepted no writes for more than {STATED:g} s (at most "
        f"{max([0.0, *(out.seconds for out in outages)]):.1f} s), each reported by /ready of both servers, after "
        f"{noticed:.1f} s at most; {len(seen.wedges())} of them while all servers reported good health (with that, no writes "
        f"for at most {seen.longest_good_gap():.1f} s); {len(waits)} writes of clients waited as long with that (at most "
        f"{max([0.0, *waits]):.1f} s)"
    )
