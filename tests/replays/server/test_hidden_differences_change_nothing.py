"""Noninterference over HTTP: no route, header, refusal, feed or webhook distinguishes sessions that differ only in secrets."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.routes import WebSocketRoute
from secret_http_law import LIVE, Server, compared, serving
from secret_pairs import changed, replayed


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def test_every_websocket_is_heard(server: Server) -> None:
    sockets = [
        route.path_format
        for route in server.client.app.routes  # type: ignore[attr-defined]
        if isinstance(route, WebSocketRoute)
    ]

    assert sockets == [LIVE]


@pytest.mark.parametrize(("pairs", "examples"), [(changed, 2), (replayed, 3)], ids=["changed", "replayed"])
def test_no_answer_tells_a_seat_apart_what_is_released_alike(server: Server, pairs: Any, examples: int) -> None:
    found = compared(server, pairs, examples)

    assert 2 * sum(bool(what & {"die", "sheet", "modifier"}) for what in found) >= len(found)
