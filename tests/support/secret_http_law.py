"""The law of noninterference over HTTP: no route, header, refusal, feed or webhook distinguishes the two sessions of a pair.

The routes are those of the application, so a new route is tested too; the law fails if it needs a parameter for which
there is no value here.
"""

import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from functools import partial
from itertools import count, product
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import secret_lines as lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from secret_histories import secret_histories
from secret_law import About, about, by_name
from secret_pairs import Pair, revealed, shown, told
from server import feed_recorder
from server.feed_recorder import RECORDER
from set_aside import digest, of_export, of_headers, of_page
from strategies import drawn

from ledger import chain, codec
from ledger.audience import Viewer
from ledger.chain import Record
from ledger.commands import Choose, Command, GiveNonce, Note, OpenDispute, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Seat, Who
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.session import Session
from replays.server.app import create
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Scope, Token
from replays.server.http.pages import LogPage
from replays.server.runtime.app_state import AppState
from replays.server.runtime.questions.of_sessions import ChancesOf, SessionQuestion
from replays.server.runtime.settings import Settings
from replays.server.webhooks.addresses import HookAddress
from replays.server.webhooks.delivery import Delivery, Timing
from replays.server.webhooks.hook import Hook
from replays.server.webhooks.posting import PostResult
from replays.server.webhooks.signing import new_secret
from replays.sessions import ports

PEOPLE = [Who("zoe", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in ("kira", "ben"))]
LIVE = "/v1/sessions/{session}/feed"
"""Includes the route that is a WebSocket."""
Operations = list[tuple[str, str, dict[str, Any]]]
"""Method, path and description of every route of a session."""


def app_state_in_process(ledger: str = "memory://", hooks: str = "") -> AppState:
    """Returns the state of a server in this process; long questions are answered in it too, by the code of a worker."""
    app_state = AppState(Settings(ledger=ledger, keys=("k" * 40,), rate=0, hooks=hooks))

    async def run(caller: Caller, question: SessionQuestion) -> bytes:
        session = Session(app_state.store, caller.session)
        if isinstance(question, ChancesOf):
            question = msgspec.structs.replace(question, samples=2)
        return msgspec.json.encode(
            caller.checked(app_state.store, session, lambda opened: question.answer(opened, caller))
        )

    app_state.read_jobs.run = run  # type: ignore[method-assign]
    app_state.hooks.leadership.leads = lambda: False  # type: ignore[method-assign]  `Seen.posted` delivers
    app_state.feed.follow = partial(_so_far, app_state.feed.follow)  # type: ignore[method-assign]
    return app_state


async def _so_far(follow: Callable[..., AsyncGenerator[LogPage]], *args: Any) -> AsyncGenerator[LogPage]:
    """A live feed that ends instead of waiting."""
    *others, _, token, until = args
    async with aclosing(follow(*others, 0.001, token, until)) as pages:
        async for page in pages:
            if not page.entries:
                return
            yield page


class Server(msgspec.Struct, frozen=True):
    """A server in this process, with a client and the routes of a session."""

    app_state: AppState
    client: TestClient[Any]
    operations: Operations


@contextmanager
def serving(ledger: str = "memory://", hooks: str = "") -> Iterator[Server]:
    """Yields a server in this process, on a ledger; its feeds must send what the AsyncAPI document describes.

    The dice that it draws depend on the key of the roll alone, so that both sessions of a pair draw the same ones.
    """
    with patch.object(ports, "draw", drawn):
        yield from _serving(ledger, hooks)


def _serving(ledger: str, hooks: str) -> Iterator[Server]:
    feed_recorder.start()
    app_state = app_state_in_process(ledger, hooks)
    with TestClient(create(app_state)) as client:
        paths = client.get("/schema/openapi.json").json()["paths"]
        found = [(method, path, each) for path, methods in paths.items() for method, each in methods.items()]
        mine = [(method, path, each) for method, path, each in found if "{session}" in path]
        assert len(mine) > 15
        yield Server(app_state, client, mine)
    assert RECORDER.undescribed() == []


_names = count(1)


