"""What other processes do to a ledger is heard by who reads live, long before the next look at their token."""

import asyncio
from contextlib import closing
from pathlib import Path

from ledger.commands import Note
from ledger.stores import open_store
from replays.server.desk import Desk
from replays.server.feed import Frame, Page
from replays.server.settings import Settings
from replays.server.tokens import Scope, Signer, Tokens
from replays.session import Session

KEYS = ("k" * 40,)
AN_HOUR = 3600.0


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
                coming = asyncio.ensure_future(anext(pages))
                await asyncio.sleep(0.1)
                theirs.perform(Note("From elsewhere."))
                assert [frame.seq for frame in (await coming).frames] == [2]
                coming = asyncio.ensure_future(anext(pages))
                await asyncio.sleep(0.1)
                tokens.revoke("DOORS", issued.id)
                assert (await coming).revoked == {issued.id}
            await pages.aclose()

    asyncio.run(read())
