"""A command is answered byte by byte alike, whether the middleware performs it or the route of the web framework."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, NamedTuple

import msgspec
import pytest
from litestar import Litestar
from server.processes import SHEET

from replays.server.app import create
from replays.server.callers.tokens import Scope
from replays.server.routes import direct_commands
from replays.server.runtime.app_state import AppState
from replays.server.runtime.settings import Settings

Headers = Mapping[str, str]
_TOKENS: Mapping[str, Any] = {"gm": (Scope.GM, "gm"), "kira": (Scope.PLAYER, "kira"), "viewer": (Scope.SPECTATOR, "v")}


class Raw(NamedTuple):
    """A response as the application sends it."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Place:
    """An application in this process with two sessions, and tokens for the seats of the first."""

    def __init__(self, app: Litestar, app_state: AppState) -> None:
        self._app = app
        self._host = app_state.tokens.signer.host()
        made = [self._made("First"), self._made("Second")]
        self.path = f"/v1/sessions/{made[0]['session']}/commands"
        self.tokens = {"host": self._host, "other": made[1]["tokens"][0]["token"], "forged": "x.y"}
        for name, (seat, person) in _TOKENS.items():
            self.tokens[name] = app_state.tokens.issue(made[0]["session"], seat, person).token
        revoked = app_state.tokens.issue(made[0]["session"], Scope.GM, "gm")
        app_state.tokens.revoke(made[0]["session"], revoked.id)
        self.tokens["revoked"] = revoked.token

    def _made(self, title: str) -> Any:
        asked = msgspec.json.encode({"ruleset": "eclipse_phase_1e", "title": title})
        return msgspec.json.decode(
            self.sent(asked, {"authorization": f"Bearer {self._host}"}, path="/v1/sessions").body
        )

    def sent(
        self,
        body: bytes,
        headers: Headers,
        *,
        path: str = "",
        query: bytes = b"",
        twice: str = "",
        method: str = "POST",
    ) -> Raw:
        """Sends a request to the application; `twice` names a header that is repeated."""
        path, messages, parts = path or self.path, list[Any](), [body[:10], body[10:]]
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        raw += [(name, value) for name, value in raw if name.decode() == twice]
        scope: Any = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query, "root_path": "", "state": {},
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
            "headers": [(b"host", b"x"), (b"content-length", b"%d" % len(body)), *raw],
        }  # fmt: skip

        async def receive() -> Any:
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message: Any) -> None:
            messages.append(message)

        asyncio.run(self._app(scope, receive, send))
        start, *bodies = messages
        return Raw(start["status"], list(start["headers"]), b"".join(each["body"] for each in bodies))


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with closing(AppState(Settings(ledger="memory://", keys=("k" * 40,), body=5_000))) as app_state:
        yield Place(create(app_state), app_state)


