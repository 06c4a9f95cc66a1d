"""What other processes write to a ledger reaches live readers long before the next heartbeat."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, closing
from pathlib import Path

import pytest
from ledger_writers import killed_before_notify
from patience import AN_HOUR, BOUND
from postgres_server import Server

from ledger.commands import Note
from ledger.errors import Broken, Busy, Cut, Damaged, Refused, SessionDeleted, Unusable
from ledger.stores import Head, Store, open_store
from ledger.stores.postgres import news
from ledger.tombstone import Deletion
from replays.api.session import GM, Session
from replays.server.callers.tokens import Scope, Signer, Tokens
from replays.server.http.pages import EncodedEntry, LogPage
from replays.server.runtime.app_state import WAITING_THREADS, AppState
from replays.server.runtime.feed import Feed
from replays.server.runtime.settings import Settings
from replays.sessions.ports import now

KEYS = ("k" * 40,)


async def until(pages: AsyncIterator[LogPage], told: Callable[[LogPage], bool]) -> LogPage:
    """Returns the next page of interest; a server may also signal without news, because it may have missed some."""
    async for page in pages:
        if told(page):
            return page
    raise AssertionError("it ended")


def test_a_reader_hears_of_tokens_that_were_revoked_while_a_page_was_on_its_way() -> None:
    """Without the signal such a token would be valid until the next heartbeat."""
    revoked = LogPage((), frozenset({"kira's"}))

    async def page(after: int) -> LogPage:
        return revoked if after else LogPage((EncodedEntry(1, b"1"),), frozenset())

    async def read() -> list[LogPage]:
        pages = Feed().follow("DOORS", 0, "eyes", page, AN_HOUR)
        async with asyncio.timeout(BOUND), aclosing(pages):
            return [await anext(pages), await anext(pages)]

    assert asyncio.run(read())[1] == revoked


@pytest.mark.parametrize("other_session", [False, True], ids=["alone", "beside another"])
def test_whoever_reads_a_session_that_another_process_deletes_is_told_so(tmp_path: Path, other_session: bool) -> None:
    ledger = f"sqlite:///{tmp_path}/fight.db"

    async def read() -> None:
        with closing(open_store(ledger)) as other, closing(AppState(Settings(ledger=ledger, keys=KEYS))) as app_state:
            names = ["DOORS", *(["WINDOWS"] if other_session else [])]
            theirs = {name: Session.create(other, ruleset="eclipse_phase_1e", session=name) for name in names}

            def reading(name: str) -> AsyncIterator[LogPage]:
                async def page(after: int) -> LogPage:
                    return LogPage(
                        [EncodedEntry(each.seq, each.line) for each in app_state.store.read(name, after)], frozenset()
                    )

                return app_state.feed.follow(name, 1, "eyes", page, AN_HOUR)

            app_state.listen()
            pages = {name: reading(name) for name in names}
            async with asyncio.timeout(60):
                for name in names:
                    theirs[name].perform(Note("From elsewhere."))
                    await until(pages[name], lambda page: bool(page.entries))
                other.delete("DOORS", Deletion(GM, now(), "The player asked for it."))
                with pytest.raises(SessionDeleted):
                    await until(pages["DOORS"], lambda page: bool(page.entries))
                for name in names[1:]:  # the others still get their entries
                    theirs[name].perform(Note("And again."))
                    await until(pages[name], lambda page: bool(page.entries))

    asyncio.run(read())


def test_what_another_process_writes_or_revokes_is_news(tmp_path: Path) -> None:
    ledger = f"sqlite:///{tmp_path}/fight.db"

    async def read() -> None:
        with closing(open_store(ledger)) as other, closing(AppState(Settings(ledger=ledger, keys=KEYS))) as app_state:
            theirs = Session.create(other, ruleset="eclipse_phase_1e", session="DOORS")
            tokens = Tokens(Signer(KEYS), other)
            issued = tokens.issue("DOORS", Scope.PLAYER, "kira")

            async def page(after: int) -> LogPage:
                records = app_state.store.read("DOORS", after)
                return LogPage(
                    [EncodedEntry(each.seq, each.line) for each in records], app_state.tokens.revoked("DOORS")
                )

            app_state.listen()
            pages = app_state.feed.follow("DOORS", 1, "eyes", page, AN_HOUR)
            async with asyncio.timeout(BOUND):
                theirs.perform(Note("From elsewhere."))
                heard = await until(pages, lambda page: bool(page.entries))
                assert [entry.seq for entry in heard.entries] == [2]
                tokens.revoke("DOORS", issued.id)
                heard = await until(pages, lambda page: bool(page.revoked))
                assert heard.revoked == {issued.id}
            await pages.aclose()

    asyncio.run(read())


def test_a_reader_gets_what_a_process_wrote_that_was_killed_before_it_notified_anyone(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "RECHECK", 1.0)
    ledger = postgres.database()

    async def read() -> None:
        with closing(AppState(Settings(ledger=ledger, keys=KEYS))) as app_state:
            Session.create(app_state.store, ruleset="eclipse_phase_1e", session="DOORS")

            async def page(after: int) -> LogPage:
                records = app_state.store.read("DOORS", after)
                return LogPage([EncodedEntry(each.seq, each.line) for each in records], frozenset())

            app_state.listen()
            pages = app_state.feed.follow("DOORS", 1, "eyes", page, AN_HOUR)
            heard = asyncio.ensure_future(until(pages, lambda page: bool(page.entries)))
            await app_state.run(lambda: killed_before_notify(ledger, "DOORS"))
            async with asyncio.timeout(BOUND):
                assert [entry.seq for entry in (await heard).entries] == [2]
            await pages.aclose()

    asyncio.run(read())


class Listening:
    """A state that receives news of two sessions, of which the ledger refuses one for a while."""

    def __init__(self, app_state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("DOORS", "WINDOWS"):
            Session.create(app_state.store, ruleset="eclipse_phase_1e", session=name)
        self.refusal: Refused | None = None
        self.rung: asyncio.Queue[str] = asyncio.Queue()
        self._head = app_state.store.head
        monkeypatch.setattr(app_state.store, "head", self._refused)
        monkeypatch.setattr(type(app_state.feed), "sessions", ("DOORS", "WINDOWS"))
        monkeypatch.setattr(app_state.feed, "ring", lambda sessions: [self.rung.put_nowait(each) for each in sessions])

    def _refused(self, session: str) -> Head:
        if session == "DOORS" and self.refusal is not None:
            raise self.refusal
        return self._head(session)

    async def hear(self, *expected: str) -> None:
        """Waits for the news of these sessions and of no other."""
        async with asyncio.timeout(BOUND):
            assert {await self.rung.get() for _ in expected} == set(expected)


def listening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Listening, Store], Awaitable[None]]
) -> None:
    ledger = f"sqlite:///{tmp_path}/fight.db"

    async def run() -> None:
        with closing(open_store(ledger)) as other, closing(AppState(Settings(ledger=ledger, keys=KEYS))) as app_state:
            here = Listening(app_state, monkeypatch)
            app_state.listen()
            await here.hear("DOORS", "WINDOWS")
            await work(here, other)

    asyncio.run(run())


@pytest.mark.parametrize("refusal", [Damaged("Cut short."), Broken("Other.", seq=1), Cut("Cut.", seq=1)], ids=repr)
def test_a_damaged_session_is_told_once_and_does_not_keep_news_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: Refused
) -> None:
    async def work(here: Listening, other: Store) -> None:
        here.refusal = refusal
        Session(other, "WINDOWS").perform(Note("From elsewhere."))
        await here.hear("DOORS", "WINDOWS")
        Session(other, "WINDOWS").perform(Note("And again."))
        await here.hear("WINDOWS")
        here.refusal = None  # the file was put back
        Session(other, "WINDOWS").perform(Note("And again."))
        await here.hear("DOORS", "WINDOWS")

    listening(tmp_path, monkeypatch, work)


@pytest.mark.parametrize("refusal", [Busy("Held."), Unusable("Gone.")], ids=repr)
def test_news_of_a_session_that_could_not_be_looked_at_just_then_come_later_though_nothing_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: Refused
) -> None:
    async def work(here: Listening, other: Store) -> None:
        here.refusal = refusal
        for name in ("DOORS", "WINDOWS"):
            Session(other, name).perform(Note("From elsewhere."))
        await here.hear("WINDOWS")
        here.refusal = None
        await here.hear("DOORS")

    listening(tmp_path, monkeypatch, work)


def test_readiness_is_reported_while_commands_hold_all_other_threads(tmp_path: Path) -> None:
    async def run() -> None:
        held = threading.Event()
        with closing(AppState(Settings(ledger=f"sqlite:///{tmp_path}/fight.db", keys=KEYS))) as app_state:
            waiting = [asyncio.ensure_future(app_state.run(held.wait)) for _ in range(WAITING_THREADS)]
            try:
                async with asyncio.timeout(BOUND):
                    await app_state.check()
                assert not any(each.done() for each in waiting)
            finally:
                held.set()
            await asyncio.gather(*waiting)

    asyncio.run(run())
