"""A live reader reads only when there may be something new, misses nothing that is written meanwhile, and gets heartbeats."""

import asyncio
import subprocess
import sys
import weakref
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import uvloop
from patience import AN_HOUR, BOUND

from ledger.errors import Busy
from replays.api.session import Session
from replays.server.http.pages import EncodedEntry, LogPage
from replays.server.runtime.feed import Feed

SESSION = "DOORS"
BEGINNING = """
import sys
from ledger.stores import open_store
from replays.api.session import Session
from replays.server.routes.live import prepare_feed

session = Session(open_store(sys.argv[1]), "DOORS")
game = "machines.eclipse_phase.first.ruleset"
loaded = [game in sys.modules]
prepare_feed(session, 1)
print([*loaded, game in sys.modules])
"""


class Log:
    """A log that counts how often it is read.

    Args:
        feed: The feed that is rung after each write.
        page: The number of entries on a page.
        meanwhile: Called once in the middle of a read: after the log was read, before the page is returned.
    """

    def __init__(self, feed: Feed, page: int = 100, meanwhile: Callable[[], object] | None = None) -> None:
        self._feed = feed
        self._page = page
        self.meanwhile = meanwhile
        self.last = 0
        self.revoked: frozenset[str] = frozenset()
        self.reads: list[int] = []

    def write(self, count: int = 1) -> None:
        self.last += count
        self._feed.ring([SESSION])

    async def read(self, after: int) -> LogPage:
        self.reads.append(after)
        last = self.last
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        await asyncio.sleep(0)
        entries = [EncodedEntry(seq, b"{}") for seq in range(after + 1, min(last, after + self._page) + 1)]
        return LogPage(entries, self.revoked, is_last=after + self._page >= last)