class Seen:
    """One of a pair of sessions, on the server, from a seat."""

    def __init__(self, server: Server, session: Session, who: Who, last: int) -> None:
        self.name = f"LOG{next(_names):06}"
        previous, records = chain.genesis(self.name), []
        for entry in session.entries():
            line, secret = codec.encode(entry), entry.seq.to_bytes(chain.SECRET, "big")
            previous = chain.seal(previous, line, secret)
            records.append(Record(entry.seq, line, secret, previous))
        server.app_state.store.create(self.name, records)
        self._seat = Token("t", Scope(who.seat.value), self.name, who.name)
        self._app_state = server.app_state
        self._token = server.app_state.tokens.signer.sign(self._seat)
        self._client, self._last = server.client, last

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

    def types(self, line: str, answers: Sequence[str], last: int) -> tuple[Any, ...]:
        """Sends a line of the table."""
        body = {"line": line, "answers": list(answers)}
        return self.asks("post", "/v1/sessions/{session}/lines", {}, body, {"If-Match": f'"{last}"'})

    def performs(self, command: Command) -> tuple[Any, ...]:
        """Sends a command."""
        body = msgspec.json.decode(codec.canonical(command))
        return self.asks("post", "/v1/sessions/{session}/commands", {}, body, {})

    def _body(self, content: bytes, kind: str) -> str:
        if "jsonl" in kind and content.startswith(b'{"affray"'):
            return of_export(content.replace(self.name.encode(), b"LOG").splitlines())
        if "html" in kind and content.startswith(b"<!DOCTYPE html>"):
            return of_page(content.replace(self.name.encode(), b"LOG"))
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
                    told.append(self._plain(self._recorded(socket.receive_text())))
            except WebSocketDisconnect as end:
                return told, f"{end.code} {end.detail}"

    def _recorded(self, message: str) -> str:
        RECORDER.record("socket", message)
        return message

    def posted(self, after: int) -> list[tuple[str, str, str]]:
        """Returns what a webhook of the seat gets: the id, the time and the body of each message."""
        app_state, got = self._app_state, list[tuple[str, str, str]]()
        voucher = app_state.tokens.signer.voucher(self._token, "h")
        hook = Hook(
            id="h", session=self.name, token=self._seat, voucher=voucher, address="https://bot.example/",
            secret=new_secret(), created=0.0, cursor=after,
        )  # fmt: skip

        async def post(_: HookAddress, headers: Mapping[str, str], body: bytes) -> PostResult:
            got.append((headers["webhook-id"], headers["webhook-timestamp"], self._plain(body.decode())))
            return PostResult(204)

        async def deliver() -> None:
            app_state.hooks.poster.post = post  # type: ignore[method-assign]
            await app_state.hooks.run(lambda file: file.add(hook))
            await Delivery(app_state, hook, Timing(now=lambda: 0.0)).run()
            await app_state.hooks.run(lambda file: file.delete(hook))

        with self._client.portal() as portal:
            portal.call(deliver)
        return got


