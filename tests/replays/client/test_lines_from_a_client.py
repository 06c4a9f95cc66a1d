"""The client asks the table and sends it lines; a line whose answer was lost is not executed twice."""

import asyncio

import httpx
import pytest
from client.brawl import begun
from client.lost_answers import Cut
from server.processes import Served

from ledger.commands import ApplyModifier, Note
from ledger.errors import Refused, Stale
from replays.client import AsyncRemoteSession, Founded, RemoteSession, SentLine
from replays.odds.odds import Odds
from replays.server.routes.lines import LineSent
from replays.table.online.documents import LineFound, TableQuestion


def play(session: RemoteSession, line: str, *answers: str) -> SentLine:
    return session.send_line(line, answers, expected=session.question().last)


def test_an_exchange_is_played_by_lines(founded: Founded) -> None:
    gamemaster, kira = founded.gamemaster(), founded.player("kira")
    begun(gamemaster)
    assert gamemaster.understand("attack bob").sentences == ("Ann → bob, fist",)

    done = play(gamemaster, "attack bob -10 sand")
    assert [each.command.kind for each in done.entries[:1]] == ["attack"]  # type: ignore[attr-defined]
    assert isinstance(done.entries[1].command, Note)
    assert isinstance(done.question, TableQuestion)

    done = play(kira, "none")
    assert isinstance(done.entries[1].command, ApplyModifier)
    roll = gamemaster.question().rolls[0]
    assert (roll.target, roll.missing) == (40, "1d100")
    assert play(gamemaster, "22").narration


def test_what_a_line_finds_is_what_the_call_of_its_name_finds(founded: Founded) -> None:
    gamemaster = founded.gamemaster()
    begun(gamemaster)
    play(gamemaster, "attack bob")
    play(gamemaster, "none")
    play(gamemaster, "dispute bob/initiative cocked")

    odds = gamemaster.send_line("odds").odds
    assert isinstance(odds, Odds)
    assert odds.exact
    assert odds == gamemaster.odds()
    assert gamemaster.send_line("luck").luck == gamemaster.luck()
    assert gamemaster.send_line("why bob/initiative").why == gamemaster.why("bob/initiative")
    assert gamemaster.send_line("disputes").disputes == gamemaster.disputes()
    assert gamemaster.send_line("disputes d1").dispute == gamemaster.dispute("d1")
    assert gamemaster.send_line("audit").audit == gamemaster.audit()
    assert gamemaster.send_line("show").shows == "state"
    asked = play(gamemaster, "reroll 5 = 45", "misread")
    assert (asked.asks, asked.entries) == ("amend it? y/n", ())
    assert asked.report is not None


def test_a_client_knows_all_that_a_line_may_have_found() -> None:
    known = {*SentLine.__struct_fields__}

    assert {*LineFound.__struct_fields__} <= known
    assert {*LineSent.__struct_fields__} - {"found", "rests", "patch"} <= known


@pytest.mark.parametrize("line", ["undo", "teapot", "attack nobody"])
def test_a_refusal_has_its_slug(founded: Founded, line: str) -> None:
    begun(founded.gamemaster())

    with pytest.raises(Refused) as refused:
        play(founded.player("kira"), line)
    assert refused.value.slug in ("seat/not-allowed", "table/not-understood", "choice/not-asked-for")


def test_a_late_line_is_stale(founded: Founded) -> None:
    gamemaster = founded.gamemaster()
    begun(gamemaster)

    with pytest.raises(Stale) as stale:
        gamemaster.send_line("attack bob", expected=3)
    assert stale.value.actual == gamemaster.question().last
    with pytest.raises(Refused, match="needs the entry that was seen"):
        gamemaster.send_line("attack bob")


def test_a_line_whose_answer_was_lost_is_executed_once(server: Served, founded: Founded) -> None:
    begun(founded.gamemaster())
    last = founded.gamemaster().question().last
    with httpx.Client(transport=Cut(1)) as client:
        session = RemoteSession(server.url, founded.id, founded.tokens[0].token, client=client)
        done = session.send_line("note once", (), last)

    assert [each.seq for each in done.entries] == [last + 1]
    assert founded.gamemaster().state().entries == last + 1


def test_the_same_for_asyncio(server: Served, founded: Founded) -> None:
    begun(founded.gamemaster())

    async def played() -> tuple[str, SentLine]:
        async with AsyncRemoteSession(server.url, founded.id, founded.tokens[0].token) as session:
            question = await session.question()
            understood = await session.understand("attack bob")
            return understood.sentences[0], await session.send_line("attack bob", expected=question.last)

    sentence, done = asyncio.run(played())
    assert sentence == "Ann → bob, fist"
    assert done.last == founded.gamemaster().question().last