async def settled() -> None:
    """Returns when all that can go on without the clock has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def followed(work: Callable[[Feed], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(BOUND):
            await work(Feed())

    for new_loop in (uvloop.new_event_loop, asyncio.new_event_loop):  # a server's loop, and where there is no uvloop
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(run())


def test_after_the_last_page_a_reader_reads_no_more_until_there_is_something_new() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        log.write(3)
        pages = feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)
        assert [entry.seq for entry in (await anext(pages)).entries] == [1, 2, 3]
        coming = asyncio.ensure_future(anext(pages))
        await settled()
        assert log.reads == [0]
        log.write()
        assert [entry.seq for entry in (await coming).entries] == [4]
        assert log.reads == [0, 3]
        await pages.aclose()

    followed(work)


def test_what_is_written_while_the_last_page_is_read_is_read_next() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        log.write(3)
        log.meanwhile = log.write
        pages = feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)
        assert [entry.seq for page in [await anext(pages), await anext(pages)] for entry in page.entries] == [
            1,
            2,
            3,
            4,
        ]
        await pages.aclose()

    followed(work)


def test_a_page_that_is_not_the_last_is_followed_by_the_next_one_at_once() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed, page=2)
        log.write(5)
        pages = feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)
        heard = [[entry.seq for entry in (await anext(pages)).entries] for _ in range(3)]
        assert heard == [[1, 2], [3, 4], [5]]
        await pages.aclose()

    followed(work)


def test_each_heartbeat_is_an_empty_page_also_the_first_after_entries() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        log.write(3)
        pages = feed.follow(SESSION, 0, "eyes", log.read, 0.01)
        heard = [len((await anext(pages)).entries) for _ in range(4)]
        assert heard == [3, 0, 0, 0]
        assert log.reads == [0, 3, 3, 3]
        await pages.aclose()

    followed(work)


class Following:
    """Readers of a log with the same view.

    Args:
        feed: The feed.
        log: The log.
        after: The number of the last entry that each reader has.
    """

    def __init__(self, feed: Feed, log: Log, *after: int) -> None:
        self._pages = [feed.follow(SESSION, each, "eyes", log.read, AN_HOUR) for each in after]

    async def waiting(self) -> "list[asyncio.Task[LogPage | None]]":
        """Asks for the next page of each reader, and returns when all wait; None is that of a feed that ends."""
        coming = [asyncio.ensure_future(anext(pages, None)) for pages in self._pages]
        await settled()
        return coming

    async def end(self) -> None:
        for pages in self._pages:
            await pages.aclose()


async def heard(coming: "list[asyncio.Task[LogPage | None]]") -> list[list[int] | None]:
    """Returns the numbers of the entries of each page."""
    pages = await asyncio.gather(*coming)
    return [None if page is None else [entry.seq for entry in page.entries] for page in pages]


def test_a_ring_wakes_every_reader_and_they_share_a_read() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        readers = Following(feed, log, *[0] * 20)
        coming = await readers.waiting()
        assert log.reads == [0]
        log.write()
        assert await heard(coming) == [[1]] * 20
        assert log.reads == [0, 0]
        await readers.end()
        assert len(feed) == 0

    followed(work)


def test_what_is_written_while_waiting_readers_are_read_for_reaches_each_of_them_once() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        readers = Following(feed, log, *[0] * 5)
        coming = await readers.waiting()
        log.meanwhile = log.write
        log.write()
        assert await heard(coming) == [[1]] * 5
        assert await heard(await readers.waiting()) == [[2]] * 5
        assert log.reads == [0, 0, 1]
        await readers.end()

    followed(work)


def test_a_ring_without_anything_new_wakes_no_reader_and_the_next_entry_still_reaches_each() -> None:
    """What a server writes reaches it a second time, as news of the ledger."""

    async def work(feed: Feed) -> None:
        log = Log(feed)
        readers = Following(feed, log, *[0] * 5)
        coming = await readers.waiting()
        log.write(0)
        late = Following(feed, log, 0)
        coming += await late.waiting()
        log.write(0)
        await asyncio.sleep(0.01)
        assert [task for task in coming if task.done()] == []
        log.meanwhile = log.write  # so that the read finds nothing, and another one has to follow
        log.write(0)
        assert await heard(coming) == [[1]] * 6
        await readers.end()
        await late.end()

    followed(work)


def test_a_reader_that_hears_of_nothing_new_is_woken_at_its_time() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        coming = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, 1.0)))
        for _ in range(20):
            await asyncio.sleep(0)
            log.write(0)
        assert not coming.done()
        assert (await coming).entries == []

    followed(work)


def test_a_ring_wakes_readers_when_tokens_were_revoked_though_there_is_no_entry() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        readers = Following(feed, log, 0, 0)
        coming = await readers.waiting()
        log.revoked = frozenset({"one"})
        log.write(0)
        assert [page and page.revoked for page in await asyncio.gather(*coming)] == [{"one"}, {"one"}]
        coming = await readers.waiting()
        log.write(0)
        await asyncio.sleep(0.01)
        assert [task for task in coming if task.done()] == []
        log.revoked |= {"two"}
        log.write(0)
        assert [page and page.revoked for page in await asyncio.gather(*coming)] == [{"one", "two"}] * 2
        await readers.end()

    followed(work)


class Held:
    """A log whose reads each return when the test has them return."""

    def __init__(self) -> None:
        self.reads: list[asyncio.Future[LogPage]] = []

    async def read(self, after: int) -> LogPage:
        self.reads.append(asyncio.get_running_loop().create_future())
        return await self.reads[-1]

    async def give(self, number: int, *entries: int) -> None:
        async with asyncio.timeout(BOUND):
            while len(self.reads) <= number:
                await asyncio.sleep(0)
        self.reads[number].set_result(LogPage([EncodedEntry(seq, b"{}") for seq in entries], frozenset(), is_last=True))
        await settled()


def test_a_late_read_for_readers_that_have_left_takes_nothing_from_those_that_came_after_them() -> None:
    async def work(feed: Feed) -> None:
        log = Held()
        staying = asyncio.ensure_future(anext(feed.follow(SESSION, 9, "others", log.read, AN_HOUR)))
        await log.give(0)
        leaving = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)))
        await log.give(1)
        feed.ring([SESSION])  # begins the reads 2 and 3
        await log.give(2)
        leaving.cancel()
        await asyncio.wait([leaving])
        feed.ring([SESSION])  # begins read 4, for the reader that stays
        await log.give(4)
        coming = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)))
        await log.give(5)
        await log.give(3, 1)
        assert not coming.done()
        feed.ring([SESSION])
        await log.give(7, 1)
        assert [entry.seq for entry in (await coming).entries] == [1]
        staying.cancel()

    followed(work)


def test_a_reader_that_waits_keeps_no_entries_in_memory() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        log.write(3)
        pages = feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)
        kept = [weakref.ref(entry.text) for entry in (await anext(pages)).entries]
        coming = asyncio.ensure_future(anext(pages))
        await settled()
        assert [each() for each in kept] == [None] * 3
        coming.cancel()

    followed(work)


def test_readers_at_different_places_each_get_what_they_do_not_have() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        log.write(3)
        behind, ahead = Following(feed, log, 1, 2), Following(feed, log, 3)
        assert await heard(await behind.waiting()) == [[2, 3], [3]]
        coming = [*await behind.waiting(), *await ahead.waiting()]
        log.write(2)
        assert await heard(coming) == [[4, 5]] * 3
        await behind.end()
        await ahead.end()

    followed(work)


def test_a_reader_is_woken_in_time_though_others_at_its_place_wait_longer() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        before = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)))
        hurried = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR, until=0.0)))
        assert (await hurried).entries == []
        assert (await before).entries == []
        late = [feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR, until=0.0) for _ in range(3)]
        assert [page.entries for page in await asyncio.gather(*map(anext, late))] == [[], [], []]
        after = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, AN_HOUR)))
        await settled()
        log.write()
        assert [entry.seq for entry in (await after).entries] == [1]

    followed(work)


def test_a_reader_that_leaves_takes_no_timer_from_the_others() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        patient = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, 0.2)))
        leaving = asyncio.ensure_future(anext(feed.follow(SESSION, 0, "eyes", log.read, 0.1)))
        await settled()
        leaving.cancel()
        assert (await patient).entries == []

    followed(work)


def test_the_game_is_loaded_before_a_reader_waits(tmp_path: Path) -> None:
    """Otherwise its first new entry would be later than the others: it is put into the words of the game."""
    ledger = f"sqlite:///{tmp_path}/fight.db"
    with closing(Session.create(ledger, ruleset="eclipse_phase_1e", session=SESSION)):
        pass
    done = subprocess.run([sys.executable, "-c", BEGINNING, ledger], capture_output=True, text=True, timeout=BOUND)
    assert (done.stdout.strip(), done.stderr) == ("[False, True]", "")


def test_when_the_feed_ends_readers_that_wait_end_and_nothing_is_read() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        coming = await Following(feed, log, 0, 0, 0).waiting()
        feed.close()
        assert await heard(coming) == [None] * 3
        assert log.reads == [0]
        assert len(feed) == 0

    followed(work)


def test_a_reader_that_is_read_for_when_the_feed_ends_ends_too() -> None:
    async def work(feed: Feed) -> None:
        def end() -> None:
            feed.ring([SESSION])
            feed.close()

        log = Log(feed, meanwhile=end)
        assert await heard(await Following(feed, log, 0, 0).waiting()) == [None] * 2

    followed(work)


def test_a_ledger_that_is_away_for_a_moment_leaves_waiting_readers_connected() -> None:
    async def work(feed: Feed) -> None:
        log = Log(feed)
        readers = Following(feed, log, 0, 0, 0)
        coming = await readers.waiting()
        log.meanwhile = _is_away
        log.write()
        assert await heard(coming) == [[]] * 3
        coming = await readers.waiting()
        log.write()
        assert await heard(coming) == [[1, 2]] * 3
        await readers.end()

    followed(work)


def _is_away() -> None:
    raise Busy("the ledger is away for a moment")
