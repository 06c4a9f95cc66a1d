"""Requests of many threads, sent in groups by the one thread of the connection, and the answers to them."""

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import count
from threading import Lock

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, OutboundBufferLimitError

from ledger.stores.jetstream.servers.errors import NoAnswer, NotConnected, NotSent

STATUS = "Status"
"""The header with the state of an answer that holds no message."""
NO_RESPONDERS = "503"
"""The state of an answer for a subject that no server answers."""


class Message(msgspec.Struct, frozen=True, gc=False):
    """A message to send."""

    subject: str
    payload: bytes
    headers: dict[str, str] | None = None


class SentRequest:
    """Messages that were sent together, and the thread that waits for the answer to the last of them.

    Args:
        messages: The messages, in their order.
        token: A word that is unique on this connection, to which the answer is sent.
    """

    __slots__ = ("_done", "answer", "error", "is_begun", "messages", "token")

    def __init__(self, messages: Sequence[Message], token: str) -> None:
        self.messages = messages
        self.token = token
        self.answer: Msg | None = None
        self.error: BaseException | None = None
        self.is_begun = False
        """Whether a server may have received some of it."""
        self._done = Lock()
        self._done.acquire()

    def end(self, answer: Msg | None = None, error: BaseException | None = None) -> None:
        """Wakes the thread that waits. Called in the thread of the connection; only the first call counts."""
        if self.answer is None and self.error is None:
            self.answer, self.error = answer, error
            self._done.release()

    def wait(self, seconds: float) -> bool:
        """Waits for the end; returns whether it came in time."""
        return self._done.acquire(timeout=seconds)


class RequestQueue:
    """Sends requests, and gives each answer to the thread that waits for it.

    A thread leaves its request in a queue. The thread of the connection is woken once for all that are there, and sends
    them one after the other.

    Args:
        loop: The event loop of the connection, which runs in another thread than those that send.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._client: Client | None = None
        self._queue = deque[SentRequest]()
        self._open: dict[str, SentRequest] = {}
        """The requests for whose answer a thread waits, by their tokens."""
        self._numbers = count(1)
        self._inbox = ""
        self._wake = asyncio.Event()
        self._is_woken = self._is_ended = False
        self._sending: asyncio.Task[None] | None = None

    async def begin(self, client: Client) -> None:
        """Sends by a connection from now on. Called in the thread of the connection."""
        self._client = client
        self._inbox = self._inbox or client.new_inbox()
        await client.subscribe(f"{self._inbox}.*", cb=self._answered)
        self._sending = self._sending or self._loop.create_task(self._send())

    async def end(self) -> None:
        """Ends all requests without an answer, and sends no more. Called in the thread of the connection."""
        self._is_ended = True
        if self._sending is not None:
            self._sending.cancel()
        for each in list(self._open.values()):
            each.end(error=ConnectionClosedError())

    def token(self) -> str:
        """Returns a word that no other request of any connection has, as one token of a subject."""
        return f"{self._inbox.rpartition('.')[2]}{next(self._numbers)}"

    def begun(self, messages: Sequence[Message]) -> SentRequest:
        """Sends messages of which the last is a request; returns before they are sent.

        Raises:
            ConnectionClosedError: This was ended.
        """
        request = SentRequest(messages, self.token())
        self._open[request.token] = request
        self._queue.append(request)
        try:
            if self._is_ended:  # looked at after the request is there: `end` ends it, or it is not taken
                raise ConnectionClosedError
            if not self._is_woken:
                self._is_woken = True
                self._loop.call_soon_threadsafe(self._wake.set)
        except (ConnectionClosedError, RuntimeError) as error:  # the loop is closed
            self._open.pop(request.token, None)
            raise ConnectionClosedError from error
        return request

    def answer(self, request: SentRequest, seconds: float) -> Msg:
        """Waits for the answer to a request.

        Raises:
            NotSent: No server received it.
            NoAnswer: There was no answer in time.
            nats.errors.Error: The connection is closed, or a message is too large.
        """
        try:
            is_in_time = request.wait(seconds)
        finally:
            self._open.pop(request.token, None)  # what is not sent by now is not sent any more
        if not is_in_time:
            raise NoAnswer("no answer") if request.is_begun else NotSent("it could not be sent in time")
        if request.answer is None:
            assert request.error is not None
            raise request.error
        if request.answer.headers and request.answer.headers.get(STATUS) == NO_RESPONDERS:
            raise NotSent("no server answers")
        return request.answer

    async def _answered(self, answer: Msg) -> None:
        request = self._open.get(answer.subject.rpartition(".")[2])
        if request is not None:  # else the thread no longer waits
            request.end(answer)

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._is_woken = False  # before the queue is read: what comes later wakes this again
            while self._queue:
                request = self._queue.popleft()
                request.is_begun = True  # before it is looked up: a thread that gives up does so in the reverse order
                if request.token not in self._open:
                    continue
                try:
                    await self._publish(request)
                except Exception as error:
                    request.end(error=error)

    async def _publish(self, request: SentRequest) -> None:
        *before, last = request.messages
        for each in before:
            await self._publish_one(each)
        await self._publish_one(last, f"{self._inbox}.{request.token}")

    async def _publish_one(self, message: Message, reply: str = "") -> None:
        if self._client is None or not self._client.is_connected:
            raise NotConnected("there is no connection")
        try:
            await self._client.publish(message.subject, message.payload, reply, message.headers)
        except (OutboundBufferLimitError, ConnectionClosedError) as error:
            raise NotConnected("there is no connection") from error
