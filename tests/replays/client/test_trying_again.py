"""A lost call is repeated and performed once; a busy server is asked later; a refused call is not repeated."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from client.brawl import begun, host_token
from client.lost_answers import Cut
from server.processes import Served, served

from ledger.commands import Note
from ledger.entry import Seat
from ledger.errors import Refused
from replays.client import AsyncRemoteSession, Founded, Host, RemoteSession, ServerRefused, Unreachable
from replays.client.refusals import Problem, refusal_of


class AsyncCut(httpx.AsyncHTTPTransport):
    """The same for asyncio."""

    left = 1

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await super().handle_async_request(request)
        if self.left:
            self.left -= 1
            await answer.aread()
            await answer.aclose()
            raise httpx.ReadError("the connection was cut")
        return answer


def gamemasters_token(founded: Founded) -> str:
    return founded.tokens[0].token


@pytest.mark.parametrize("times", [1, 3])
def test_a_command_whose_answer_was_lost_is_performed_once(server: Served, founded: Founded, times: int) -> None:
    with httpx.Client(transport=Cut(times)) as client:
        session = RemoteSession(server.url, founded.id, gamemasters_token(founded), client=client)
        note = session.perform(Note("once"))
    assert note.seq == 2
    assert founded.gamemaster().state().entries == 2


def test_so_is_one_that_asyncio_sends(server: Served, founded: Founded) -> None:
    async def play() -> int:
        async with httpx.AsyncClient(transport=AsyncCut()) as client:
            session = AsyncRemoteSession(server.url, founded.id, gamemasters_token(founded), client=client)
            return (await session.perform(Note("once"))).seq

    assert asyncio.run(play()) == 2
    assert founded.gamemaster().state().entries == 2


def test_so_are_undo_and_redo_and_the_founding_of_a_session(server: Served, founded: Founded) -> None:
    begun(founded.gamemaster())
    plays: tuple[Callable[[RemoteSession], object], ...] = (
        lambda session: session.undo(why="oops"),
        lambda session: session.redo(why="no"),
        lambda session: session.rewind(3),
    )
    for play in plays:
        with httpx.Client(transport=Cut(1)) as client:
            play(RemoteSession(server.url, founded.id, gamemasters_token(founded), client=client))
    assert founded.gamemaster().state().entries == 9
    with httpx.Client(transport=Cut(1)) as client:
        host = Host(server.url, host_token(server), client=client)
        before = len(host.sessions(limit=1000))
        host.create_session(ruleset="gurps_3e")
        assert len(host.sessions(limit=1000)) == before + 1


def test_what_has_no_key_is_not_sent_again_when_its_answer_is_lost(server: Served, founded: Founded) -> None:
    transport = Cut(1)
    with httpx.Client(transport=transport) as client:
        session = RemoteSession(server.url, founded.id, gamemasters_token(founded), client=client)
        with pytest.raises(Unreachable):
            session.issue(Seat.SPECTATOR, "zoe")
    assert transport.sent == 1


# ------------------------------------------------------------------------------------------------ the server is busy


def problem(status: int, slug: str, **headers: str) -> httpx.Response:
    body = {"type": f"urn:affray:{slug}", "title": "", "status": status, "detail": "no", "slug": slug}
    return httpx.Response(status, json=body, headers={"content-type": "application/problem+json", **headers})


def asking(*answers: httpx.Response, patience: float = 5.0) -> tuple[Callable[[], object], list[httpx.Request]]:
    """Returns a caller that gets these answers in order, and the requests that it sends."""
    left, asked = list(answers), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return left.pop(0) if len(left) > 1 else left[0]

    def ask() -> object:
        with httpx.Client(transport=httpx.MockTransport(answer)) as client:
            return RemoteSession("http://affray.invalid", "s", "x", client=client, patience=patience).disputes()

    return ask, asked


@pytest.mark.parametrize(
    "busy",
    [
        problem(503, "store/busy"),
        problem(429, "server/too-often"),
        httpx.Response(503),
        httpx.Response(502, html="a proxy"),
        httpx.Response(408),
    ],
    ids=lambda answer: str(answer.status_code),
)
def test_what_is_busy_is_asked_again(busy: httpx.Response) -> None:
    ask, asked = asking(busy, busy, httpx.Response(200, json=[]))
    assert ask() == ()
    assert len(asked) == 3


def test_it_is_left_alone_as_long_as_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(
        "replays.client.synchronous.sending.time", SimpleNamespace(monotonic=time.monotonic, sleep=slept.append)
    )
    ask, asked = asking(problem(429, "server/too-often", **{"retry-after": "3"}), httpx.Response(200, json=[]))
    ask()
    assert slept == [3.0]
    assert len(asked) == 2


def test_nobody_waits_longer_than_their_patience() -> None:
    ask, asked = asking(problem(503, "store/busy", **{"retry-after": "3600"}))
    with pytest.raises(Refused, match="store/busy") as refused:
        ask()
    assert type(refused.value).__name__ == "Busy"
    assert len(asked) == 1


@pytest.mark.parametrize(
    "refused",
    [
        problem(422, "dice/wrong-count"),
        problem(404, "roll/unknown"),
        problem(500, "internal"),
        problem(507, "store/full"),
    ],
)
def test_what_is_refused_is_not_asked_again(refused: httpx.Response) -> None:
    ask, asked = asking(refused)
    with pytest.raises(Refused):
        ask()
    assert len(asked) == 1


def test_a_reckoning_that_took_too_long_is_not_begun_again() -> None:
    ask, asked = asking(problem(503, "server/too-slow", **{"retry-after": "1"}))
    with pytest.raises(ServerRefused, match="server/too-slow"):
        ask()
    assert len(asked) == 1


def test_a_slug_that_nobody_knows_here_is_kept() -> None:
    refusal = refusal_of(Problem(slug="moon/too-full", status=422, detail="howl", where="sky", accepts="a cloud"))
    assert isinstance(refusal, ServerRefused)
    assert str(refusal) == "moon/too-full: howl (accepted: a cloud)"
    assert (refusal.slug, refusal.status, refusal.where) == ("moon/too-full", 422, "sky")
    assert ServerRefused.slug == "client/refused"


def kinds(of: type[Refused]) -> list[type[Refused]]:
    return [each for kind in of.__subclasses__() for each in (kind, *kinds(kind))]


KINDS = sorted(
    (kind for kind in kinds(Refused) if kind.__module__.startswith(("ledger.", "machines.")) and "slug" in vars(kind)),
    key=lambda kind: kind.slug,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_every_refusal_comes_back_as_the_exception_that_it_was(kind: type[Refused]) -> None:
    told = Problem(slug=kind.slug, status=422, detail="no", where="entry 3", accepts="yes", actual=6)
    refusal = refusal_of(told, expected=4)
    assert type(refusal) is kind
    assert refusal.where in ("entry 3", "expected")


def test_a_server_that_is_begun_anew_is_found_again(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        port = first.port
        host = Host(first.url, host_token(first), patience=30.0)
        session = host.create_session(ruleset="eclipse_phase_1e").gamemaster()
        session.perform(Note("before"))
    with served(tmp_path, port=port), host:
        assert session.perform(Note("after")).seq == 3


def test_a_server_that_is_gone_is_unreachable(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        host = Host(server.url, host_token(server), patience=0.3)
        session = host.create_session(ruleset="eclipse_phase_1e").gamemaster()
    with host, pytest.raises(Unreachable):
        session.perform(Note("into the void"))
