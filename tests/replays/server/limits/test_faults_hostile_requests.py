"""Hostile or broken clients over HTTP: each is refused or disconnected, and the server stays well."""

import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from server.faults_processes import unharmed
from server.faults_raw import dialed, head, rest, said
from server.processes import Served, Table, served

SEED = 1
KEYS = 3_000
"""Number of commands with new keys; more find more."""
LONG = 10_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yields a server that gives a request three seconds."""
    with served(tmp_path_factory.mktemp("hostile"), "--rate", "0", "--timeout", "3") as server:
        yield server


@pytest.fixture
def table(server: Served) -> Iterator[Table]:
    """Yields a session on it; the server must be well at the end."""
    with unharmed(server) as table:
        yield table


def test_random_bytes_are_refused(server: Served, table: Table) -> None:
    draw = random.Random(SEED)
    for _ in range(100):
        with dialed(server) as made:
            made.sendall(b"\0" + draw.randbytes(draw.randrange(1, 5_000)))
            assert rest(made)[:12] in (b"HTTP/1.1 400", b"")


@pytest.mark.parametrize(
    "line",
    [
        b"GET http://h HTTP/1.1", b"CONNECT a:80 HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET / HTTP/3.7",
        b"GET /health HTTP/1.1\r\nContent-Length: 99999999999999999999999", b"GET /health HTTP/1.1\r\nno colon",
        b"GET /health HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)  # fmt: skip
def test_what_is_no_request_is_answered_so(server: Served, table: Table, line: bytes) -> None:
    assert said(server, line + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_who_stops_in_the_middle_of_a_head_is_hung_up_on(server: Served, table: Table) -> None:
    halves = [b"", b"GE", b"GET /health HTTP/1.1\r\nHost", b"GET /health HTTP/1.1\r\nHost: x\r\n"]
    with ThreadPoolExecutor(8) as threads:
        heard = list(threads.map(lambda half: said(server, half), halves))
    assert [answer[:12] for answer in heard] == [b"HTTP/1.1 408"] * len(halves)


def test_who_stops_in_the_middle_of_a_body_is_told_that_it_took_too_long(server: Served, table: Table) -> None:
    halves = [
        head(table, Content_Length="100") + b'{"type"',
        head(table, Transfer_Encoding="chunked") + b'7\r\n{"type"\r\n',
        head(table, Transfer_Encoding="chunked") + b"7\r\n{",
        head(table, Content_Length="100", Expect="100-continue"),
    ]
    with ThreadPoolExecutor(8) as threads:
        heard = list(threads.map(lambda half: said(server, half), halves))
    for answer in heard:
        assert b"HTTP/1.1 408 " in answer
        told = json.loads(answer.rpartition(b"\r\n\r\n")[2])
        assert (told["slug"], told["status"]) == ("request/too-slow", 408)
        assert "nothing was done" in told["detail"]


@pytest.mark.parametrize(
    "headers",
    [b"a: " + b"b" * 1_000_000, b"\r\n".join(b"h%d: v" % n for n in range(10_000)), b"h" * 1_000_000],
    ids=["one long one", "ten thousand", "one long name"],
)
def test_too_many_headers_are_refused(server: Served, table: Table, headers: bytes) -> None:
    answer = said(server, b"GET /health HTTP/1.1\r\nHost: x\r\n", headers, b"\r\n\r\n")
    assert answer[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")


@pytest.mark.parametrize("trailer", [b"a: b\r\n" * 10_000, b"a" * 60_000], ids=["many", "one without end"])
def test_what_follows_a_body_without_end_is_cut_off(server: Served, table: Table, trailer: bytes) -> None:
    begun = b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    with dialed(server) as made, pytest.raises(ConnectionError):
        made.sendall(begun)
        for _ in range(5_000):
            made.sendall(trailer)


def test_a_body_that_is_too_long_is_refused_before_it_is_there(server: Served, table: Table) -> None:
    answer = table.client.post(f"{table.path}/commands", headers=table.as_("gm"), content=b"x" * LONG)
    assert (answer.status_code, answer.json()["slug"]) == (413, "server/too-long")


def test_a_body_without_end_is_refused_when_it_is_too_long(server: Served, table: Table) -> None:
    with dialed(server) as made:
        made.sendall(head(table, Transfer_Encoding="chunked"))
        for _ in range(30):
            made.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        assert made.recv(65_536).startswith(b"HTTP/1.1 413 ")


BODIES: dict[str, Callable[[], bytes]] = {
    "ten thousand names": lambda: json.dumps({"type": "Note", "text": "x", **{f"k{n}": n for n in range(10_000)}}).encode(),
    "a hundred thousand brackets": lambda: b"[" * 100_000,
    "things within things": lambda: b'{"type":"Join","who":"x","sheet":{"a":' + b"[" * 9_000 + b"]" * 9_000 + b"}}",
    "no text": lambda: b'{"type":"Note","text":"\xff"}',
    "half a letter": lambda: b'{"type":"Note","text":"\\ud800"}',
    "a number without end": lambda: b'{"type":"PassTime","unit":"round","amount":' + b"9" * 100_000 + b"}",
}  # fmt: skip


@pytest.mark.parametrize("body", list(BODIES))
def test_a_body_that_means_harm_is_refused(server: Served, table: Table, body: str) -> None:
    headers = {**table.as_("gm"), "Content-Type": "application/json"}
    answer = table.client.post(f"{table.path}/commands", headers=headers, content=BODIES[body]())
    assert (answer.status_code, answer.json()["slug"]) == (400, "request/invalid")


def test_any_number_of_keys_and_tokens_is_borne(server: Served, table: Table) -> None:
    def write(number: int) -> int:
        return table.ask({"type": "Note", "text": "x"}, Idempotency_Key=f"key {number}").status_code

    def ask(number: int) -> int:
        header = {"Authorization": f"Bearer {number}.{number}"}
        return table.client.get(f"{table.path}/rests", headers=header).status_code

    def issue_and_ask(number: int) -> int:
        asked = {"seat": "spectator", "name": f"one of {number}"}
        issued = table.client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked).json()
        header = {"Authorization": f"Bearer {issued['token']}"}
        return table.client.get(f"{table.path}/rests", headers=header).status_code

    with ThreadPoolExecutor(8) as crowd:
        assert set(crowd.map(write, range(KEYS))) == {201}
        assert set(crowd.map(ask, range(KEYS))) == {401}
        assert set(crowd.map(issue_and_ask, range(KEYS // 10))) == {200}
    assert table.get("state")["entries"] == KEYS + 1


def test_requests_that_do_not_wait_for_answers_are_answered_in_order(server: Served, table: Table) -> None:
    body = b'{"type": "Note", "text": "%03d"}'
    asked = head(table, Content_Type="application/json", Content_Length=str(len(body % 0)))
    last = head(table, "GET", "/rests", Connection="close")
    heard = said(server, b"".join(asked + body % number for number in range(100)), last)
    answers = heard.split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"201"] * 100 + [b"200"]
    assert all(b'"text":"%03d"' % number in answers[number] for number in range(100))


def test_who_asks_without_end_and_reads_no_answer_is_cut_off(server: Served, table: Table) -> None:
    for _ in range(180):
        table.do({"type": "Note", "text": "x" * 20_000})
    with dialed(server, buffer=4_096) as made, pytest.raises(ConnectionError):
        while True:
            made.sendall(head(table, "GET", "/entries"))


def test_who_asks_for_much_and_reads_nothing_is_cut_off(server: Served, table: Table) -> None:
    for _ in range(360):
        table.do({"type": "Note", "text": "x" * 20_000})
    with dialed(server, buffer=4_096) as made:
        made.sendall(head(table, "GET", "/export"))
        with pytest.raises(ConnectionError):
            while True:
                made.sendall(b"G")
                time.sleep(0.1)
