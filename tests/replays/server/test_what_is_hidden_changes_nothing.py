"""Noninterference over HTTP: no route, header, refusal or feed distinguishes sessions that differ only in secrets.

The routes are those of the application, so a new route is tested too; the test fails if it needs a parameter for which
there is no value here.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from itertools import count, product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar.exceptions import WebSocketDisconnect
from litestar.routes import WebSocketRoute
from litestar.testing import TestClient
from secret_pairs import Pair, changed, replayed, shown
from set_aside import digest, of_export, of_headers
from strategies import fights

from ledger import chain, codec
from ledger.chain import Record
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.session import Session
from replays.server.app import create
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Scope, Token
from replays.server.http.pages import LogPage
from replays.server.runtime.app_state import AppState
from replays.server.runtime.questions import SessionQuestion
from replays.server.runtime.settings import Settings

PEOPLE = [Who("zoe", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in ("kira", "ben"))]
LIVE = "/v1/sessions/{session}/feed"
"""Includes the route that is a WebSocket."""


@pytest.fixture(scope="module")
def app_state() -> AppState:
    """The state of a server in this process; long questions are answered in it too, by the code of a worker."""
    app_state = AppState(Settings(ledger="memory://", keys=("k" * 40,), rate=0))

    async def run(caller: Caller, question: SessionQuestion) -> bytes:
        session = Session(app_state.store, caller.session)
        return msgspec.json.encode(
            caller.checked(app_state.store, session, lambda opened: question.answer(opened, caller))
        )

    app_state.read_jobs.run = run  # type: ignore[method-assign]
    app_state.feed.follow = partial(_so_far, app_state.feed.follow)  # type: ignore[method-assign]
    return app_state


async def _so_far(follow: Callable[..., AsyncGenerator[LogPage]], *args: Any) -> AsyncGenerator[LogPage]:
    """A live feed that ends instead of waiting."""
    *others, _, token = args
    async with aclosing(follow(*others, 0.001, token)) as pages:
        async for page in pages:
            if not page.entries:
                return
            yield page


@pytest.fixture(scope="module")
def client(app_state: AppState) -> Iterator[TestClient[Any]]:
    with TestClient(create(app_state)) as client:
        yield client


@pytest.fixture(scope="module")
def operations(client: TestClient[Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Returns method, path and description of every route of a session."""
    paths = client.get("/schema/openapi.json").json()["paths"]
    found = [(method, path, each) for path, methods in paths.items() for method, each in methods.items()]
    mine = [(method, path, each) for method, path, each in found if "{session}" in path]
    assert len(mine) > 15
    return mine


_names = count(1)


class Seen:
    """One of a pair of sessions, on the server, from a seat."""

    def __init__(self, app_state: AppState, client: TestClient[Any], session: Session, who: Who, last: int) -> None:
        self.name = f"LOG{next(_names):06}"
        previous, records = chain.genesis(self.name), []
        for entry in session.entries():
            line, secret = codec.encode(entry), entry.seq.to_bytes(chain.SECRET, "big")
            previous = chain.seal(previous, line, secret)
            records.append(Record(entry.seq, line, secret, previous))
        app_state.store.create(self.name, records)
        token = Token("t", Scope(who.seat.value), self.name, who.name)
        self._token = app_state.tokens.signer.sign(token)
        self._client, self._last = client, last

    def asks(
        self, method: str, path: str, query: dict[str, Any], body: Any, more_headers: dict[str, str]
    ) -> tuple[Any, ...]:
        headers = {"Authorization": f"Bearer {self._token}", **more_headers}
        more = {"json": body} if method == "post" else {}
        told = self._client.request(
            method.upper(), path.replace("{session}", self.name), headers=headers, params=query, **more
        )
        headers = of_headers({name: each.replace(self.name, "LOG") for name, each in told.headers.items()})
        return told.status_code, headers, self._body(told.content, told.headers.get("content-type", ""))

    def _body(self, content: bytes, kind: str) -> str:
        if "jsonl" in kind and content.startswith(b'{"affray"'):
            return of_export(content.replace(self.name.encode(), b"LOG").splitlines())
        return self._plain(content.decode())

    def _plain(self, text: str) -> str:
        return digest(text.replace(self.name, "LOG"))

    def heard(self, after: int) -> tuple[list[str], str]:
        """Returns the feed over a WebSocket, and how it is closed."""
        told: list[str] = []
        with self._client.websocket_connect(LIVE.replace("{session}", self.name)) as socket:
            socket.send_text(msgspec.json.encode({"token": self._token, "after": after}).decode())
            try:
                while True:
                    told.append(self._plain(socket.receive_text()))
            except WebSocketDisconnect as end:
                return told, f"{end.code} {end.detail}"


