"""Wrong input is refused with a slug of the server: never an internal error or a traceback, and nothing is written."""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.processes import PATIENCE, SHEET, Served, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ledger.commands import COMMANDS

SLUG = re.compile(r"[a-z]+(/[a-z-]+)+")
ANN = "r1/ann/initiative"
NOTE = b'{"type":"Note","text":"rain"}'


@pytest.fixture(scope="module")
def sitting(server: Served, client: httpx.Client) -> Table:
    """Returns a brawl in which nothing is ever written, because these tests send only what is refused."""
    return Table(client, server.host, "kira", "ben").brawl()


@pytest.fixture(autouse=True)
def unharmed(server: Served, sitting: Table) -> Iterator[None]:
    """Checks that the session is unchanged, and that the server has logged no internal error."""
    before = sitting.get("state")
    yield
    assert sitting.get("state") == before
    assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []
    assert "Traceback" not in server.log()


def refused(answer: httpx.Response) -> str:
    """Returns the status and the slug of a complete problem document."""
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    if not answer.content:
        assert answer.request.method == "HEAD"
        return str(answer.status_code)
    problem = answer.json()
    assert SLUG.fullmatch(problem["slug"]), problem
    assert problem["type"] == f"urn:affray:{problem['slug']}"
    assert problem["status"] == answer.status_code
    assert problem["title"]
    assert problem["detail"]
    assert "Traceback" not in answer.text
    return f"{answer.status_code} {problem['slug']}"


def said(table: Table, content: bytes, kind: str | None = "application/json", what: str = "commands") -> str:
    """Returns the refusal of a body."""
    headers = {**table.as_("gm"), **({"Content-Type": kind} if kind else {})}
    return refused(table.client.post(f"{table.path}/{what}", headers=headers, content=content))


# ------------------------------------------------------------------------------------------------ bodies

