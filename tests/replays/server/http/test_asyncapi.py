"""The AsyncAPI document describes each message of the live feeds, and is made of the schemas of the OpenAPI document."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
from all_fights import GAMES
from server import feed_recorder
from server.documented import asyncapi, message_validator, messages_of, openapi, wrong_greeting, wrong_message
from server.faults_raw import check_others_are_answered_while_made
from server.feed_recorder import RECORDER, EventsInChunks, FeedRecorder
from server.processes import PATIENCE, Served, Table
from websockets.asyncio.client import connect as async_connect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ledger.commands import Join
from replays.api.run_script import perform
from replays.api.session import Session
from replays.client import AsyncRemoteSession, RemoteSession
from replays.scripts.format import examples as shipped
from replays.scripts.format import read
from replays.server.http.asyncapi.draft_07 import in_draft_07
from replays.server.http.examples import steps
from replays.server.routes import live

DRAFT_07 = {
    "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "default", "description", "enum",
    "examples", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minimum",
    "oneOf", "pattern", "properties", "propertyNames", "required", "title", "type",
}  # fmt: skip
OF_ASYNCAPI = {"discriminator", "x-maxBytes", "x-maxDepth"}
"""Keywords that validators do not read."""


@pytest.fixture(scope="module")
def answer(client: httpx.Client) -> httpx.Response:
    return client.get("/schema/asyncapi.json")


# ------------------------------------------------------------------------------------------------ the document


def test_the_document_is_served_beside_the_openapi_document_under_the_same_headers(
    client: httpx.Client, answer: httpx.Response
) -> None:
    openapi_answer = client.get("/schema/openapi.json")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/vnd.aai.asyncapi+json;version=3.0.0"
    assert answer.json() == asyncapi()
    assert common_headers(answer) == common_headers(openapi_answer)


def common_headers(answer: httpx.Response) -> dict[str, str]:
    own = ("content-type", "content-length", "date", "x-request-id")
    return {name: value for name, value in answer.headers.items() if name not in own}


def test_others_are_answered_while_the_document_is_made(tmp_path: Path) -> None:
    check_others_are_answered_while_made(tmp_path, "/schema/asyncapi.json")


def test_its_schemas_are_those_of_the_openapi_document_that_messages_reach() -> None:
    schemas, all_schemas = asyncapi()["components"]["schemas"], openapi()["components"]["schemas"]

    assert {"Greeting", "LiveEntry", "Problem", "AnyEvent", "Declare"} <= set(schemas)
    assert not {"State", "Summary", "NewHook", "GURPS3eSheet"} & set(schemas)
    assert schemas == {name: in_draft_07(all_schemas[name]) for name in schemas}
    assert schemas["Greeting"] == all_schemas["Greeting"]
    assert set(references(asyncapi())) >= {f"#/components/schemas/{name}" for name in schemas}
    for reference in references(asyncapi()):
        assert found_at(asyncapi(), reference), reference


def references(value: Any) -> Iterator[str]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        if name == "$ref":
            yield each
        else:
            yield from references(each)


def found_at(document: Mapping[str, Any], reference: str) -> Any:
    found: Any = document
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def test_its_schemas_are_written_in_draft_07() -> None:
    for name, schema in asyncapi()["components"]["schemas"].items():
        assert set(keywords(schema)) - OF_ASYNCAPI <= DRAFT_07, name
        jsonschema_rs.Draft7Validator({**schema, "components": asyncapi()["components"]})


def keywords(schema: Any) -> Iterator[str]:
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        yield keyword
        if keyword == "properties":
            for each in value.values():
                yield from keywords(each)
        elif keyword not in ("const", "default", "enum", "examples"):
            for each in value if isinstance(value, list) else [value]:
                yield from keywords(each)


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, [1, "a", None], ["a", 1]),
        ({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}, [1, "a"], [1, 2]),
        ({"$ref": "#/components/schemas/Note", "maxProperties": 2}, {"type": "Note", "text": "x"}, {"type": "Note"}),
        (
            {"$ref": "#/components/schemas/Note", "maxProperties": 2},
            {"type": "Note", "text": "x"},
            {"type": "Note", "text": "x", "given_at": "a"},
        ),
        ({"properties": {"items": {"const": {"prefixItems": [1]}}}}, {"items": {"prefixItems": [1]}}, {"items": 1}),
    ],
)
def test_a_translated_schema_accepts_the_same(schema: Any, accepted: Any, refused: Any) -> None:
    new = jsonschema_rs.Draft202012Validator({**schema, "components": openapi()["components"]})
    old = jsonschema_rs.Draft7Validator({**in_draft_07(schema), "components": asyncapi()["components"]})

    for validator in (new, old):
        assert validator.is_valid(accepted)
        assert not validator.is_valid(refused)


def test_every_message_has_a_title_a_summary_and_examples_that_are_as_it_says() -> None:
    for channel, about in asyncapi()["channels"].items():
        assert set(about["messages"]) == {*messages_of(channel, "send"), *messages_of(channel, "receive")}
        for name in about["messages"]:
            message = asyncapi()["components"]["messages"][name]
            assert message["title"]
            assert message["summary"]
            assert message["examples"]
            for example in message["examples"]:
                parts = {part: each for part, each in example.items() if part != "summary"}
                assert [str(each) for each in message_validator(channel, name).iter_errors(parts)] == []


def test_it_names_every_code_that_the_server_closes_a_websocket_with_for_a_refusal() -> None:
    socket = asyncapi()["channels"]["socket"]

    assert socket["x-close-codes"] == {str(status): code for status, code in live.CLOSES.items()}
    assert asyncapi()["channels"]["events"]["address"] == socket["address"] == live.Live.path.replace(":str", "")


# ------------------------------------------------------------------------------------------------ messages


class Feeds:
    """The feeds of a session, read over both transports.

    Args:
        server: The server.
        path: The session's path.
    """

    def __init__(self, server: Served, path: str) -> None:
        self._server, self._path = server, path

    def by_socket(self, token: str, last: int) -> list[str]:
        """Returns the messages of a WebSocket up to an entry."""
        with connect(f"ws://127.0.0.1:{self._server.port}{self._path}/feed") as socket:
            socket.send(json.dumps({"token": token}))
            return [str(socket.recv(PATIENCE)) for _ in range(last)]

    def by_events(self, token: str, until: str) -> str:
        """Returns the Server-Sent Events up to one that contains a text."""
        heard = ""
        headers = {"Authorization": f"Bearer {token}"}
        with self._server.client(headers=headers) as client, client.stream("GET", f"{self._path}/feed") as answer:
            for chunk in answer.iter_text():
                heard += chunk
                if until in heard and heard.endswith("\n\n"):
                    return heard
        return heard


def shipped_fights(game: str) -> list[Session]:
    scripts = [read(path.read_bytes(), path.name) for path in sorted(shipped().values())]
    return [perform(script) for script in scripts if script.ruleset == game]


def imported(server: Served, client: httpx.Client, session: Session) -> tuple[str, Mapping[str, str]]:
    """Returns the path of a fight on a server, and the token of each seat."""
    content = b"\n".join(session.export())
    founded = client.post("/v1/sessions/import", headers=server.host, content=content).json()
    path = f"/v1/sessions/{founded['session']}"
    tokens = {each["seat"]: each["token"] for each in founded["tokens"]}
    joins = [entry.command for entry in session.entries() if isinstance(entry.command, Join)]
    for player in {join.player for join in joins} - {"gm"}:
        asked = {"seat": "player", "name": player}
        tokens[player] = client.post(f"{path}/tokens", headers=server.host, json=asked).json()["token"]
    return path, tokens


@pytest.mark.parametrize("game", GAMES)
def test_every_message_of_the_shipped_fights_is_described_for_each_seat_over_both_feeds(
    server: Served, client: httpx.Client, game: str
) -> None:
    RECORDER.undescribed()
    for session in shipped_fights(game):
        path, tokens = imported(server, client, session)
        feeds, last = Feeds(server, path), session.log.last
        assert {"gm", "spectator"} < set(tokens)
        for token in tokens.values():
            before = RECORDER.count
            messages = feeds.by_socket(token, last)
            events = feeds.by_events(token, f"id: {last}\n")
            assert RECORDER.count - before == 2 * last + 1, "the first of the events is a comment"
            assert [wrong for message in messages for wrong in wrong_message("socket", message)] == []
            assert [wrong for event in events.split("\n\n")[:-1] for wrong in wrong_message("events", event)] == []
    assert RECORDER.undescribed() == []


def test_a_sign_of_life_and_the_end_of_a_revoked_token_are_described(server: Served, brawl: Table) -> None:
    seat, found = brawl.issued["kira"], list[str]()
    with brawl.client.stream("GET", f"{brawl.path}/feed", headers=brawl.as_("kira"), params={"after": 6}) as answer:
        for line in answer.iter_lines():
            found += [line] if line else []
            if line == f": {live.NOTHING_NEW}" and len(found) == 2:
                brawl.client.delete(f"{brawl.path}/tokens/{seat['id']}", headers=brawl.as_("gm"))

    assert found[:3] == [f": {live.OPENING}", f": {live.NOTHING_NEW}", "event: refused"]
    assert [wrong_message("events", event) for event in (*found[:2], "\n".join(found[2:]))] == [[], [], []]


STREAM = next(step.answer for step in steps() if step.operation == "feed")
ENTRY = json.loads(next(line for line in STREAM.split("\n") if line.startswith("data: ")).removeprefix("data: "))


def event_of(entry: Mapping[str, Any], **fields: str) -> str:
    return "\n".join([*(f"{name}: {each}" for name, each in fields.items()), f"data: {json.dumps(entry)}"])


@pytest.mark.parametrize(
    ("channel", "text", "reason"),
    [
        ("socket", "from here on", "not JSON"),
        ("socket", "{}", '"seq" is a required property'),
        ("socket", json.dumps({**ENTRY, "seq": "14"}), "/payload/seq"),
        ("socket", json.dumps({**ENTRY, "patch": None}), "/payload/patch"),
        ("socket", json.dumps({**ENTRY, "events": [{"type": "Noted"}]}), "/payload/events/0"),
        ("socket", json.dumps({**ENTRY, "by": {"name": "kira"}}), "/payload/by"),
        ("socket", json.dumps({**ENTRY, "command": {"type": "Nothing"}}), "/payload/command"),
        ("events", event_of(ENTRY, event="entry"), '"id" is a required property'),
        ("events", event_of(ENTRY, id="14", event="entries"), "/headers/event"),
        ("events", event_of(ENTRY, id="x", event="entry"), "/headers/id"),
        ("events", event_of({**ENTRY, "narration": "rain"}, id="14", event="entry"), "/payload/narration"),
        ("events", event_of(ENTRY, event="refused"), "/payload"),
        ("events", ": still here", "/payload"),
    ],
)
def test_a_wrong_message_is_found(channel: str, text: str, reason: str) -> None:
    assert reason in "; ".join(wrong_message(channel, text))


def test_the_messages_that_the_wrong_ones_are_made_of_are_described() -> None:
    assert wrong_message("socket", json.dumps(ENTRY)) == []
    assert wrong_message("events", event_of(ENTRY, id="14", event="entry")) == []


GREETINGS: tuple[Any, ...] = (
    {}, {"after": 0}, {"after": 6}, {"token": 1}, {"after": -1}, {"after": "1"}, {"after": 2**31}, {"after": None},
    {"name": "kira"}, [], "x", None,
)  # fmt: skip


@pytest.mark.parametrize("has_token", [False, True])
@pytest.mark.parametrize("greeting", GREETINGS, ids=repr)
def test_a_greeting_is_malformed_for_the_server_where_it_is_for_the_document(
    server: Served, brawl: Table, greeting: Any, has_token: bool
) -> None:
    if has_token and isinstance(greeting, dict):
        greeting = {"token": brawl.issued["kira"]["token"], **greeting}
    with connect(f"ws://127.0.0.1:{server.port}{brawl.path}/feed") as socket:
        socket.send(json.dumps(greeting))
        brawl.do({"type": "Note", "text": "rain"})
        try:
            json.loads(socket.recv(PATIENCE))
            reason = ""
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            reason = closed.rcvd.reason

    assert reason == ("feed/greeting" if wrong_greeting(greeting) else "")


# ------------------------------------------------------------------------------------------------ the recorder


def test_whatever_way_a_test_reads_a_feed_its_messages_are_recorded(server: Served, brawl: Table) -> None:
    token, feeds = brawl.issued["gm"]["token"], Feeds(server, brawl.path)

    async def over_async_socket() -> None:
        async with async_connect(f"ws://127.0.0.1:{server.port}{brawl.path}/feed") as socket:
            await socket.send(json.dumps({"token": token}))
            for _ in range(6):
                await socket.recv()

    async def with_async_client() -> None:
        session = AsyncRemoteSession(server.url, brawl.session, token)
        async with session, aclosing(session.feed()) as feed:
            for _ in range(6):
                await anext(feed)

    def with_client() -> None:
        with RemoteSession(server.url, brawl.session, token) as session, closing(session.feed()) as feed:
            assert [next(feed).seq for _ in range(6)] == [1, 2, 3, 4, 5, 6]

    for read_six in (
        lambda: feeds.by_socket(token, 6), lambda: feeds.by_events(token, "id: 6\n"), with_client,
        lambda: asyncio.run(over_async_socket()), lambda: asyncio.run(with_async_client()),
    ):  # fmt: skip
        before = RECORDER.count
        read_six()
        assert RECORDER.count - before >= 6
    assert RECORDER.undescribed() == []


def test_a_server_that_has_sent_what_is_not_described_fails_its_test(tmp_path: Path) -> None:
    server = Served(tmp_path)
    RECORDER.record("socket", json.dumps({**ENTRY, "seq": "14"}))

    with pytest.raises(AssertionError, match=r"not described in /schema/asyncapi\.json: .*/payload/seq"):
        server.stop()
    assert RECORDER.undescribed() == []


def test_a_wrong_message_is_found_among_more_than_are_kept() -> None:
    recorder = FeedRecorder()
    for number in range(feed_recorder.MANY + 1):
        recorder.record("events", ": still here" if number == 7 else event_of(ENTRY, id=str(number), event="entry"))

    (found,) = recorder.undescribed()
    assert "': still here'" in found
    assert recorder.undescribed() == []


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_events_are_recorded_whatever_pieces_they_come_in(size: int) -> None:
    recorder = FeedRecorder()
    events = EventsInChunks(recorder)
    raw = "".join(
        f"{each}\n\n" for each in (f": {live.OPENING}", event_of(ENTRY, id="14", event="entry"), ": x")
    ).encode()
    for at in range(0, len(raw), size):
        events.add(raw[at : at + size])

    assert recorder.count == 3
    assert ["': x'" in found for found in recorder.undescribed()] == [True]
