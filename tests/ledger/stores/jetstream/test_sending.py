"""Requests of many threads by one connection: answers, what was given up, and the end; without a server."""

import asyncio
from collections.abc import Callable, Iterator
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from nats.errors import ConnectionClosedError

from ledger.stores.jetstream.servers.errors import NoAnswer, NotConnected, NotSent
from ledger.stores.jetstream.servers.sending import Message, RequestQueue

ASKED = (Message("first", b"1"), Message("last", b"2"))


class Pretended:
    """A connection that keeps what is published, and answers once its gate is open."""

    is_connected = True

    def __init__(self) -> None:
        self.published: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    def new_inbox(self) -> str:
        return "_INBOX.unique"

    async def subscribe(self, subject: str, cb: Callable[[Any], Any]) -> None:
        assert subject == "_INBOX.unique.*"
        self.hear = cb

    async def publish(self, subject: str, _payload: bytes, reply: str, _headers: Any) -> None:
        await self.gate.wait()
        self.published.append((subject, reply))

    async def answer(self, place: int, **headers: str) -> None:
        await self.hear(SimpleNamespace(subject=self.published[place][1], headers=headers, data=b"done"))


class Room:
    """A queue with its pretended connection and the thread of its loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.client = Pretended()
        self.queue = RequestQueue(self.loop)
        self.do(self.queue.begin(self.client))  # type: ignore[arg-type]

    def do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def sent(self) -> list[str]:
        self.do(asyncio.sleep(0.01))
        return [subject for subject, _ in self.client.published]

    def close(self) -> None:
        self.client.gate.set()
        self.do(self.queue.end())
        self.do(asyncio.sleep(0))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    if not room.loop.is_closed():
        room.close()


def test_messages_are_sent_in_order_and_the_last_is_answered(room: Room) -> None:
    one, other = room.queue.begun(ASKED), room.queue.begun(ASKED[1:])
    assert room.sent() == ["first", "last", "last"]
    room.do(room.client.answer(2))
    room.do(room.client.answer(1))
    room.do(room.client.answer(1))  # a second answer changes nothing
    assert room.queue.answer(other, 1).data == room.queue.answer(one, 1).data == b"done"
    assert not room.queue._open


def test_where_no_server_answers_nothing_was_sent(room: Room) -> None:
    request = room.queue.begun(ASKED)
    room.sent()
    room.do(room.client.answer(1, Status="503"))
    with pytest.raises(NotSent):
        room.queue.answer(request, 1)


def test_a_late_answer_is_for_no_thread(room: Room) -> None:
    request = room.queue.begun(ASKED)
    room.sent()
    with pytest.raises(NoAnswer):
        room.queue.answer(request, 0.01)
    room.do(room.client.answer(1))
    assert (request.answer, room.queue._open) == (None, {})


def test_what_was_given_up_in_the_queue_is_not_sent_and_was_not_received(room: Room) -> None:
    room.loop.call_soon_threadsafe(room.client.gate.clear)
    first = room.queue.begun(ASKED[1:])
    room.do(asyncio.sleep(0.01))
    later = room.queue.begun(ASKED)
    with pytest.raises(NotSent):
        room.queue.answer(later, 0.01)
    room.loop.call_soon_threadsafe(room.client.gate.set)
    assert room.sent() == ["last"]
    room.do(room.client.answer(0))
    assert room.queue.answer(first, 1).data == b"done"


def test_without_a_connection_nothing_is_sent(room: Room) -> None:
    room.client.is_connected = False
    with pytest.raises(NotConnected):
        room.queue.answer(room.queue.begun(ASKED), 1)
    assert room.sent() == []


def test_the_end_ends_what_waits_and_takes_nothing_more(room: Room) -> None:
    request = room.queue.begun(ASKED)
    room.sent()
    room.do(room.queue.end())
    with pytest.raises(ConnectionClosedError):
        room.queue.answer(request, 10)
    with pytest.raises(ConnectionClosedError):
        room.queue.begun(ASKED)
    room.close()
    with pytest.raises(ConnectionClosedError):
        room.queue.begun(ASKED)
    assert not room.queue._open