def _keys(pair: Pair) -> list[str]:
    events = (event for session in (pair.one, pair.other) for entry in session.entries() for event in entry.events)
    keys = sorted({str(getattr(event, "key", "")) for event in events} - {""})
    return keys[:: max(1, len(keys) // 6)]


def _queries(operation: dict[str, Any], pair: Pair) -> list[dict[str, Any]]:
    """Returns the queries of a route: none beside what is required, and each parameter in turn."""
    people = sorted(pair.one.combat.roster.who)
    said: dict[str, list[Any]] = {
        "of": [*_keys(pair), *(f"{who}.damage" for who in people)], "at": [1, pair.one.log.last // 2, pair.one.log.last],
        "after": [0, pair.one.log.last // 2], "limit": [1, 5], "head": ["0" * 64],
    }  # fmt: skip
    named = [each for each in operation.get("parameters", []) if each["in"] == "query"]
    unknown = [each["name"] for each in named if each["name"] not in said]
    assert not unknown, f"say here what {operation['operationId']} may be asked with: {unknown}"
    must = [each["name"] for each in named if each["required"]]
    queries = [{name: value} for each in named for name in [each["name"]] for value in said[name]]
    return [*([] if must else [{}]), *queries]


HEADERS = {"If-Match": ['"0"', "x"], "Idempotency-Key": ["k"], "Last-Event-ID": ["1", "x"]}
"""Values of the headers that routes read."""


def _headers(operation: dict[str, Any]) -> list[dict[str, str]]:
    """Returns no headers, and each of those that a route reads."""
    named = [each["name"] for each in operation.get("parameters", []) if each["in"] == "header"]
    return [{}, *({name: value} for name in named for value in HEADERS[name])]


def _paths(path: str, pair: Pair) -> list[str]:
    """Returns the path with values for its parameters."""
    said = {"dispute": ["d1", "d2", "d9"], "token": ["t", "x"]}
    parts = [part for part in path.split("/") if part.startswith("{") and part != "{session}"]
    found = [path]
    for part in parts:
        name = part.strip("{}")
        assert name in said, f"say here what a {name} may be"
        found = [each.replace(part, value) for each in found for value in said[name]]
    return found


def _bodies(pair: Pair) -> dict[str, list[Any]]:
    """Bodies beside an empty document; all are refused, because a performed command could not be compared."""
    keys, people = _keys(pair), sorted(pair.one.combat.roster.who)
    declared = [
        {"type": "Declare", "kind": "attack", "by": by, "terms": {"at": at, "using": "teapot"}}
        for by in people
        for at in (*people[:2], "nobody")
    ]
    change = {"change": {"set": {"nothing": 1}}, "why": "no"}
    return {
        "perform": [
            *declared,
            *({"type": "TypeDice", "key": key, "faces": [101]} for key in keys),
            *({"type": "Choose", "key": key, "option": "nothing"} for key in keys),
            *({"type": "OpenDispute", "about": f"{key}?", "why": "no"} for key in keys),
            *({"type": "Overrule", "key": key, "figure": "nothing", "value": 1, "why": "no"} for key in keys),
        ],
        "odds": [{"key": None}, *({"key": key} for key in keys), *({"declare": one} for one in declared[:3])],
        "amend": [{"entry": key, **change} for key in keys], "previewAmend": [{"entry": key, **change} for key in keys],
        "whatIf": [{"entry": key, "change": {}} for key in keys], "undo": [{"why": "no"}],
    }  # fmt: skip


def test_every_websocket_is_heard(client: TestClient[Any]) -> None:
    sockets = [route.path_format for route in client.app.routes if isinstance(route, WebSocketRoute)]  # type: ignore[attr-defined]

    assert sockets == [LIVE]


@pytest.mark.parametrize(("pairs", "examples"), [(changed, 3), (replayed, 6)], ids=["changed", "replayed"])
def test_no_answer_tells_a_seat_apart_what_is_released_alike(
    app_state: AppState,
    client: TestClient[Any],
    operations: list[tuple[str, str, dict[str, Any]]],
    pairs: Any,
    examples: int,
) -> None:
    found: list[frozenset[str]] = []

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32), fights(secrets=True, least=5, most=20), st.sampled_from(PEOPLE))
    def run(seed: int, fight: Any, who: Who) -> None:
        pair = pairs(Random(seed), fight.session, viewer(who, fight.session.combat))
        if pair is not None:
            found.append(pair.what)
            check(pair, who)

    def check(pair: Pair, who: Who) -> None:
        assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes)
        one, other = (Seen(app_state, client, session, who, pair.one.log.last) for session in (pair.one, pair.other))
        bodies = _bodies(pair)
        for method, path, operation in operations:
            sent = [{}, *bodies.get(operation["operationId"], [])] if method == "post" else [None]
            for where in _paths(path, pair):
                for query in _queries(operation, pair):
                    for body, headers in product(sent, _headers(operation)):
                        mine, theirs = (each.asks(method, where, query, body, headers) for each in (one, other))
                        assert mine == theirs, f"{method} {where} {query} {body} {headers}"
                        assert mine[0] < 500, mine
                        if (where, query, headers) == (LIVE, {}, {}):
                            assert mine[2].count("\nevent: entry\n") == pair.one.log.last
        for after in (0, pair.one.log.last // 2, pair.one.log.last + 1):
            told, end = one.heard(after)
            assert (told, end) == other.heard(after)
            assert len(told) == max(0, pair.one.log.last - after)

    run()
    assert found
    assert 2 * sum(bool(what & {"die", "sheet", "modifier"}) for what in found) >= len(found)
