"""The connection to the servers: one event loop in a separate thread, which all threads of the process share."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

import msgspec
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError, Error, NoRespondersError, NoServersError, OutboundBufferLimitError

from ledger.stores.jetstream.servers.address import NatsAddress
from ledger.stores.jetstream.servers.connecting import NatsClient, options
from ledger.stores.jetstream.servers.errors import NO_LEADER, Denied, NoAnswer, NotConnected, NotSent, NotWritten
from ledger.stores.jetstream.servers.failing import FailingTime
from ledger.stores.jetstream.servers.failures import Unreached
from ledger.stores.jetstream.servers.sending import NO_RESPONDERS, STATUS, Message, RequestQueue, SentRequest
from ledger.stores.jetstream.servers.stored import Stored, stored

EXPECTED = "Nats-Expected-Last-Subject-Sequence"
"""The header of a message that is stored only if the last message of its subject has this number in the stream."""
NONE_YET = {EXPECTED: "0"}
"""The headers of a message that is stored only if its subject has none."""

_BATCH, _PLACE, _COMMIT = "Nats-Batch-Id", "Nats-Batch-Sequence", "Nats-Batch-Commit"
"""The headers of each message of a batch: its name, the message's place in it, and that it is the last one."""

ATTEMPT = 3.0
"""The longest time in seconds that one attempt waits for an answer."""
_SLOW, _LARGE = 1.0, 100_000
"""The seconds after which a write is slow, unless one of its messages has so many bytes."""
_BEHIND = 0.5
"""Seconds after which a server that lacks something, or refuses to write it, has been away or is cut off."""
_NO_LEADER = f'"err_code":{NO_LEADER}'.encode()
"""What the answer of a server contains that knows no leader."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.002, 0.1
_FLUSHED = 60
"""Seconds after which the answer to a flush cannot arrive any more; one that was given up before ends all reading."""
_REOPENING = 0.5
"""Seconds between attempts to connect after a server has refused to go on."""
_END = ("204", "404")
"""The states that end the answer to a request for several messages: no more, and none."""

T = TypeVar("T")

# Keeps the library's messages about lost connections off the screen unless the program configures logging.
logging.getLogger("nats").addHandler(logging.NullHandler())


class Ack(msgspec.Struct, frozen=True):
    """The server's answer to a write."""

    seq: int = 0
    """The number in the stream of the last message that was written."""
    error: Mapping[str, Any] | None = None