INVALID, TOO_MUCH = "400 request/invalid", "422 command/invalid"
HUGE = b"1" + b"0" * 30
BODIES: Mapping[str, tuple[bytes, str]] = {
    "nothing": (b"", INVALID),
    "white space": (b" \n", INVALID),
    "no JSON": (b"rain", INVALID),
    "cut short": (NOTE[:-1], INVALID),
    "two values": (NOTE + NOTE, INVALID),
    "a byte order mark": (b"\xef\xbb\xbf" + NOTE, INVALID),
    "another encoding": (NOTE.decode().encode("utf-16"), INVALID),
    "a list": (b"[[" + NOTE + b"]]", INVALID),
    "null": (b"null", INVALID),
    "a text": (b'"Note"', INVALID),
    "no type": (b'{"text":"rain"}', INVALID),
    "another type": (b'{"type":"Nothing","text":"rain"}', INVALID),
    "a type that is a number": (b'{"type":7,"text":"rain"}', INVALID),
    "a missing field": (b'{"type":"Note"}', INVALID),
    "an unknown field": (b'{"type":"Note","text":"rain","beyond":1}', INVALID),
    "a number for a text": (b'{"type":"Note","text":7}', INVALID),
    "null for a text": (b'{"type":"Note","text":null}', INVALID),
    "a text for a number": (b'{"type":"Rewind","to":"3"}', INVALID),
    "a truth for a number": (b'{"type":"Rewind","to":true}', INVALID),
    "a fraction": (b'{"type":"Rewind","to":3.5}', INVALID),
    "a fraction in a list": (b'{"type":"TypeDice","key":"r1/ann/initiative","faces":[1.5]}', INVALID),
    "a fraction in a sheet": (b'{"type":"Join","who":"eve","sheet":{"init":60.5}}', "422 command/invalid"),
    "a fraction in terms": (b'{"type":"Declare","kind":"attack","by":"ann","terms":{"range":1.5}}', "422 command/invalid"),
    "infinity": (b'{"type":"Join","who":"eve","sheet":{"init":1e999}}', INVALID),
    "no number": (b'{"type":"Join","who":"eve","sheet":{"init":NaN}}', INVALID),
    "a huge entry": (b'{"type":"Rewind","to":%b}' % HUGE, TOO_MUCH),
    "a huge entry to amend": (b'{"type":"Amend","entry":%b,"change":{},"why":"a"}' % HUGE, TOO_MUCH),
    "a huge face": (b'{"type":"TypeDice","key":"r1/ann/initiative","faces":[%b]}' % HUGE, TOO_MUCH),
    "a huge figure": (b'{"type":"Adjust","who":"bob","what":"wounds","value":%b,"why":"a"}' % HUGE, TOO_MUCH),
    "a huge modifier": (b'{"type":"ApplyModifier","key":"r1/ann/initiative","value":%b,"why":"a"}' % HUGE, TOO_MUCH),
    "a huge span of time": (b'{"type":"PassTime","amount":%b,"unit":"hours"}' % HUGE, TOO_MUCH),
    "a huge figure in a sheet": (b'{"type":"Join","who":"eve","sheet":{"init":%b}}' % HUGE, TOO_MUCH),
    "a number of 5,000 digits": (b'{"type":"Rewind","to":%b}' % (b"9" * 5000), INVALID),
    "10,000 lists": (b"[" * 10_000, INVALID),
    "10,000 lists in a field": (b'{"type":"Note","text":' + b"[" * 10_000, INVALID),
    "10,000 objects in a sheet": (b'{"type":"Join","who":"eve","sheet":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001, INVALID),
    "dice of 5,000 digits": (b'{"type":"Join","who":"eve","sheet":%b}' % json.dumps({**SHEET, "weapons": {"fist": {**SHEET["weapons"]["fist"], "damage": "1d6+" + "9" * 5000}}}).encode(), "422 sheet/invalid"),
    "900 objects in a sheet": (b'{"type":"Join","who":"eve","sheet":' + b'{"a":' * 900 + b"1" + b"}" * 901, TOO_MUCH),
    "bytes that are no text": (b'{"type":"Note","text":"\xff\xfe"}', INVALID),
    "bytes of a surrogate": (b'{"type":"Note","text":"\xed\xa0\x80"}', INVALID),
    "a lone surrogate": (b'{"type":"Note","text":"a\\ud800b"}', INVALID),
    "a lone low surrogate": (b'{"type":"Note","text":"a\\udc00b"}', INVALID),
    "a lone surrogate in a name": (b'{"type":"Join","who":"eve","sheet":{"\\ud800":1}}', INVALID),
    "a control character": (b'{"type":"Note","text":"a\x00b"}', INVALID),
    "another escape": (b'{"type":"Note","text":"\\x41"}', INVALID),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_says_nothing_good_is_refused(sitting: Table, name: str) -> None:
    body, expected = BODIES[name]
    assert said(sitting, body) == expected


@pytest.mark.parametrize(
    "what", ["tokens", "undo", "redo", "amend", "amend/preview", "what-if", "branches", "odds", "commands"]
)
@pytest.mark.parametrize("name", ["nothing", "no JSON", "a list", "null", "10,000 lists", "bytes that are no text", "an unknown field"])  # fmt: skip
def test_every_route_refuses_such_bodies(sitting: Table, what: str, name: str) -> None:
    assert said(sitting, BODIES[name][0], what=what) == INVALID


@pytest.mark.parametrize("name", ["nothing", "no JSON", "a list", "null", "10,000 lists", "bytes that are no text", "an unknown field"])  # fmt: skip
def test_no_session_is_founded_by_such_a_body(server: Served, client: httpx.Client, name: str) -> None:
    assert refused(client.post("/v1/sessions", headers=server.host, content=BODIES[name][0])) == INVALID


FOUNDING: Mapping[str, tuple[Any, str]] = {
    "no such ruleset": ({"ruleset": "chess"}, "404 ruleset/unknown"),
    "no such printing": ({"ruleset": "gurps_3e", "profile": "tenth"}, "422 profile/unknown"),
    "no such option": ({"ruleset": "gurps_3e", "options": {"magic": 1}}, "422 profile/option"),
    "no such policy": ({"ruleset": "gurps_3e", "policies": {"tea": "green"}}, "422 policy/unknown"),
    "an empty gamemaster": ({"ruleset": "gurps_3e", "gamemaster": ""}, INVALID),
    "a blank player": ({"ruleset": "gurps_3e", "players": [" "]}, INVALID),
    "a title of a book's length": ({"ruleset": "gurps_3e", "title": "a" * 201}, INVALID),
    "a fraction": ({"ruleset": "gurps_3e", "options": {"magic": 1.5}}, TOO_MUCH),
    "a NUL for a ruleset": ({"ruleset": "\0"}, TOO_MUCH),
}


@pytest.mark.parametrize("name", FOUNDING)
def test_a_session_that_cannot_be_is_not_founded(server: Served, client: httpx.Client, name: str) -> None:
    body, expected = FOUNDING[name]
    before = client.get("/v1/sessions?limit=1000", headers=server.host).json()
    assert refused(client.post("/v1/sessions", headers=server.host, json=body)) == expected
    assert client.get("/v1/sessions?limit=1000", headers=server.host).json() == before


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"{}", b"[]", b"null", b"rain", b"\xff", b"[" * 10_000, b'{"affray":1}\n{}\n', b'{"affray":1e999}', b"\0"],
)  # fmt: skip
def test_what_is_no_export_is_not_brought_in(server: Served, client: httpx.Client, content: bytes) -> None:
    status = refused(client.post("/v1/sessions/import", headers=server.host, content=content)).split()[0]
    assert status in ("400", "422")


