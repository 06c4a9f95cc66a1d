"""Noninterference over HTTP: no route, header, refusal, feed or webhook distinguishes sessions that differ only in secrets."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar.routes import WebSocketRoute
from secret_histories import secret_histories
from secret_http_law import LIVE, PEOPLE, Server, check, serving
from secret_pairs import changed, replayed

from ledger.entry import Who
from projections.views.seen import viewer


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


@pytest.mark.parametrize(("pairs", "examples"), [(changed, 3), (replayed, 6)], ids=["changed", "replayed"])
def test_no_answer_tells_a_seat_apart_what_is_released_alike(server: Server, pairs: Any, examples: int) -> None:
    found: list[frozenset[str]] = []

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32), secret_histories(most=12), st.sampled_from(PEOPLE))
    def run(seed: int, fight: Any, who: Who) -> None:
        pair = pairs(Random(seed), fight.session, viewer(who, fight.session.combat))
        if pair is not None:
            found.append(pair.what)
            check(server, pair, who)

    run()
    assert found
    assert 2 * sum(bool(what & {"die", "sheet", "modifier"}) for what in found) >= len(found)
