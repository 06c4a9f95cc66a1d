"""What other processes do to a ledger is heard by who reads live, long before the next look at their token."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

from ledger.commands import Note
from ledger.stores import open_store
from replays.server.desk import Desk
from replays.server.pages import Frame, Page
from replays.server.settings import Settings
from replays.server.tokens import Scope, Signer, Tokens
from replays.session import Session

KEYS = ("k" * 40,)
AN_HOUR = 3600.0


async def until(pages: AsyncIterator[Page], told: Callable[[Page], bool]) -> Page:
    """What comes; a server rings for nothing, too, for it cannot know what it has missed before it listened."""
    async for page in pages:
        if told(page):
            return page
    raise AssertionError("it ended")


def test_what_another_process_writes_or_revokes_is_news(tmp_path: Path) -> None:
    ledger = f"sqlite:///{tmp_path}/fight.db"

    async def read() -> None:
        with closing(open_store(ledger)) as other, closing(Desk(Settings(ledger=ledger, keys=KEYS))) as desk:
            theirs = Session.create(other, ruleset="eclipse_phase_1e", session="DOORS")
            tokens = Tokens(Signer(KEYS), other)
            issued = tokens.issue("DOORS", Scope.PLAYER, "kira")

            async def page(after: int) -> Page:
                records = desk.store.read("DOORS", after)
                return Page([Frame(each.seq, each.line) for each in records], desk.tokens.revoked("DOORS"))

            desk.listen()
            pages = desk.feed.follow("DOORS", 1, "eyes", page, AN_HOUR)
            async with asyncio.timeout(60):
                theirs.perform(Note("From elsewhere."))
                heard = await until(pages, lambda page: bool(page.frames))
                assert [frame.seq for frame in heard.frames] == [2]
                tokens.revoke("DOORS", issued.id)
                heard = await until(pages, lambda page: bool(page.revoked))
                assert heard.revoked == {issued.id}
            await pages.aclose()

    asyncio.run(read())
