"""One message: resolved once, connected by the checked IP address, verified by the name; no answer can do harm."""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
import trustme
from server.receivers import Receiver, receiving

from replays.server.webhooks import posting
from replays.server.webhooks.addresses import HookAddress, parse_address, parse_networks
from replays.server.webhooks.posting import Poster, PostResult

LOOPBACK = parse_networks(["127.0.0.0/8", "::1"])
HEADERS = {"webhook-id": "msg_1"}


class Names:
    """A name server in which a name has another address each time it is asked; it counts how often."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = iter(answers)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return next(self._answers)


def post(url: str, names: Names, *, allowed: bool = True, **more: object) -> PostResult:
    async def run() -> PostResult:
        poster = Poster(names, LOOPBACK if allowed else (), **more)  # type: ignore[arg-type]
        return await poster.post(parse_address(url, LOOPBACK), HEADERS, b"{}")

    return asyncio.run(run())


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


# ------------------------------------------------------------------------------------------------ where it goes


def test_a_name_is_resolved_once_and_the_connection_goes_to_the_checked_address(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that had a harmless address when it was checked, and would have another one now (DNS rebinding)."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("the system resolved the name again"))
    names = Names(["127.0.0.1"], ["169.254.169.254"])

    assert post(f"http://bot.test:{receiver.port}/hook?a=b", names) == PostResult(204)

    assert names.asked == [("bot.test", receiver.port)]
    (received,) = receiver.received
    assert received.path == "/hook?a=b"
    assert received.headers["host"] == f"bot.test:{receiver.port}"
    assert received.headers["webhook-id"] == "msg_1"


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["0.0.0.0"]])
def test_nothing_is_sent_to_a_name_with_an_address_that_is_not_public(receiver: Receiver, found: list[str]) -> None:
    result = post(f"http://bot.test:{receiver.port}/", Names(found), allowed=False)

    assert result == PostResult(problem="the name has an address that webhooks may not be sent to")
    assert receiver.received == []


def test_the_next_address_of_a_name_is_tried_if_the_first_does_not_answer(receiver: Receiver) -> None:
    assert post(f"http://bot.test:{receiver.port}/", Names(["127.0.0.2", "127.0.0.1"])).is_delivered


def test_no_proxy_of_the_environment_is_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert post(f"http://bot.test:{receiver.port}/", Names(["127.0.0.1"])).is_delivered


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_not_followed(receiver: Receiver, status: int) -> None:
    receiver.answer = lambda _: (status, {"location": f"http://127.0.0.1:{receiver.port}/elsewhere"})

    assert post(receiver.url, Names(["127.0.0.1"])) == PostResult(status, f"status {status}")
    assert [each.path for each in receiver.received] == ["/hook"]


def test_the_certificate_must_be_for_the_name_and_of_a_trusted_authority() -> None:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("bot.test").configure_cert(server)
    authority.configure_trust(client)
    wrong_name = PostResult(problem="the certificate is not valid for this name")
    with receiving(server) as receiver:
        for name, tls, result in (
            ("bot.test", client, PostResult(204)),
            ("other.test", client, wrong_name),
            ("127.0.0.1", client, wrong_name),
            ("bot.test", ssl.create_default_context(), wrong_name),
        ):
            assert post(f"https://{name}:{receiver.port}/", Names(["127.0.0.1"]), tls=tls) == result
        assert [each.headers["host"] for each in receiver.received] == [f"bot.test:{receiver.port}"]


# ------------------------------------------------------------------------------------------------ what it answers


@contextmanager
def answering(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Yields the port of a receiver that talks as it likes to one caller, after it has read a request."""
    listening = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        try:
            caller, _ = listening.accept()
        except OSError:
            return
        with caller:
            caller.recv(65_536)
            try:
                talk(caller)
            except OSError:  # the sender has hung up
                return

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.close()
        thread.join()


def endless(piece: bytes) -> Callable[[socket.socket], None]:
    def talk(caller: socket.socket) -> None:
        caller.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            caller.sendall(piece)

    return talk


ANSWERS: tuple[tuple[bytes, PostResult], ...] = (
    (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", PostResult(200)),
    (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", PostResult(204)),
    (b"HTTP/1.0 202 Accepted\r\n\r\nbody", PostResult(202)),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nrubbish", PostResult(200)),
    (b"HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\n\r\n", PostResult(429, "status 429", 7.0)),
    (b"HTTP/1.1 503 No\r\nRetry-After: soon\r\n\r\n", PostResult(503, "status 503")),
    (b"HTTP/1.1 503 No\r\nRetry-After: -5\r\n\r\n", PostResult(503, "status 503")),
    (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", PostResult(problem="the answer is not HTTP")),
    (b"SSH-2.0-OpenSSH\r\n", PostResult(problem="the answer is not HTTP")),
    (b"HTTP/1.1 2000 OK\r\n\r\n", PostResult(problem="the answer is not HTTP")),
    (b"HTTP/1.1 200 O", PostResult(problem="the connection was closed without an answer")),
    (b"", PostResult(problem="the connection was closed without an answer")),
)  # fmt: skip


@pytest.mark.parametrize(("sent", "result"), ANSWERS, ids=[str(number) for number in range(len(ANSWERS))])
def test_an_answer_is_read_as_what_it_is(sent: bytes, result: PostResult) -> None:
    with answering(lambda caller: caller.sendall(sent)) as port:
        assert post(f"http://127.0.0.1:{port}/", Names(["127.0.0.1"])) == result


def test_a_head_without_end_is_not_read_to_its_end() -> None:
    with answering(endless(b"X-More: " + b"a" * 1000 + b"\r\n")) as port:
        result = post(f"http://127.0.0.1:{port}/", Names(["127.0.0.1"]))
    assert result.problem in ("the head of the answer is too long", "the answer is not HTTP")


def test_a_body_without_end_is_not_read() -> None:
    with answering(endless(b"\r\n" + b"a" * 60_000)) as port:
        assert post(f"http://127.0.0.1:{port}/", Names(["127.0.0.1"])) == PostResult(200)


def test_a_receiver_that_sends_a_letter_now_and_then_is_given_up() -> None:
    def talk(caller: socket.socket) -> None:
        for letter in b"HTTP/1.1 200 OK and so on and so on":
            caller.sendall(bytes([letter]))
            time.sleep(0.1)

    begun = time.monotonic()
    with answering(talk) as port:
        result = post(f"http://127.0.0.1:{port}/", Names(["127.0.0.1"]), seconds=0.5)
        assert time.monotonic() - begun < 2.5
    assert result == PostResult(problem="no answer within 0.5 s")


def test_a_name_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from replays.server.webhooks.resolving import resolve

    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(10) and [])

    async def run() -> PostResult:
        return await Poster(resolve, seconds=0.2).post(parse_address("http://slow.test/"), {}, b"{}")

    result = asyncio.run(run())
    released.set()
    assert result == PostResult(problem="no answer within 0.2 s")


def test_a_closed_port_and_an_unknown_name_are_failures() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/", Names(["127.0.0.1"])) == PostResult(problem="no connection")

    async def unknown(*_: object) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    result = asyncio.run(Poster(unknown).post(parse_address("http://bot.test/"), {}, b"{}"))
    assert result == PostResult(problem="the name cannot be resolved")


def test_the_whole_of_a_delivery_takes_at_most_fifteen_seconds() -> None:
    assert posting.CONNECT < posting.WHOLE <= 15
    assert Poster(Names())._seconds == posting.WHOLE
    assert isinstance(parse_address("https://bot.example/"), HookAddress)
