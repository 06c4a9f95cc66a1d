"""HEAD is answered like GET, without the body, at every path that has a GET."""

from typing import Any

import httpx
import pytest
from server.faults_raw import head, said
from server.processes import Served, Table

_OTHER = {"date", "x-request-id", "transfer-encoding"}
"""Headers that differ between answers, or describe the transfer of a body."""


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/schema/openapi.json").json()
    return found


def told(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in _OTHER}


def test_every_address_that_has_a_get_answers_head_with_the_same_head(
    server: Served, client: httpx.Client, brawl: Table, document: dict[str, Any]
) -> None:
    places = {"{session}": brawl.session, "{name}": "gurps_3e", "{table}": "rulings", "{chart}": "attack"}
    for path, methods in document["paths"].items():
        if "get" not in methods or path in ("/metrics", "/v1/sessions/{session}/feed"):
            continue
        address = path
        for place, value in places.items():
            address = address.replace(place, value)
        headers = server.host if path == "/v1/sessions" else brawl.as_("gm")
        got, asked = (client.request(method, address, headers=headers) for method in ("GET", "HEAD"))
        assert (asked.status_code, told(asked)) == (got.status_code, told(got)), path
        assert asked.content == b""


def test_a_stream_is_answered_with_its_head_and_no_more(server: Served, client: httpx.Client, brawl: Table) -> None:
    answer = client.head(f"{brawl.path}/feed", headers=brawl.as_("gm"))
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert client.get("/metrics").text.count("affray_feed_readers 0.0") == 1


def test_the_connection_goes_on_behind_it(server: Served, brawl: Table) -> None:
    heard = said(
        server,
        head(brawl, "HEAD", "/feed"),
        head(brawl, "HEAD", "/state"),
        head(brawl, "GET", "/rests", Connection="close"),
    )
    assert heard.count(b"HTTP/1.1 200 OK") == 3
    assert heard.count(b"r1/ann/p1/act") == 1


def test_what_is_refused_is_refused_to_head_too_and_the_log_says_head(
    server: Served, client: httpx.Client, brawl: Table
) -> None:
    assert client.head(f"{brawl.path}/state").status_code == 401
    assert client.head("/v1/sessions/nowhere/state", headers=server.host).status_code == 404
    assert client.head(f"{brawl.path}/odds", headers=brawl.as_("gm")).status_code == 405
    lines = [line for line in server.lines() if line.get("method") == "HEAD" and line["status"] == 401]
    assert [line["route"] for line in lines] == ["/v1/sessions/{session}/state"]
    assert [line for line in server.lines() if line["level"] == "error"] == []