NUL: Mapping[str, dict[str, Any]] = {
    "Join": {"who": "\0", "sheet": dict(SHEET)}, "Leave": {"who": "\0"}, "AmendSheet": {"who": "\0", "sheet": {}},
    "Declare": {"kind": "\0", "by": "ann"}, "Choose": {"key": "r1/ann/p1/act", "option": "\0"},
    "TypeDice": {"key": "\0", "faces": [1]}, "DrawDice": {"key": "\0"},
    "ApplyModifier": {"key": "\0", "value": 1, "why": "\0"}, "Adjust": {"who": "\0", "what": "\0", "value": 1, "why": "\0"},
    "Overrule": {"key": ANN, "figure": "\0", "value": "\0", "why": "\0"}, "PassTime": {"amount": 1, "unit": "\0"},
    "OpenDispute": {"about": "\0", "why": "\0"}, "SettleDispute": {"dispute": "\0", "ruling": "\0", "why": "\0"},
    "GiveNonce": {"player": "gm", "nonce": "\0"}, "OpenSession": {"title": "\0", "ruleset": "\0"},
    "RenameSession": {"title": "\0"},
    "BeginCombat": {"situation": {"\0": "\0"}}, "Amend": {"entry": 5, "change": {"\0": 1}, "why": "\0"},
}  # fmt: skip


@pytest.mark.parametrize("why", ["", " ", "\t\n", "\u00a0", "\x1d", "\x85", "\ufeff"])
def test_blanks_are_no_reason(sitting: Table, why: str) -> None:
    assert said(sitting, json.dumps({"why": why}).encode(), what="undo") == INVALID


def test_who_gives_no_reason_is_asked_for_words(sitting: Table) -> None:
    told = sitting.client.post(f"{sitting.path}/undo", headers=sitting.as_("gm"), json={"why": " "}).json()
    assert (told["where"], "Expected words" in told["detail"]) == ("why", True)


@pytest.mark.parametrize("name", NUL)
def test_a_nul_names_nothing(sitting: Table, name: str) -> None:
    assert refused(sitting.ask({"type": name, **NUL[name]})).startswith(("422 ", "404 "))


def test_words_may_have_any_letter_and_come_back_as_they_were(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    for text in ("a\0b", "\u2028", "\U0001f3b2", "\ufeff", "\x7f\x85", '"\\', "a" * 10_000):
        done = table.do({"type": "Note", "text": text})
        assert done["entries"][0]["command"]["text"] == text
        assert table.get("entries", after=done["last"] - 1)[0]["command"]["text"] == text


HALVES: Mapping[str, tuple[bytes, str]] = {
    "in a text": (b'{"type":"Note","text":"a\\ud800b"}', "text"),
    "at its end": (b'{"type":"Note","text":"a\\ud800"}', "text"),
    "the lower half": (b'{"type":"Note","text":"a\\udc00b"}', "text"),
    "two upper halves": (b'{"type":"Note","text":"\\ud83c\\ud83c"}', "text"),
    "in a name": (b'{"type":"Join","who":"eve","sheet":{"\\ud800":1}}', "sheet"),
    "in a sheet": (b'{"type":"Join","who":"eve","sheet":{"gear":["rope","\\ud800"]}}', "sheet.gear[1]"),
    "in terms": (b'{"type":"Declare","kind":"attack","by":"ann","terms":{"at":"\\ud800"}}', "terms.at"),
}  # fmt: skip


@pytest.mark.parametrize("name", HALVES)
def test_half_a_character_is_named_as_that_with_its_path(sitting: Table, name: str) -> None:
    body, where = HALVES[name]
    for seat in ("gm", "kira"):
        answer = sitting.client.post(f"{sitting.path}/commands", headers=sitting.as_(seat), content=body)
        assert refused(answer) == INVALID
        told = answer.json()
        assert (told["where"], "surrogate" in told["detail"], "truncated" in told["detail"]) == (where, True, False)


def test_both_halves_are_a_character_and_an_escaped_backslash_is_no_half(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    for body, text in ((b'"\\ud83c\\udfb2"', "\U0001f3b2"), (b'"\\\\ud800"', "\\ud800")):
        content = b'{"type":"Note","text":%b}' % body
        answer = client.post(f"{table.path}/commands", headers=table.as_("gm"), content=content)
        assert answer.json()["entries"][0]["command"]["text"] == text


# ------------------------------------------------------------------------------------------------ what kind, how long


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/x-www-form-urlencoded", b"type=Note&text=rain"),
        ("multipart/form-data; boundary=a", b'--a\r\nContent-Disposition: form-data; name="type"\r\n\r\nNote\r\n--a--\r\n'),
        ("application/msgpack", b"\x82\xa4type\xa4Note\xa4text\xa1a"),
        ("application/json; charset=utf-16", NOTE.decode().encode("utf-16")),
    ],
)  # fmt: skip
def test_a_body_of_another_kind_is_refused(sitting: Table, kind: str, content: bytes) -> None:
    assert said(sitting, content, kind) == INVALID