@pytest.fixture
def performed_directly(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Returns a list that has one more item after each command that the middleware has performed itself."""
    performed, perform = list[object](), direct_commands.perform_command

    async def counted(*arguments: Any) -> Any:
        performed.append(arguments)
        return await perform(*arguments)

    monkeypatch.setattr(direct_commands, "perform_command", counted)
    return performed


def by_route(place: Place, *arguments: Any, **options: Any) -> Raw:
    """Sends a request that passes through to the route."""

    async def unusual(_: object) -> None:
        return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(direct_commands, "_well_formed", unusual)
        return place.sent(*arguments, **options)


def body(**fields: Any) -> bytes:
    return msgspec.json.encode(fields)


_NOTE = body(type="Note", text="The door opens.")
_JOIN = body(type="Join", who="ann", sheet=SHEET, player="kira")
_SENT: dict[str, tuple[bytes, str, Headers, dict[str, Any]]] = {
    "with a key": (_NOTE, "gm", {"idempotency-key": "a"}, {}),
    "with all headers": (_JOIN, "gm", {"idempotency-key": "b", "if-match": '"2"', "content-type": "application/json"}, {}),
    "by a player": (_NOTE, "kira", {"idempotency-key": "c"}, {}),
    "a stale number": (_NOTE, "gm", {"if-match": '"1"'}, {}),
    "a number that is none": (_NOTE, "gm", {"if-match": "x"}, {}),
    "a key for another request": (_JOIN, "gm", {"idempotency-key": "a"}, {}),
    "refused by the rules": (body(type="Declare", kind="attack", by="ann"), "gm", {}, {}),
    "refused to the seat": (_JOIN, "kira", {}, {}),
    "a spectator's": (_NOTE, "viewer", {}, {}),
    "a name that is too long": (body(type="Join", who="a" * 200, sheet=SHEET), "gm", {}, {}),
    "a command that is too long": (body(type="Note", text="x" * 5_500), "gm", {}, {}),
    "without a token": (_NOTE, "", {}, {}),
    "a forged token": (_NOTE, "forged", {}, {}),
    "a revoked token": (_NOTE, "revoked", {}, {}),
    "the host's token": (_NOTE, "host", {}, {}),
    "a token of another session": (_NOTE, "other", {}, {}),
    "a session that is not there": (_NOTE, "gm", {}, {"path": "/v1/sessions/NOWHERE/commands"}),
    "a query": (_NOTE, "gm", {}, {"query": b"at=3"}),
    "two keys": (_NOTE, "gm", {"idempotency-key": "d"}, {"twice": "idempotency-key"}),
    "two tokens": (_NOTE, "gm", {"idempotency-key": "e"}, {"twice": "authorization"}),
    "a key that is too long": (_NOTE, "gm", {"idempotency-key": "k" * 256}, {}),
    "an empty key": (_NOTE, "gm", {"idempotency-key": ""}, {}),
    "a key with a control character": (_NOTE, "gm", {"idempotency-key": "a\x85"}, {}),
    "a number that is too long": (_NOTE, "gm", {"if-match": "1" * 41}, {}),
    "no JSON": (b"{", "gm", {}, {}),
    "an empty body": (b"", "gm", {}, {}),
    "no UTF-8": (b'{"type": "Note", "text": "\xff"}', "gm", {}, {}),
    "half a character": (b'{"type": "Note", "text": "\\ud800"}', "gm", {}, {}),
    "a wrong type": (body(type="Note", text=3), "gm", {}, {}),
    "an unknown type": (body(type="Notes", text="x"), "gm", {}, {}),
    "an unknown field": (body(type="Note", text="x", words="y"), "gm", {}, {}),
    "a whole number as a fraction": (b'{"type": "Rewind", "to": 1.0, "why": "w"}', "gm", {"idempotency-key": "f"}, {}),
    "another method": (_NOTE, "gm", {}, {"method": "GET"}),
    "OPTIONS": (b"", "gm", {}, {"method": "OPTIONS"}),
}  # fmt: skip
_DIRECT = {
    "with a key", "with all headers", "by a player", "a stale number", "a number that is none",
    "a key for another request", "refused by the rules", "refused to the seat", "a spectator's",
    "a name that is too long", "a revoked token", "the host's token",
}  # fmt: skip
"""The requests whose command the middleware performs."""


@pytest.mark.parametrize("name", _SENT)
def test_a_request_gets_the_same_response_either_way(place: Place, performed_directly: list[object], name: str) -> None:
    content, token, headers, options = _SENT[name]
    if token:
        headers = {"authorization": f"Bearer {place.tokens[token]}", **headers}
    directly = place.sent(content, headers, **options)
    assert len(performed_directly) == (name in _DIRECT)
    assert by_route(place, content, headers, **options) == directly
    assert len(performed_directly) == (name in _DIRECT)


def test_a_command_without_a_key_is_written_once(place: Place, performed_directly: list[object]) -> None:
    headers = {"authorization": f"Bearer {place.tokens['gm']}"}
    first, second = place.sent(_NOTE, headers), by_route(place, _NOTE, headers)
    assert (first.status, second.status, len(performed_directly)) == (201, 201, 1)
    assert [name for name, _ in first.headers] == [name for name, _ in second.headers]
    numbers = [msgspec.json.decode(each.body)["last"] for each in (first, second)]
    assert numbers[1] == numbers[0] + 1
    assert dict(first.headers)[b"etag"] == b'"%d"' % numbers[0]