def _keys(pair: Pair) -> list[str]:
    events = (event for session in (pair.one, pair.other) for entry in session.entries() for event in entry.events)
    keys = sorted({str(getattr(event, "key", "")) for event in events} - {""})
    return keys[:: max(1, len(keys) // 6)]


def _queries(operation: dict[str, Any], pair: Pair) -> list[dict[str, Any]]:
    """Returns the queries of a route: none beside what is required, and each parameter in turn."""
    people = sorted(pair.one.combat.roster.who)
    said: dict[str, list[Any]] = {
        "of": [*_keys(pair), *(f"{who}.damage" for who in people)], "at": [1, pair.one.log.last // 2, pair.one.log.last],
        "after": [0, pair.one.log.last // 2], "limit": [1, 5], "head": ["0" * 64], "why": ["over"],
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
    said = {"dispute": ["d1", "d2", "d9"], "token": ["t", "x"], "hook": ["h"]}
    parts = [part for part in path.split("/") if part.startswith("{") and part != "{session}"]
    found = [path]
    for part in parts:
        name = part.strip("{}")
        assert name in said, f"say here what a {name} may be"
        found = [each.replace(part, value) for each in found for value in said[name]]
    return found


_PERFORMED = (GiveNonce, Note, OpenDispute)
"""Commands that a player may give at any time."""


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
        "understandLine": [{"line": line} for line in _typed(pair)], "sendLine": [{"line": "undo"}, {"line": "luck"}],
        "branch": [{"changes": [{"entry": key, "change": {}}]} for key in keys],
    }  # fmt: skip


def _denied(pair: Pair) -> Iterator[str]:
    what = about(pair)
    return lines.denied(what.keys[:4], (*what.who, *what.names), next(iter(pair.one.game.sheets)))


def _typed(pair: Pair) -> list[str]:
    what = about(pair)
    keys, names = what.keys[:4], (*what.who, *what.names)
    return [
        *lines.beginnings(keys, names),
        *lines.deeds(names),
        *lines.reading(keys, names),
        *_denied(pair),
    ]


def check(server: Server, pair: Pair, who: Who) -> None:
    """Sends every request to both sessions of a pair from a seat, and checks that the answers are the same."""
    assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes)
    one, other = (Seen(server, session, who, pair.one.log.last) for session in (pair.one, pair.other))
    bodies = _bodies(pair)
    for method, path, operation in server.operations:
        sent = [{}, *bodies.get(operation["operationId"], [])] if method == "post" else [None]
        for where in _paths(path, pair):
            for query in _queries(operation, pair):
                for body, headers in product(sent, _headers(operation)):
                    mine, theirs = (each.asks(method, where, query, body, headers) for each in (one, other))
                    assert mine == theirs, f"{method} {where} {query} {body} {headers}"
                    assert mine[0] < 500, mine
                    if (where, query, headers) == (LIVE, {}, {}):
                        assert mine[2].count("\nevent: entry\n") == pair.one.log.last
    for command in by_name(about(pair)):
        if not isinstance(command, _PERFORMED):
            mine, theirs = (each.performs(command) for each in (one, other))
            assert mine == theirs, command
    for after in (0, pair.one.log.last // 2, pair.one.log.last + 1):
        told, end = one.heard(after)
        assert (told, end) == other.heard(after)
        assert len(told) == max(0, pair.one.log.last - after)
    for after in (0, pair.one.log.last // 2):
        posted = one.posted(after)
        assert posted == other.posted(after)
        assert len(posted) == pair.one.log.last - after
    _check_lines(server, pair, who)
    _check_performed(server, pair, who)


_TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")
"""The time of an entry."""


def _check_performed(server: Server, pair: Pair, who: Who) -> None:
    """Performs commands of a seat in both sessions, as long as the fiction discloses the same; compares the answers."""
    one, other = (Seen(server, session, who, pair.one.log.last) for session in (pair.one, pair.other))
    sessions = [Session(server.app_state.store, each.name) for each in (one, other)]
    for command in _own_commands(sessions[0].combat, who, about(pair)):
        mine, theirs = (each.performs(command) for each in (one, other))
        if 201 in (mine[0], theirs[0]) and not _disclose_alike(sessions, pair.eyes):
            return
        assert [_TIME.sub("#", str(each)) for each in mine] == [_TIME.sub("#", str(each)) for each in theirs], command


def _check_lines(server: Server, pair: Pair, who: Who) -> None:
    """Types lines of the table in both sessions, as long as the fiction discloses the same; compares the answers."""
    what = about(pair)
    keys, names = what.keys[:4], (*what.who, *what.names)
    one, other = (Seen(server, session, who, pair.one.log.last) for session in (pair.one, pair.other))
    sessions = [Session(server.app_state.store, each.name) for each in (one, other)]
    for line in (*lines.reading(keys, names), *_denied(pair), *lines.deeds(names), *_own_lines(pair, who)):
        last = sessions[0].log.last
        for answers in ([], ["because", "y"]):
            mine, theirs = (each.types(line, answers, last) for each in (one, other))
            if not _disclose_alike(sessions, pair.eyes):
                return
            same = [_TIME.sub("#", str(each)) for each in mine] == [_TIME.sub("#", str(each)) for each in theirs]
            assert same, f"{line!r}, {answers}: {mine} and {theirs}"
            assert mine[0] < 500, mine


def _own_lines(pair: Pair, who: Who) -> Iterator[str]:
    """Yields lines that answer what the seat is asked, with dice and with words; then settings."""
    mine = pair.one.combat.roster.played_by(who.name)
    for rest in pair.one.combat.path.asked:
        if rest.by in mine and rest.dice:
            faces = [(lowest(each) + highest(each)) // 2 for each in parse(rest.dice).sides]
            yield " ".join(map(str, [rest.by, *faces]))
    yield from ("1", "", "note it rains", "secret note it rains", "defaults all", "dice all", "dice typed", "1", "")


def _disclose_alike(sessions: Sequence[Session], eyes: Viewer) -> bool:
    """Returns whether the fiction discloses the same of what was written since."""
    known = []
    for session in sessions:
        last = session.log.last
        session.log.refresh()
        entries = list(session.entries(after=last))
        known.append([(entry.origin, told(session, entry, eyes), revealed(session, entry, eyes)) for entry in entries])
    return known[0] == known[1]


def _own_commands(combat: Combat, who: Who, what: About) -> Iterator[Command]:
    """Yields commands that the seat may give, and answers to the rests that it sees."""
    yield from (each for each in by_name(what) if isinstance(each, _PERFORMED))
    yield from (OpenDispute(key, "no") for key in what.keys)
    mine = combat.roster.played_by(who.name)
    for rest in combat.path.asked:
        if rest.by in mine and rest.dice:
            sides = parse(rest.dice).sides
            yield TypeDice(rest.key, tuple((lowest(each) + highest(each)) // 2 for each in sides))
        elif rest.by in mine:
            yield Choose(rest.key, rest.default or rest.options[0].option)


def compared(server: Server, pairs: Any, examples: int) -> list[frozenset[str]]:
    """Compares pairs of sessions from a seat; returns what each pair differs in."""
    found: list[frozenset[str]] = []

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32), secret_histories(most=12), st.sampled_from(PEOPLE))
    def run(seed: int, fight: Any, who: Who) -> None:
        pair = pairs(Random(seed), fight.session, viewer(who, fight.session.combat))
        if pair is not None:
            found.append(pair.what)
            check(server, pair, who)

    run()
    assert found
    return found