@pytest.mark.parametrize("kind", [None, "application/json", "application/json; charset=utf-8", "text/plain", "rain"])
def test_a_body_is_read_as_json_whatever_kind_it_is_said_to_be(client: httpx.Client, server: Served, kind: str) -> None:
    table = Table(client, server.host)
    headers = {**table.as_("gm"), **({"Content-Type": kind} if kind else {})}
    assert client.post(f"{table.path}/commands", headers=headers, content=NOTE).status_code == 201


def test_a_body_that_is_too_long_is_refused(sitting: Table) -> None:
    assert said(sitting, json.dumps({"type": "Note", "text": "a" * 1_000_001}).encode()) == "413 server/too-long"


def test_a_body_of_unknown_length_that_becomes_too_long_is_refused(sitting: Table) -> None:
    pieces = (b"a" * 1000 for _ in range(1001))
    headers = sitting.as_("gm")
    assert (
        refused(sitting.client.post(f"{sitting.path}/commands", headers=headers, content=pieces))
        == "413 server/too-long"
    )


def raw(server: Served, text: bytes, *, end: bool = False) -> bytes:
    """Returns the answer to raw bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(text)
        if end:
            connection.shutdown(socket.SHUT_WR)
        heard = b""
        while part := connection.recv(65_536):
            heard += part
            if b"\r\n\r\n" in heard and not end:
                break
        return heard


def head(table: Table, *lines: str) -> bytes:
    """Returns the head of a request."""
    token = table.as_("gm")["Authorization"]
    return "\r\n".join(
        (f"POST {table.path}/commands HTTP/1.1", "Host: a", f"Authorization: {token}", *lines, "", "")
    ).encode()


@pytest.mark.parametrize("length", ["-1", "x", "1.5", "99999999999999999999999", "10\r\nContent-Length: 11"])
def test_a_length_that_is_none_is_no_request(server: Served, sitting: Table, length: str) -> None:
    answer = raw(server, head(sitting, f"Content-Length: {length}") + NOTE)
    assert answer.split()[1] in (b"400", b"413")


def test_a_body_shorter_than_it_is_said_to_be_is_not_performed(server: Served, sitting: Table) -> None:
    answer = raw(server, head(sitting, f"Content-Length: {len(NOTE) + 1}") + NOTE, end=True)
    assert answer == b"" or answer.split()[1] == b"400"


def test_a_body_longer_than_it_is_said_to_be_is_cut(server: Served, sitting: Table) -> None:
    answer = raw(server, head(sitting, f"Content-Length: {len(NOTE) - 1}") + NOTE)
    assert answer.split()[1] == b"400"


def test_two_hosts_two_lengths_or_a_broken_line_never_reach_a_route(server: Served, sitting: Table) -> None:
    for text in (
        b"rain\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"BREW /v1/sessions HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ):
        assert raw(server, text).split()[1] == b"400", text


# ------------------------------------------------------------------------------------------------ routes, methods


@pytest.mark.parametrize(
    "path",
    ["/page", "/page/__init__.py", "/page/bundle/theatre.js", "/page/../main.js", "/v1", "/v2/sessions", "/nowhere", "//v1/sessions", "/v1/sessions/{}/nothing",
     "/v1/sessions/{}/disputes/a/b", "/v1/sessions/{}/disputes/a%2Fb", "/v1/rulesets/..%2F..%2Fetc%2Fpasswd", "/v1/sessions/{}/state/x",
     "/v1/rulesets/gurps_3e/tables", "/%2e%2e/%2e%2e/etc/passwd", "/V1/sessions", "/v1/sessions/{}/%73tate/x"],
)  # fmt: skip
def test_there_is_nothing_at_other_addresses(sitting: Table, path: str) -> None:
    answer = sitting.client.get(path.format(sitting.session), headers=sitting.as_("gm"))
    assert refused(answer) == "404 request/no-such-route"


LONG = "a" * 8_000


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/sessions/{}/disputes/%00", "404 dispute/unknown"), ("/v1/sessions/{}/disputes/%ff", "404 dispute/unknown"),
        ("/v1/sessions/{}/disputes/" + LONG, "404 dispute/unknown"), ("/v1/sessions/{}/disputes/%20", "404 dispute/unknown"),
        ("/v1/rulesets/%00", "404 ruleset/unknown"), ("/v1/rulesets/" + LONG, "404 ruleset/unknown"),
        ("/v1/rulesets/..", "404 request/no-such-route"), ("/v1/rulesets/%ed%a0%80", "404 ruleset/unknown"),
        ("/v1/rulesets/machines.gurps_3e", "404 ruleset/unknown"),
        ("/v1/rulesets/gurps_3e/tables/%00", "404 table/malformed"), ("/v1/rulesets/gurps_3e/charts/x", "404 table/malformed"),
        ("/v1/rulesets/gurps_3e/sheets/..%5C", "404 table/malformed"),
    ],
)  # fmt: skip
def test_what_is_named_but_is_not_there_is_unknown(sitting: Table, path: str, expected: str) -> None:
    assert refused(sitting.client.get(path.format(sitting.session), headers=sitting.as_("gm"))) == expected


@pytest.mark.parametrize("session", ["%00", "%ff", LONG, "nowhere", "..%5C"])
def test_no_token_is_for_a_session_that_is_not_there(server: Served, sitting: Table, session: str) -> None:
    client = sitting.client
    assert refused(client.get(f"/v1/sessions/{session}/state", headers=sitting.as_("gm"))) == "403 token/other-session"
    assert refused(client.get(f"/v1/sessions/{session}/tokens", headers=server.host)) == "404 session/unknown"
    assert refused(client.get(f"/v1/sessions/{session}/state", headers=server.host)) == "404 session/unknown"


@pytest.mark.parametrize("token", ["%00", LONG, "x", "..%5C"])
def test_a_token_that_was_never_handed_out_cannot_be_revoked(sitting: Table, token: str) -> None:
    assert (
        refused(sitting.client.delete(f"{sitting.path}/tokens/{token}", headers=sitting.as_("gm")))
        == "404 token/unknown"
    )


@pytest.fixture(scope="module")
def documented(client: httpx.Client) -> dict[str, set[str]]:
    """Returns the methods of each path."""
    paths = client.get("/schema/openapi.json").json()["paths"]
    return {path: {method.upper() for method in each} for path, each in paths.items()}


def test_each_path_names_the_methods_that_it_has_and_refuses_the_others(
    server: Served, sitting: Table, documented: dict[str, set[str]]
) -> None:
    for path, methods in documented.items():
        address = path.replace("{session}", sitting.session).replace("{name}", "gurps_3e")
        allowed = {*methods, "OPTIONS", *(("HEAD",) if "GET" in methods else ())}
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE"} - allowed:
            answer = sitting.client.request(method, address, headers=sitting.as_("gm"))
            assert refused(answer) in ("405 request/method", "405"), (method, path)
            assert set(answer.headers["allow"].split(", ")) == allowed, (method, path)
        answer = sitting.client.options(address)
        assert answer.status_code == 204
        assert set(answer.headers["allow"].split(", ")) == allowed, path


def test_a_slash_at_the_end_changes_nothing(sitting: Table) -> None:
    for path in (f"{sitting.path}/state", f"{sitting.path}/entries", "/v1/rulesets", "/health"):
        with_it, without = (sitting.client.get(path + end, headers=sitting.as_("gm")) for end in ("/", ""))
        assert (with_it.status_code, with_it.content) == (200, without.content)


# ------------------------------------------------------------------------------------------------ queries, headers


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        *((f"state?at={at}", INVALID) for at in ("0", "-1", "1.5", "x", "", "%00", "1" + "0" * 30, "%201", "1_0", "%D9%A3")),
        ("state?at=999999", "404 entry/unknown"), ("state?at=2147483648", INVALID),
        *((f"entries?after={after}", INVALID) for after in ("-1", "1.5", "x", "", "1" + "0" * 30)),
        *((f"entries?limit={limit}", INVALID) for limit in ("0", "-1", "10001", "x")),
        *((f"feed?after={after}", INVALID) for after in ("-1", "x", "2147483648")),
        ("why", INVALID), ("why?of=", INVALID), ("why?of=" + "a" * 501, INVALID), ("why?of=%00", "404 roll/unknown"),
        ("why?of=bob.%00", "404 why/nothing"), ("why?of=%00.damage", "422 combatant/unknown"),
        *((f"audit?head={digest}", INVALID) for digest in ("x", "a" * 63, "a" * 65, "%00", "%0A")),
    ],
)  # fmt: skip
def test_a_query_that_says_nothing_good_is_refused(sitting: Table, query: str, expected: str) -> None:
    assert refused(sitting.client.get(f"{sitting.path}/{query}", headers=sitting.as_("gm"))) == expected


def test_the_hosts_list_refuses_such_queries_too(server: Served, client: httpx.Client) -> None:
    for query in ("limit=0", "limit=-1", "limit=1001", "limit=x"):
        assert refused(client.get(f"/v1/sessions?{query}", headers=server.host)) == INVALID


def asked(table: Table, **headers: str | bytes) -> httpx.Response:
    """Sends a note with headers."""
    named: list[tuple[bytes, bytes]] = [(b"Authorization", table.as_("gm")["Authorization"].encode())]
    for name, value in headers.items():
        named.append((name.replace("_", "-").encode(), value if isinstance(value, bytes) else value.encode()))
    return table.client.post(f"{table.path}/commands", headers=named, content=NOTE)


@pytest.mark.parametrize(
    "value", ["", "x", '"x"', "W/", '""', "-1", "+1", "1.5", "1e1", "0x1", "9" * 12, "9" * 41, "*,*", '"6","7"', "é", "٣", "null", "a" * 41],
)  # fmt: skip
def test_an_if_match_that_names_no_entry_is_refused(sitting: Table, value: str) -> None:
    assert refused(asked(sitting, If_Match=value)).split()[1] in ("request/header", "request/invalid")


@pytest.mark.parametrize("value", ["0", "7", '"7"', 'W/"7"', "99999"])
def test_an_if_match_that_is_not_the_last_entry_is_stale(sitting: Table, value: str) -> None:
    answer = asked(sitting, If_Match=value)
    assert refused(answer) == "409 log/stale"
    assert answer.json()["actual"] == sitting.get("state")["entries"]


@pytest.mark.parametrize("value", ["", "a" * 256])
def test_a_key_that_is_empty_or_too_long_is_refused(sitting: Table, value: str) -> None:
    assert refused(asked(sitting, Idempotency_Key=value)) == INVALID


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "", "é", "9" * 21])
def test_a_last_event_id_that_names_no_entry_is_refused(sitting: Table, value: str) -> None:
    headers = [(b"Authorization", sitting.as_("gm")["Authorization"].encode()), (b"Last-Event-ID", value.encode())]
    assert refused(sitting.client.get(f"{sitting.path}/feed", headers=headers)).split()[1] in (
        "request/header",
        "request/invalid",
    )


def test_a_reader_ahead_of_the_log_is_told_what_its_last_entry_is(server: Served, sitting: Table) -> None:
    last = sitting.get("state")["entries"]
    for query, headers in ((f"?after={last + 1}", {}), ("", {"Last-Event-ID": str(last + 1)})):
        asked = sitting.client.stream("GET", f"{sitting.path}/feed{query}", headers={**sitting.as_("gm"), **headers})
        with asked as answer:
            assert answer.status_code == 404  # the body of a success has no end
            answer.read()
        assert refused(answer) == "404 entry/unknown"
        assert answer.json()["accepts"] == f"0 to {last}"
    for after, reason in ((last + 1, "entry/unknown"), (last, "")):
        with connect(f"ws://127.0.0.1:{server.port}{sitting.path}/feed") as socket:
            socket.send(json.dumps({"token": sitting.issued["gm"]["token"], "after": after}))
            if reason:
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(PATIENCE)
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, reason)
            else:
                with pytest.raises(TimeoutError):
                    socket.recv(0.3)


@pytest.mark.parametrize(
    "value", ["", "Bearer", "bearer x", "Bearer é", "Basic YTpi", "Bearer " + "a" * 9_000, "Bearer a.b.c"]
)
def test_an_authorization_that_is_none_is_refused(sitting: Table, value: str) -> None:
    answer = sitting.client.get(f"{sitting.path}/state", headers=[(b"Authorization", value.encode())])
    assert refused(answer).split()[1] in ("token/missing", "token/invalid")


def test_of_two_authorizations_no_wrong_one_lets_anybody_in_as_somebody_else(sitting: Table) -> None:
    gm, spectator = (sitting.as_(seat)["Authorization"].encode() for seat in ("gm", "spectator"))
    for pair in ((spectator, b"Bearer x"), (b"Bearer x", spectator), (spectator, spectator)):
        headers = [(b"Authorization", value) for value in pair]
        assert refused(sitting.client.post(f"{sitting.path}/commands", headers=headers, content=NOTE)).startswith(
            ("401", "403")
        )
    assert gm != spectator


# ------------------------------------------------------------------------------------------------ once, and in order


def test_the_same_command_under_the_same_key_is_performed_once(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    first = table.do({"type": "Note", "text": "rain"}, Idempotency_Key="one")
    table.do({"type": "Note", "text": "hail"})
    again = table.ask({"type": "Note", "text": "rain"}, Idempotency_Key="one", If_Match='"1"')
    assert again.status_code == 201
    assert again.json()["entries"] == first["entries"]
    assert again.json()["last"] == table.get("state")["entries"] == 3


def test_dice_that_are_drawn_again_under_the_same_key_lie_as_they_lay(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host, "kira")
    table.do({"type": "Join", "who": "bob", "sheet": SHEET, "player": "kira"})
    table.do({"type": "BeginCombat"})
    done = [table.do({"type": "DrawDice", "key": "r1/bob/initiative"}, "kira", Idempotency_Key="a") for _ in range(3)]
    assert done[0]["entries"] == done[1]["entries"] == done[2]["entries"]
    assert table.get("state")["entries"] == done[0]["last"]


def test_a_key_belongs_to_one_command_of_one_person(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host, "kira", "ben")
    note = {"type": "Note", "text": "rain"}
    table.do(note, "kira", Idempotency_Key="one")
    for command, seat in (
        ({**note, "text": "hail"}, "kira"),
        (note, "ben"),
        (note, "gm"),
        ({"type": "CloseSession"}, "gm"),
    ):
        assert refused(table.ask(command, seat, Idempotency_Key="one")) == "422 log/key-reused"
    assert table.get("state")["entries"] == 2


@pytest.mark.parametrize("key", [b"a\tb", b"a\x85b", b"k" * 256, b""])
def test_a_key_with_control_characters_or_without_end_is_refused(
    server: Served, client: httpx.Client, key: bytes
) -> None:
    table = Table(client, server.host)
    answer = asked(table, Idempotency_Key=key)
    assert refused(answer) == "400 request/invalid"
    assert table.get("state")["entries"] == 1
    assert asked(table, Idempotency_Key=b"a b \xe9").status_code == 201


def test_undo_redo_and_amend_are_done_once_for_a_key(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host, "kira", "ben").brawl()
    change = {"entry": 5, "change": {"set": {"faces": [61]}}, "why": "it was a 61"}
    for what, body in (("amend", change), ("undo", {"why": "no"}), ("redo", {"why": "yes"})):
        headers = {**table.as_("gm"), "Idempotency-Key": what}
        first, again = (client.post(f"{table.path}/{what}", headers=headers, json=body) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json()["entries"] == again.json()["entries"]
        assert first.headers["etag"] == again.headers["etag"] == f'"{table.get("state")["entries"]}"'
        other = client.post(f"{table.path}/{what}", headers=headers, json={**body, "why": "another"})
        assert refused(other) == "422 log/key-reused"


def test_an_if_match_lets_through_who_knows_the_last_entry(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    state = client.get(f"{table.path}/state", headers=table.as_("gm"))
    first = asked(table, If_Match=state.headers["etag"])
    assert (state.headers["etag"], first.status_code, first.headers["etag"]) == ('"1"', 201, '"2"')
    stale = asked(table, If_Match=state.headers["etag"])
    assert (refused(stale), stale.json()["actual"]) == ("409 log/stale", 2)
    assert [asked(table, If_Match=said).status_code for said in ("2", 'W/"3"', "*")] == [201, 201, 201]
    for what, body in (("undo", {"why": "no"}), ("amend", {"entry": 2, "change": {"drop": True}, "why": "no"})):
        late = client.post(f"{table.path}/{what}", headers={**table.as_("gm"), "If-Match": "3"}, json=body)
        assert (refused(late), late.json()["actual"]) == ("409 log/stale", 5)


def test_founding_again_under_the_same_key_finds_the_same_session(server: Served, client: httpx.Client) -> None:
    asked = {"ruleset": "gurps_3e", "title": "Once", "players": ["kira"]}
    headers = {**server.host, "Idempotency-Key": "founded-once"}
    before = len(client.get("/v1/sessions?limit=1000", headers=server.host).json())
    first, again = (client.post("/v1/sessions", headers=headers, json=asked) for _ in range(2))
    assert first.json()["session"] == again.json()["session"]
    other = client.post("/v1/sessions", headers=headers, json={**asked, "title": "Twice"})
    assert refused(other) == "422 log/key-reused"
    assert len(client.get("/v1/sessions?limit=1000", headers=server.host).json()) == before + 1
    for issued in (*first.json()["tokens"], *again.json()["tokens"]):
        bearer = {"Authorization": f"Bearer {issued['token']}"}
        assert client.get(f"/v1/sessions/{first.json()['session']}/state", headers=bearer).status_code == 200


# ------------------------------------------------------------------------------------------------ browsers

OURS, OTHERS = "https://campaign.example", "https://elsewhere.example"


def preflight(client: httpx.Client, origin: str) -> httpx.Response:
    """Returns a preflight request, as a browser sends it for a page of a site."""
    asking = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    return client.options("/v1/sessions", headers=asking)


def told_to_browsers(answer: httpx.Response) -> dict[str, str]:
    """Returns the headers by which a browser decides what pages of other sites may do."""
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def test_no_page_of_another_site_may_call_unless_that_was_said(client: httpx.Client, sitting: Table) -> None:
    assert told_to_browsers(preflight(client, OURS)) == {}
    for origin in (OURS, "null", "http://127.0.0.1"):
        for path in ("/health", f"{sitting.path}/state", "/nowhere"):
            assert told_to_browsers(client.get(path, headers={**sitting.as_("gm"), "Origin": origin})) == {}


def test_pages_of_the_site_that_was_said_may_call_and_no_others(tmp_path: Path) -> None:
    with served(tmp_path, "--allow-origin", OURS) as server, server.client() as client:
        asked = preflight(client, OURS)
        assert asked.status_code == 204
        assert asked.headers["access-control-allow-origin"] == OURS
        assert "POST" in asked.headers["access-control-allow-methods"]
        table = Table(client, server.host)
        for path, status in (("/health", 200), (f"{table.path}/state", 200), ("/nowhere", 404)):
            ours, others = (client.get(path, headers={**table.as_("gm"), "Origin": site}) for site in (OURS, OTHERS))
            assert (ours.status_code, ours.headers["access-control-allow-origin"]) == (status, OURS)
            assert "access-control-allow-origin" not in others.headers
            assert "access-control-allow-credentials" not in ours.headers
        assert "access-control-allow-origin" not in preflight(client, OTHERS).headers
        assert client.get("/health", headers={"Origin": OURS}).headers["vary"].lower() == "origin"
        assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []


@pytest.mark.parametrize("body", [b'{"type":"Delcare","by":"ann"}', b'{"by":"ann"}', b'{"type":""}'])
def test_a_command_of_no_known_type_is_refused_with_the_types_that_there_are(table: Table, body: bytes) -> None:
    headers = {**table.as_("gm"), "Content-Type": "application/json"}
    answer = table.client.post(f"{table.path}/commands", headers=headers, content=body)
    assert answer.status_code == 400
    assert answer.json()["accepts"].split(", ") == sorted(kind.__name__ for kind in COMMANDS)


# ------------------------------------------------------------------------------------------------ what is accepted there


@pytest.mark.parametrize(
    ("method", "path", "body", "reason", "where", "accepts"),
    [
        ("GET", "/v1/sessions?order=up", None, "Invalid enum value 'up'", "order", "newest, oldest"),
        ("GET", "/v1/sessions?state=ajar", None, "Invalid enum value 'ajar'", "state", "any, closed, open"),
        ("GET", "/v1/sessions?limit=1001", None, "Expected `int` <= 1000", "limit", "1 to 1000"),
        ("GET", "/v1/sessions?limit=x", None, "Expected `int`, got `str`", "limit", "1 to 1000"),
        ("DELETE", "{}?why=%20", None, "a text that is not blank is expected", "why", "1 to 4000 characters"),
        ("POST", "{}/tokens", {"seat": "gm", "name": "x", "expires_in": 5}, "Expected `int` >= 60", "expires_in", "60 to 316224000"),
        ("POST", "{}/tokens", {"seat": "king", "name": "x"}, "Invalid enum value 'king'", "seat", "host, gm, player, spectator"),
        ("POST", "{}/archive", None, "the request has no body", "body", "a JSON object"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_the_reason_the_place_and_what_is_accepted_there(
    server: Served, sitting: Table, method: str, path: str, body: Any, reason: str, where: str, accepts: str
) -> None:
    headers = {**server.host, "If-Match": "*"}
    answer = sitting.client.request(method, path.replace("{}", sitting.path), headers=headers, json=body)
    told = answer.json()
    assert (answer.status_code, told["where"], told["accepts"]) == (400, where, accepts)
    assert told["detail"].endswith(reason)
    assert sitting.path not in told["detail"]


def test_what_is_missing_is_named_with_what_it_is(server: Served, sitting: Table) -> None:
    told = sitting.client.delete(f"{sitting.path}?why=x", headers=server.host).json()
    assert (told["detail"], told["where"]) == ("the header If-Match is missing", "If-Match")
    assert told["accepts"].startswith("The number of the session's last entry")
    told = sitting.client.get(f"{sitting.path}/why", headers=sitting.as_("gm")).json()
    assert (told["detail"], told["where"]) == ("the query parameter of is missing", "of")
