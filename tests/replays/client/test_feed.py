"""The live feed has everything once and in order, whatever happens to the connection, until it is closed or refused."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest
from client.brawl import begun, host_token
from server.processes import PATIENCE, Served, served

from ledger.commands import Note
from ledger.entry import Seat
from replays.client import AsyncRemoteSession, Founded, Heard, Host, RemoteSession, ServerRefused, Unreachable
from replays.client.synchronous.feeding import FeedReader


class Reader:
    """Reads a feed in a separate thread."""

    def __init__(self, session: RemoteSession, after: int = 0) -> None:
        self.numbers: list[int] = []
        self.end: BaseException | None = None
        self._feed = session.feed(after)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        try:
            for entry in self._feed:
                self.numbers.append(entry.seq)
        except BaseException as error:
            self.end = error

    def until(self, number: int) -> list[int]:
        """Returns what was read, once that entry has arrived."""
        latest = time.monotonic() + PATIENCE
        while number not in self.numbers:
            assert time.monotonic() < latest, self.numbers
            time.sleep(0.02)
        return self.numbers

    def ended(self) -> BaseException | None:
        """Returns why it ended, once it has."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        return self.end


def test_a_feed_tells_what_there_is_and_then_what_comes(gamemaster: RemoteSession) -> None:
    begun(gamemaster)
    with closing(gamemaster.feed(2)) as feed:
        assert [entry.seq for entry in islice(feed, 4)] == [3, 4, 5, 6]
        gamemaster.perform(Note("a\u2028b\x85c\r\n\n\nd"))
        entry = next(feed)
    assert entry.command == Note("a\u2028b\x85c\r\n\n\nd", given_at=entry.command.given_at)
    assert entry == next(iter(gamemaster.entries(6)))


def test_an_asynchronous_feed_tells_the_same(server: Served, founded: Founded) -> None:
    async def read() -> list[int]:
        async with AsyncRemoteSession(server.url, founded.id, founded.tokens[0].token) as session:
            numbers = []
            async with aclosing(session.feed()) as feed:
                async for entry in feed:
                    numbers.append(entry.seq)
                    if len(numbers) == 4:
                        break
                    await session.perform(Note("more"))
            return numbers

    assert asyncio.run(read()) == [1, 2, 3, 4]


def test_a_feed_goes_on_when_the_server_was_begun_anew(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        port = first.port
        host = Host(first.url, host_token(first), patience=PATIENCE)
        session = host.create_session(ruleset="eclipse_phase_1e").gamemaster()
        reader = Reader(session)
        session.perform(Note("one"))
        assert reader.until(2) == [1, 2]
        first.kill()
    with served(tmp_path, port=port) as second:
        session.perform(Note("two"))
        assert reader.until(3) == [1, 2, 3]
        second.stop()
    with served(tmp_path, port=port), host:
        session.perform(Note("three"))
        assert reader.until(4) == [1, 2, 3, 4]
        host.close()
    assert reader.ended() is None


def test_a_feed_ends_when_its_session_is_closed(server: Served, founded: Founded) -> None:
    session = RemoteSession(server.url, founded.id, founded.tokens[0].token)
    reader = Reader(session)
    reader.until(1)
    session.close()
    assert reader.ended() is None


def test_a_revoked_token_ends_the_feed_with_the_refusal(server: Served, founded: Founded) -> None:
    issued = founded.gamemaster().issue(Seat.SPECTATOR, "zoe")
    with RemoteSession(server.url, founded.id, issued.token) as session:
        reader = Reader(session)
        reader.until(1)
        founded.gamemaster().revoke(issued.id)
        refused = reader.ended()
        assert isinstance(refused, ServerRefused)
        assert refused.slug == "token/revoked"
        with pytest.raises(ServerRefused, match="token/revoked"):
            next(session.feed())


def test_a_feed_that_is_never_answered_ends_after_its_patience() -> None:
    with RemoteSession("http://127.0.0.1:9", "x", "x") as session, pytest.raises(Unreachable):
        next(session.feed(patience=0.3))


class Torn(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A stream that breaks after some bytes."""

    def __init__(self, inner: Any, bytes_: int) -> None:
        self._inner, self._bytes = inner, bytes_

    def _whole(self, chunk: bytes) -> bytes:
        self._bytes -= len(chunk)
        return chunk if self._bytes > 0 else chunk[: self._bytes - 1]

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            yield self._whole(chunk)
            if self._bytes <= 0:
                raise httpx.ReadError("torn")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            yield self._whole(chunk)
            if self._bytes <= 0:
                raise httpx.ReadError("torn")

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner.aclose()


class Tearing(httpx.HTTPTransport):
    """Breaks each answer, each time a little later."""

    bytes = 1

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        self.bytes += 777
        return httpx.Response(answer.status_code, headers=answer.headers, stream=Torn(answer.stream, self.bytes))


class AsyncTearing(httpx.AsyncHTTPTransport):
    """The same for asyncio."""

    bytes = 1

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await super().handle_async_request(request)
        self.bytes += 777
        return httpx.Response(answer.status_code, headers=answer.headers, stream=Torn(answer.stream, self.bytes))


def test_a_connection_that_is_torn_again_and_again_loses_nothing_and_doubles_nothing(
    server: Served, founded: Founded, gamemaster: RemoteSession
) -> None:
    begun(gamemaster)
    with httpx.Client(transport=Tearing()) as client:
        session = RemoteSession(server.url, founded.id, founded.tokens[0].token, client=client)
        with closing(session.feed()) as feed:
            read = list(islice(feed, 6))
    assert client.is_closed
    assert read == list(gamemaster.entries())


def test_so_it_is_with_asyncio(server: Served, founded: Founded, gamemaster: RemoteSession) -> None:
    async def read() -> list[Heard]:
        async with httpx.AsyncClient(transport=AsyncTearing()) as client:
            session = AsyncRemoteSession(server.url, founded.id, founded.tokens[0].token, client=client)
            found: list[Heard] = []
            async with aclosing(session.feed()) as feed:
                async for entry in feed:
                    found.append(entry)
                    if len(found) == 6:
                        break
            return found

    begun(gamemaster)
    assert asyncio.run(read()) == list(gamemaster.entries())


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_feed_is_read_whatever_pieces_it_comes_in(gamemaster: RemoteSession, size: int) -> None:
    begun(gamemaster)
    told = list(gamemaster.entries())
    with closing(gamemaster.feed()) as feed:
        assert list(islice(feed, 6)) == told
    following = FeedReader("/v1/sessions/x", 0, 1.0)
    connection = gamemaster._connection
    raw = b""
    with connection.client.stream(
        **connection.endpoint.request(FeedReader(gamemaster._calls.path, 0, 1.0).call(), 30.0)
    ) as answer:
        for chunk in answer.iter_bytes():
            raw += chunk
            if raw.count(b"event: entry") == 6 and raw.endswith(b"\n\n"):
                break
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert [entry for piece in pieces for entry in following.decode(piece)] == told


def test_whoever_reads_slowly_is_told_all_the_same(gamemaster: RemoteSession) -> None:
    with closing(gamemaster.feed(patience=0.5)) as feed:
        assert next(feed).seq == 1
        time.sleep(1)
        gamemaster.perform(Note("later"))
        assert next(feed).seq == 2