class Link:
    """Sends requests to the servers and waits for the answers. Threads may share it.

    The library reconnects by itself, to any of the servers. Nothing is sent while there is no connection.

    Args:
        address: The servers.
        patience: Seconds to wait for a connection.

    Raises:
        Unreached: No server can be reached, or each refuses the connection; it has the reasons.
        Unusable: A file that the address names is not what it has to be.
    """

    def __init__(self, address: NatsAddress, patience: float) -> None:
        self._client = NatsClient()
        self._settings = options(address)
        self._patience = patience
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="affray-nats", daemon=True)
        self._thread.start()
        self._requests = RequestQueue(self._loop)
        self._ack = msgspec.json.Decoder(Ack)
        self._failing = FailingTime()
        self._hearers: list[tuple[str, Callable[[Msg], Awaitable[None]]]] = []
        self._is_ending = False
        self._opening: asyncio.Task[None] | None = None
        self._reconnection: Callable[[], None] = lambda: None
        try:
            self._do(self._open(), patience)
        except (NoAnswer, NoServersError) as error:
            self.close()
            raise Unreached(address.servers, self._client.failures) from error
        except BaseException:
            self.close()
            raise

    @property
    def version(self) -> tuple[int, int]:
        """The version of the connected server: major and minor; (0, 0) if it reports none."""
        version = self._client.connected_server_version
        try:
            return version.major, version.minor
        except ValueError:
            return 0, 0

    @property
    def server(self) -> str:
        """The name of the connected server."""
        return str(self._client.greeting.get("server_name", ""))

    @property
    def where(self) -> str:
        """The address of the connected server: ``host:port``."""
        return self._client.where

    @property
    def has_jetstream(self) -> bool:
        """Whether the connected server has JetStream; others of its cluster may have it."""
        return bool(self._client.greeting.get("jetstream"))

    def ask(self, subject: str, payload: bytes = b"", seconds: float = ATTEMPT) -> bytes:
        """Sends a request, and returns the answer.

        Raises:
            NotSent: No server received the request.
            NoAnswer: There was no answer in time. Its subclass `Denied`: the user may not publish to the subject.
        """
        began = time.monotonic()
        try:
            answer = self._answer(self._sent(Message(subject, payload)), seconds).data
        except NoAnswer as error:
            if self._client.is_denied(subject, began):
                raise Denied(subject) from error
            raise
        if _NO_LEADER in answer:
            self.notice_failure(began)
        return answer

    def write(self, messages: Sequence[Message], seconds: float = ATTEMPT) -> Ack:
        """Stores messages in one stream, all or none, each on the disks of a majority when this returns.

        Raises:
            NotWritten: No server received it, and nothing was written.
            NoAnswer: There was no answer in time: whether it was written is not known.
        """
        try:
            return self._acked(self._batch(messages), seconds)
        except NotSent as error:
            raise NotWritten(str(error)) from error

    def write_each(self, batches: Sequence[Sequence[Message]], seconds: float) -> list[Ack | BaseException]:
        """Writes several batches at the same time; returns the answer to each, or why there is none."""
        deadline = time.monotonic() + seconds

        def outcome(sent: SentRequest) -> Ack | BaseException:
            left = max(0.0, deadline - time.monotonic())
            try:
                return self._acked(sent, left)
            except (Error, NotSent, NoAnswer) as error:
                return error

        return [outcome(each) for each in [self._batch(messages) for messages in batches]]

    def flush(self) -> None:
        """Waits until everything that the server has sent until now has arrived."""

        async def flush() -> None:
            with suppress(Error, TimeoutError, OSError):
                await self._client.flush(_FLUSHED)

        async def flushed() -> None:
            await asyncio.shield(flush())  # it is not given up with the one who waits for it

        with suppress(NoAnswer, NotSent, Error):
            self._do(flushed(), ATTEMPT)

    def on_reconnect(self, then: Callable[[], None]) -> None:
        """Calls `then`, in the thread of the connection, after each reconnection."""
        self._reconnection = then

    def subscribe(self, subject: str, heard: Any) -> None:
        """Calls `heard` in the thread of the connection with each message of a subject."""

        async def call(message: Msg) -> None:
            heard(message)

        self._hearers.append((subject, call))
        try:
            self._do(self._client.subscribe(subject, cb=call), ATTEMPT)
        except NoAnswer as error:
            raise NotSent(str(error)) from error  # nothing is written here

    def gather(self, subject: str, payload: bytes, seconds: float) -> list[bytes]:
        """Returns the answers that several servers give to one request within a time.

        Raises:
            NotSent: No server answers for the subject.
        """
        return self._do(self._gather(subject, payload, seconds), seconds + ATTEMPT)

    def page(self, stream: str, request: Mapping[str, Any], seconds: float = ATTEMPT) -> list[Stored]:
        """Returns stored messages from any server that has the stream, which may be behind the leader.

        Raises:
            NotSent: No server answers for the stream.
            NoAnswer: The answer did not arrive, or not all of it.
        """
        return self._do(self._page(f"$JS.API.DIRECT.GET.{stream}", request, seconds), seconds + 1)

    def find(self, stream: str, request: Mapping[str, Any], seconds: float = ATTEMPT) -> Stored | None:
        """Returns one stored message from any server that has the stream; None if there is no such message.

        Raises:
            NotSent: No server answers for the stream.
            NoAnswer: The answer did not arrive.
        """
        asked = self._sent(Message(f"$JS.API.DIRECT.GET.{stream}", msgspec.json.encode(request)))
        answer = self._answer(asked, seconds, is_for_leader=False)
        headers = answer.headers or {}
        status = headers.get(STATUS)
        if status is None:
            return stored(headers, answer.data)
        if status in _END:
            return None
        raise NoAnswer(f"the server answered {status}")

    def unique(self) -> str:
        """Returns a unique word, as one token of a subject."""
        return self._requests.token()

    def attempts(self) -> Iterator[float]:
        """Yields the seconds for each attempt until the patience is used up, with growing pauses between them."""
        deadline, pause = time.monotonic() + self._patience, _SHORTEST_PAUSE
        yield min(ATTEMPT, self._patience)
        while (left := deadline - time.monotonic()) > pause:
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            yield min(ATTEMPT, left)

    def notice_failure(self, since: float) -> None:
        """Connects to another server if requests to leaders have failed for a while; one made at `since` failed now."""
        if self._failing.is_over(since):
            self.leave()

    def leave(self) -> None:
        """Connects to another server."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self._client.force_reconnect()))

    def notice_behind(self, since: float) -> None:
        """Notices a failure if the servers have been without something since then that others must have stored."""
        if time.monotonic() > since + _BEHIND:
            self.notice_failure(since)

    def close(self) -> None:
        """Ends the connection and the thread."""
        if self._loop.is_closed():
            return
        self._is_ending = True
        with suppress(Error, OSError, NoAnswer, NotSent):
            self._do(self._end(), ATTEMPT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(ATTEMPT)
        if not self._thread.is_alive():
            self._loop.close()

    def _batch(self, messages: Sequence[Message]) -> SentRequest:
        """Sends messages as one atomic batch; a single message as it is."""
        if len(messages) == 1:
            return self._sent(*messages)
        batch = self.unique()
        marked = [
            Message(each.subject, each.payload, {**(each.headers or {}), _BATCH: batch, _PLACE: str(number)})
            for number, each in enumerate(messages, 1)
        ]
        last = marked[-1]
        marked[-1] = Message(last.subject, last.payload, {**(last.headers or {}), _COMMIT: "1"})
        return self._sent(*marked)

    def _sent(self, *messages: Message) -> SentRequest:
        return self._requests.begun(messages)

    def _acked(self, request: SentRequest, seconds: float) -> Ack:
        began = time.monotonic()
        ack = self._ack.decode(self._answer(request, seconds).data)
        is_slow = time.monotonic() - began > _SLOW and all(len(each.payload) < _LARGE for each in request.messages)
        if is_slow or (ack.error is not None and ack.error.get("err_code") == NO_LEADER):
            self.notice_failure(began)
        return ack

    def _answer(self, request: SentRequest, seconds: float, *, is_for_leader: bool = True) -> Msg:
        """Returns the answer to a request. One that is not for a leader may be answered by any server."""
        began = time.monotonic()
        try:
            return self._requests.answer(request, seconds)
        except (NoAnswer, NotSent):
            if is_for_leader:
                self.notice_failure(began)
            raise

    def _do(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        if self._loop.is_closed():
            work.close()
            raise ConnectionClosedError
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            done = future.result(seconds + 1)
        except OutboundBufferLimitError as error:
            raise NotConnected(str(error)) from error
        except NoRespondersError as error:
            raise NotSent(str(error)) from error
        except TimeoutError as error:  # also the library's, asyncio's and that of the future
            future.cancel()
            raise NoAnswer(str(error) or "no answer") from error
        return done

    async def _open(self) -> None:
        client = self._client
        await client.connect(
            **self._settings, error_cb=client.notice, reconnected_cb=self._reconnected, closed_cb=self._closed
        )
        # From now on it never gives up, and it tries the other servers before the one that it leaves.
        client.options |= {"max_reconnect_attempts": -1, "dont_randomize": True}
        await self._requests.begin(client)
        for subject, call in self._hearers:
            await client.subscribe(subject, cb=call)

    async def _end(self) -> None:
        if self._opening is not None:
            self._opening.cancel()
        await self._requests.end()
        with suppress(AssertionError):  # there never was a connection
            await self._client.close()

    async def _closed(self) -> None:
        if not self._is_ending:
            self._opening = self._loop.create_task(self._open_again())

    async def _open_again(self) -> None:
        """Connects anew after a server has ended the connection for good, as when credentials have expired."""
        while not self._is_ending:
            self._client = NatsClient()
            try:
                await self._open()
            except (Error, OSError, TimeoutError):
                await asyncio.sleep(_REOPENING)
            else:
                await self._reconnected()
                return

    async def _reconnected(self) -> None:
        self._failing.forget()
        self._reconnection()

    async def _page(self, subject: str, request: Mapping[str, Any], seconds: float) -> list[Stored]:
        if not self._client.is_connected:
            raise NotConnected("there is no connection")
        inbox = self._client.new_inbox()
        answers = await self._client.subscribe(inbox)
        found: list[Stored] = []
        try:
            await self._client.publish(subject, msgspec.json.encode(request), reply=inbox)
            async with asyncio.timeout(seconds):
                while True:
                    message = await answers.next_msg(timeout=seconds)
                    headers = message.headers or {}
                    status = headers.get(STATUS)
                    if status == NO_RESPONDERS:
                        raise NoRespondersError
                    if status in _END:
                        return found
                    if status is not None:
                        raise NoAnswer(f"the server answered {status} {headers.get('Description', '')}")
                    found.append(stored(headers, message.data))
        finally:
            with suppress(Error):
                await answers.unsubscribe()

    async def _gather(self, subject: str, payload: bytes, seconds: float) -> list[bytes]:
        inbox = self._client.new_inbox()
        answers = await self._client.subscribe(inbox)
        await self._client.publish(subject, payload, reply=inbox)
        found: list[bytes] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    message = await answers.next_msg(timeout=seconds)
                    if (message.headers or {}).get(STATUS) == NO_RESPONDERS:
                        raise NoRespondersError
                    found.append(message.data)
        except TimeoutError:
            return found
        finally:
            await answers.unsubscribe()
