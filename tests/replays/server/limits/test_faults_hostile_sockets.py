"""Hostile or broken clients over WebSockets and slow connections; the server stays well."""

import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from server.faults_processes import MOST, memory, unharmed, until
from server.faults_raw import (
    BINARY,
    CONTINUED,
    PING,
    TEXT,
    dialed,
    framed,
    greeting,
    head,
    said,
    socketed,
    upgrade,
)
from server.processes import PATIENCE, Served, Table, served
from websockets.sync.client import connect

CROWD = 300
LONG = 10_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server that gives a reader three seconds."""
    with served(tmp_path_factory.mktemp("hostile"), "--rate", "0", "--timeout", "3") as server:
        yield server


@pytest.fixture
def table(server: Served) -> Iterator[Table]:
    """Yields a session on it; the server must be well at the end."""
    with unharmed(server) as table:
        yield table


def code_of(made: socket.socket) -> int:
    """Returns the code of the close frame, which must be the first frame."""
    said = made.makefile("rb").read(4)
    assert said[0] == 0x88
    return int(struct.unpack("!H", said[2:])[0])


@pytest.mark.parametrize(
    ("what", "headers"),
    [
        ("POST", {}), ("GET", {"Content_Length": "5"}), ("GET", {"a": "b" * 10_000}),
        ("GET", {f"h{number}": "v" for number in range(200)}), ("GET", {"Transfer_Encoding": "chunked"}),
    ],
    ids=["posted", "with a body", "with a long header", "with many headers", "in chunks"],
)  # fmt: skip
def test_a_handshake_that_is_none_is_refused(server: Served, table: Table, what: str, headers: dict[str, str]) -> None:
    assert said(server, upgrade(table, what, **headers))[:10] == b"HTTP/1.1 4"


FIRST = {
    "binary": (framed(BINARY, b'{"token": "x"}'), 4400), "no JSON": (framed(TEXT, b"hello"), 4400),
    "other JSON": (framed(TEXT, b"[1, 2]"), 4400), "no text": (framed(TEXT, b"\xff\xfe"), 1007),
    "brackets": (framed(TEXT, b'{"token": ' + b"[" * 50_000), 4400), "no token": (framed(TEXT, b"{}"), 4400),
    "another's token": (framed(TEXT, b'{"token": "a.b"}'), 4401), "too long": (framed(TEXT, b"x" * 70_000), 1009),
    "ten megabytes": (framed(TEXT, b"x", length=LONG), 1009), "unmasked": (b"\x81\x05hello", 1002),
    "garbage": (b"\xff" * 100, 1002), "reserved": (framed(11, b""), 1002), "no beginning": (framed(CONTINUED, b"x"), 1002),
    "a long ping": (framed(PING, b"x" * 200), 1002), "a wrong number": (framed(TEXT, b'{"token":"x","after":-1}'), 4400),
}  # fmt: skip


@pytest.mark.parametrize("first", list(FIRST))
def test_a_first_message_that_is_no_greeting_is_refused(server: Served, table: Table, first: str) -> None:
    message, code = FIRST[first]
    with socketed(server, table) as made:
        made.sendall(message)
        assert code_of(made) == code


def test_whoever_says_nothing_or_half_of_it_is_hung_up_on(server: Served, table: Table) -> None:
    def heard(half: bytes) -> int:
        with socketed(server, table) as made:
            made.sendall(half)
            return code_of(made)

    whole = greeting(table)
    halves = [b"", whole[:1], whole[:7], whole[:-1], framed(TEXT, b'{"tok', final=False)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(heard, halves)) == [4400] * len(halves)


def test_readers_who_come_and_go_by_hundreds_leave_nothing(server: Served, table: Table) -> None:
    def come(number: int) -> None:
        with socketed(server, table) as made:
            if number % 3:
                made.sendall(greeting(table))
            if number % 3 == 2:
                made.recv(1)

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(come, range(CROWD)))


def test_a_reader_who_pings_without_end_and_reads_nothing_is_cut_off(server: Served, table: Table) -> None:
    with socketed(server, table, buffer=4_096) as made:
        made.sendall(greeting(table))
        pings, before = framed(PING, b"x" * 125) * 500, memory(server)
        with pytest.raises(ConnectionError):
            while True:
                made.sendall(pings)
                assert memory(server) - before < MOST


def test_empty_parts_of_a_message_take_no_room(server: Served, table: Table) -> None:
    with socketed(server, table) as made:
        made.sendall(greeting(table))
        made.sendall(framed(TEXT, b"x", final=False))
        for _ in range(100):
            made.sendall(framed(CONTINUED, b"", final=False) * 1_000)


def test_a_reader_who_reads_nothing_holds_up_nobody_and_is_cut_off(server: Served, table: Table) -> None:
    with ExitStack() as stack:
        stack.enter_context(server.client())
        fast = stack.enter_context(connect(f"ws://127.0.0.1:{server.port}{table.path}/feed", max_size=None))
        fast.send(f'{{"token": "{table.issued["gm"]["token"]}"}}')
        slow = stack.enter_context(socketed(server, table, buffer=4_096))
        slow.sendall(greeting(table))
        events = stack.enter_context(dialed(server, buffer=4_096))
        events.sendall(head(table, "GET", "/feed"))
        before = memory(server)
        for number in range(1, 676):
            assert f'"seq":{number},' in str(fast.recv(PATIENCE))
            table.do({"type": "Note", "text": "x" * 20_000})
        assert '"seq":676,' in str(fast.recv(PATIENCE))
        until(lambda: "affray_feed_readers 1.0" in table.client.get("/metrics").text)
        assert memory(server) - before < MOST
