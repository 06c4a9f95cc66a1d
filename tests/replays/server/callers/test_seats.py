"""Every route and every command, requested from every seat and with every invalid token."""

import itertools
from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest
from server.processes import SHEET, Served, Table
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ledger.commands import COMMANDS
from replays.server.callers.tokens import Signer, Token

NO = "403 seat/not-allowed"
HOOK = "404 hook/unknown"
LASTS = "422 token/lasting"
"""The answer about the gamemaster's webhook to other seats."""
NONE, BAD, GONE, ELSEWHERE = "401 token/missing", "401 token/invalid", "401 token/revoked", "403 token/other-session"

SEATED = ("host", "gm", "kira", "ben", "narrowed", "spectator")
"""Bob is Kira's, Ben plays no combatant; `narrowed` is a token of Kira's that does not include Bob."""
REVOKED = ("revoked gm", "revoked player", "revoked spectator")
STRANGERS = {
    "nobody": NONE, "another scheme": NONE, "garbage": BAD, "flipped": BAD, "flipped signature": BAD,
    "another key": BAD, "a host of another key": BAD, "other gm": ELSEWHERE, **dict.fromkeys(REVOKED, GONE),
}  # fmt: skip
FOREIGN = {**STRANGERS, "other gm": NO, **dict.fromkeys(REVOKED, NO)}
"""The same for routes of the host: no token of a session is the host's."""
MANAGED = {**STRANGERS, "revoked player": NO, "revoked spectator": NO}
"""The same for routes of the gamemaster and the host."""
WELCOME = dict.fromkeys(STRANGERS, "200")

Row = tuple[tuple[str, ...], Mapping[str, str]]
ROUTES: Mapping[str, Row] = {
    #                 host   gm     kira   ben    narrowed spectator    all others
    "foundSession":  (("201", NO,    NO,    NO,    NO,    NO),    FOREIGN),
    "listSessions":  (("200", NO,    NO,    NO,    NO,    NO),    FOREIGN),
    "importSession": (("201", NO,    NO,    NO,    NO,    NO),    FOREIGN),
    "archiveSession": (("200", "200", NO,   NO,    NO,    NO),    MANAGED),
    "unarchiveSession": (("200", "200", NO, NO,    NO,    NO),    MANAGED),
    "deleteSession": (("200", NO,    NO,    NO,    NO,    NO),    FOREIGN),
    "listTokens":    (("200", "200", NO,    NO,    NO,    NO),    MANAGED),
    "issueToken":    (("201", "201", NO,    NO,    NO,    NO),    MANAGED),
    "renewToken":    ((NO,    LASTS, LASTS, LASTS, LASTS, LASTS), {**STRANGERS, "other gm": LASTS}),
    "revokeToken":   (("204", "204", NO,    NO,    NO,    NO),    MANAGED),
    **dict.fromkeys(
        ("listCampaigns", "getCampaign", "getCampaignLuck", "getCampaignRulings"), (("200", NO, NO, NO, NO, NO), FOREIGN)
    ),
    "getMe":         (("200", "200", "200", "200", "200", "200"), {**STRANGERS, "other gm": "200"}),
    **dict.fromkeys(("drawQrCode", "checkSheets"), (("200", "200", NO, NO, NO, NO), {**STRANGERS, "other gm": "200"})),
    "getState":      ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getRests":      ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getOptions":    ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getEntries":    ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "feed":          ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "createHook":    ((NO,    "201", "201", "201", "201", "201"), STRANGERS),
    "listHooks":     ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "activateHook":  ((NO,    "200", HOOK,  HOOK,  HOOK,  HOOK),  STRANGERS),
    "pingHook":      ((NO,    "200", HOOK,  HOOK,  HOOK,  HOOK),  STRANGERS),
    "replaceHookSecret": ((NO, "201", HOOK, HOOK,  HOOK,  HOOK),  STRANGERS),
    "deleteHook":    ((NO,    "204", HOOK,  HOOK,  HOOK,  HOOK),  STRANGERS),
    "explain":       ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getOutline":    ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getReplay":     ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getSteps":      ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "odds":          ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getChances":    ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "luck":          ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getRecap":      ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "audit":         ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "listDisputes":  ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getDispute":    ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "export":        ((NO,    "200", "200", "200", "200", "200"), STRANGERS),
    "getQuestion":   ((NO,    "200", "200", "200", NO,    "200"), STRANGERS),
    "understandLine": ((NO,   "200", "200", "200", NO,    "200"), STRANGERS),
    "sendLine":      ((NO,    "201", "201", "201", NO,    NO),    STRANGERS),
    "perform":       ((NO,    "201", "201", "201", "201", NO),    STRANGERS),
    "undo":          ((NO,    "201", NO,    NO,    NO,    NO),    STRANGERS),
    "redo":          ((NO,    "201", NO,    NO,    NO,    NO),    STRANGERS),
    "amend":         ((NO,    "201", NO,    NO,    NO,    NO),    STRANGERS),
    "previewAmend":  ((NO,    "200", NO,    NO,    NO,    NO),    STRANGERS),
    "whatIf":        ((NO,    "200", NO,    NO,    NO,    NO),    STRANGERS),
    "branch":        ((NO,    "200", NO,    NO,    NO,    NO),    STRANGERS),
    **dict.fromkeys(
        ("listRulesets", "getRuleset", "getTable", "getChart", "getSchemas", "getSheet", "health", "ready", "metrics"),
        (("200",) * 6, WELCOME),
    ),
}  # fmt: skip
"""The answer of each route to each seat; `perform` and `sendLine` are notes here, and the other commands are below."""

ANN, BOB = "r1/ann/initiative", "r1/bob/initiative"
DEFENSE = "r1/ann/a1/attack/defense"
_ATTACK = {"kind": "attack", "terms": {"at": "bob", "using": "fist"}}
_WAIT = {"kind": "delay"}

OPENED, FOUGHT, CLOSED = "session/already-open", "combat/already-begun", "session/not-open"
Asked = tuple[str, str, Mapping[str, Any], str, str, str, str, str]
ASKED: tuple[Asked, ...] = (
    # command        when          terms                                              gm     kira   ben narrowed spectator
    ("OpenSession",   "initiative", {"title": "a", "ruleset": "eclipse_phase_1e"},     f"422 {OPENED}", NO, NO, NO, NO),
    ("CloseSession",  "initiative", {},                                                "201", NO,    NO,    NO,    NO),
    ("RenameSession", "initiative", {"title": "Night market"},                         "201", NO,    NO,    NO,    NO),
    ("Join",          "initiative", {"who": "eve", "sheet": dict(SHEET), "player": "ben"}, "201", NO, NO,   NO,    NO),
    ("Leave",         "ended",      {"who": "bob"},                                    "201", NO,    NO,    NO,    NO),
    ("AmendSheet",    "initiative", {"who": "bob", "sheet": dict(SHEET)},              "201", NO,    NO,    NO,    NO),
    ("BeginCombat",   "initiative", {},                                                f"422 {FOUGHT}", NO, NO, NO, NO),
    ("EndCombat",     "initiative", {},                                                "201", NO,    NO,    NO,    NO),
    ("Declare",       "ann's turn", {**_ATTACK, "by": "ann"},                          "201", NO,    NO,    NO,    NO),
    ("Declare",       "bob's turn", {**_WAIT, "by": "bob"},                             "201", "201", NO,    NO,    NO),
    ("Choose",        "attacked",   {"key": DEFENSE, "option": "fray"},                "201", "201", NO,    NO,    NO),
    ("TypeDice",      "initiative", {"key": ANN, "faces": [50]},                       "201", NO,    NO,    NO,    NO),
    ("TypeDice",      "initiative", {"key": BOB, "faces": [50]},                       "201", "201", NO,    NO,    NO),
    ("TellDice",      "initiative", {"key": BOB, "counts": {"total": 50}},             "422 dice/faces-needed", "422 dice/faces-needed", NO, NO, NO),
    ("DrawDice",      "initiative", {"key": ANN},                                      "201", NO,    NO,    NO,    NO),
    ("DrawDice",      "initiative", {"key": BOB},                                      "201", "201", NO,    NO,    NO),
    ("ApplyModifier", "initiative", {"key": BOB, "value": 10, "why": "sand"},          "201", NO,    NO,    NO,    NO),
    ("Overrule",      "attacked",   {"key": BOB, "figure": "score", "value": 9, "why": "no"}, "201", NO, NO, NO,  NO),
    ("Adjust",        "initiative", {"who": "bob", "what": "wounds", "value": 3, "why": "it fell"}, "201", NO, NO, NO, NO),
    ("PassTime",      "ended",      {"amount": 2, "unit": "hours"},                    "201", NO,    NO,    NO,    NO),
    ("Note",          "initiative", {"text": "rain"},                                  "201", "201", "201", "201", NO),
    ("Rewind",        "initiative", {"to": 3},                                         "201", NO,    NO,    NO,    NO),
    ("Amend",         "attacked",   {"entry": 5, "change": {"set": {"faces": [61]}}, "why": "a 61"}, "201", NO, NO, NO, NO),
    ("OpenDispute",   "attacked",   {"about": BOB, "why": "cocked"},                   "201", "201", "201", "201", NO),
    ("SettleDispute", "disputed",   {"dispute": "d1", "ruling": "upheld", "why": "it was"}, "201", NO, NO,  NO,    NO),
    ("GiveNonce",     "initiative", {"player": "kira", "nonce": "a share"},            NO,    "201", NO,    "201", NO),
    ("GiveNonce",     "initiative", {"player": "ben", "nonce": "a share"},             NO,    NO,    "201", NO,    NO),
    ("GiveNonce",     "initiative", {"player": "ben", "nonce": "a share", "agreed": True}, "201", NO, "201", NO,   NO),
    ("Reveal",        "attacked",   {},                                                "201", NO,    NO,    NO,    NO),
)  # fmt: skip
"""The answer of each command to each seat. A refused command of the gamemaster is refused by the rules."""

# ------------------------------------------------------------------------------------------------ a table with all of them

WHENS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "initiative": (),
    "ended": ({"type": "EndCombat"},),
    "ann's turn": ({"type": "TypeDice", "key": ANN, "faces": [87]}, {"type": "TypeDice", "key": BOB, "faces": [12]}),
    "bob's turn": ({"type": "TypeDice", "key": ANN, "faces": [12]}, {"type": "TypeDice", "key": BOB, "faces": [87]}),
}


def seated(server: Served, client: httpx.Client, when: str = "attacked") -> Table:
    """A session at some moment, with a token for every seat, some of them revoked."""
    table = Table(client, server.host, "kira", "ben", campaign="Autumn")
    for who, player in (("ann", "gm"), ("bob", "kira")):
        table.do({"type": "Join", "who": who, "sheet": SHEET, "player": player})
    table.do({"type": "BeginCombat"})
    for command in WHENS.get(when, WHENS["ann's turn"]):
        table.do(command)
    if when == "attacked":
        table.do({"type": "Join", "who": "eve", "sheet": SHEET, "player": "ben"})
        table.do({"type": "Declare", "by": "ann", **_ATTACK})
    if when == "disputed":
        table.do({"type": "OpenDispute", "about": BOB, "why": "cocked"})
    table.issued["narrowed"] = issue(table, "player", "kira", combatants=["somebody else"])
    for seat in ("gm", "player", "spectator"):
        table.issued[f"revoked {seat}"] = issued = issue(table, seat, "gm" if seat == "gm" else "kira")
        revoked = client.delete(f"{table.path}/tokens/{issued['id']}", headers=table.as_("gm"))
        assert revoked.status_code == 204
    return table


def issue(table: Table, seat: str, name: str, **more: Any) -> dict[str, Any]:
    asked = {"seat": seat, "name": name, **more}
    answer = table.client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked)
    assert answer.status_code == 201, answer.text
    issued: dict[str, Any] = answer.json()
    return issued


def flipped(token: str, at: int) -> str:
    """Returns a token with one letter changed."""
    return token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]


def tokens(server: Served, table: Table, other: Table) -> dict[str, str]:
    """The Authorization header of each seat and of each invalid caller; empty for none."""
    gm = table.issued["gm"]["token"]
    forger = Signer(("another key, as long as a key should be",))
    own: dict[str, Any] = msgspec.to_builtins(Signer(keys(server)).read(gm))
    shown = {seat: f"Bearer {issued['token']}" for seat, issued in table.issued.items()}
    return {
        **shown,
        "host": server.host["Authorization"],
        "nobody": "",
        "another scheme": f"Basic {gm}",
        "garbage": "Bearer rubbish",
        "flipped": f"Bearer {flipped(gm, 5)}",
        "flipped signature": f"Bearer {flipped(gm, gm.rindex('.') + 1)}",
        "another key": f"Bearer {forger.sign(msgspec.convert(own, Token))}",
        "a host of another key": f"Bearer {forger.host()}",
        "other gm": f"Bearer {other.issued['gm']['token']}",
    }


def keys(server: Served) -> tuple[str, ...]:
    return tuple((server.folder / "affray.keys").read_text().split())


@pytest.fixture(scope="module")
def other(server: Served, client: httpx.Client) -> Table:
    """Returns another session."""
    return Table(client, server.host)


def outcome(answer: httpx.Response) -> str:
    """Returns the status, and the slug of a refusal."""
    if answer.status_code < 400:
        return str(answer.status_code)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert ("www-authenticate" in answer.headers) == (answer.status_code == 401)
    return f"{answer.status_code} {problem['slug']}"


def written(server: Served, table: Table) -> tuple[Any, ...]:
    """Returns the contents of the ledger: this session's entries and tokens, and the sessions."""
    client, gm = table.client, table.as_("gm")
    sessions = client.get("/v1/sessions", headers=server.host, params={"limit": 1000})
    known = client.get(f"{table.path}/tokens", headers=gm)
    return table.get("state")["entries"], known.json(), len(sessions.json())


# ------------------------------------------------------------------------------------------------ routes


@pytest.fixture(scope="module")
def documented(client: httpx.Client) -> dict[str, tuple[str, str]]:
    """Returns the routes of the server: method and path by name."""
    paths = client.get("/schema/openapi.json").json()["paths"]
    found = [(one["operationId"], (method, path)) for path, each in paths.items() for method, one in each.items()]
    assert len(dict(found)) == len(found), "two routes of one name"
    return dict(found)


def test_every_route_that_the_server_has_is_in_the_table(documented: dict[str, tuple[str, str]]) -> None:
    assert set(documented) == set(ROUTES)


CORRECTION = {"entry": 6, "change": {"set": {"faces": [13]}}, "why": "misread"}
BODIES: Mapping[str, Mapping[str, Any]] = {
    "foundSession": {"ruleset": "gurps_3e"},
    "issueToken": {"seat": "spectator", "name": "zoe"},
    "createHook": {"address": "https://bot.example/"},
    "drawQrCode": {"text": "http://192.0.2.1:8040/#token=a"},
    "checkSheets": {"text": "init = 60\ndurability = 30\naptitudes = {som = 20}\nskills = {fray = 40}"},
    "archiveSession": {"why": "it is over"},
    "unarchiveSession": {},
    "perform": {"type": "Note", "text": "rain"},
    "sendLine": {"line": "note rain"},
    "understandLine": {"line": "attack bob"},
    "undo": {"why": "a slip"},
    "redo": {"why": "it was none"},
    "odds": {"declare": {"type": "Declare", "by": "ann", **_ATTACK}},
    "amend": CORRECTION,
    "previewAmend": CORRECTION,
    "whatIf": CORRECTION,
    "branch": {"changes": [{key: CORRECTION[key] for key in ("entry", "change")}]},
}
PLACES = {
    "campaign": "Autumn",
    "name": "eclipse_phase_1e",
    "table": "rulings",
    "chart": "attack",
    "sheet": "",
    "dispute": "d1",
}


class Caller:
    """Sends requests to routes by name."""

    def __init__(self, server: Served, table: Table, other: Table, documented: Mapping[str, tuple[str, str]]) -> None:
        self.table, self.shown, self._documented = table, tokens(server, table, other), documented
        sheets = table.client.get("/v1/rulesets/eclipse_phase_1e").json()["sheets"]
        hook = table.client.post(
            f"{table.path}/hooks", headers=table.as_("gm"), json={"address": "https://bot.example/"}
        ).json()
        self._exported = table.client.get(f"{other.path}/export", headers=other.as_("gm")).content
        self._places = {
            **PLACES,
            "sheet": sheets[0],
            "session": table.session,
            "token": table.issued["narrowed"]["id"],
            "hook": hook["id"],
        }

    def ask(self, route: str, seat: str) -> httpx.Response:
        method, path = self._documented[route]
        shown = self.shown[seat]
        options: dict[str, Any] = {"headers": {"Authorization": shown} if shown else {}}
        if route == "importSession":
            options["content"] = self._exported
        elif route in BODIES:
            options["json"] = BODIES[route]
        if route == "deleteSession":
            options["params"] = {"why": "the players asked"}
            options["headers"]["If-Match"] = "*"
        if route == "explain":
            options["params"] = {"of": ANN}
        with self.table.client.stream(method, path.format(**self._places), **options) as answer:
            if route != "feed" or answer.status_code >= 400:
                answer.read()
            return answer


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_answers_each_seat_as_the_table_says(
    server: Served, client: httpx.Client, other: Table, documented: dict[str, tuple[str, str]], route: str
) -> None:
    table = seated(server, client, "ann's turn")
    table.do({"type": "OpenDispute", "about": ANN, "why": "cocked"}, "kira")
    if route == "redo":
        table.do({"type": "Rewind", "to": table.get("state")["head"] - 1})
    caller = Caller(server, table, other, documented)
    expected = dict(zip(SEATED, ROUTES[route][0], strict=True)) | ROUTES[route][1]
    if route == "importSession":
        expected["host"] = (
            "409 session/exists"  # the session exists already here; on another server it would be imported
        )
    before = written(server, table)

    refused = {seat: outcome(caller.ask(route, seat)) for seat, each in expected.items() if each >= "4"}
    after = written(server, table)
    allowed = {seat: outcome(caller.ask(route, seat)) for seat, each in expected.items() if each < "4" and seat != "gm"}
    allowed |= {"gm": outcome(caller.ask(route, "gm"))} if expected["gm"] < "4" else {}

    assert refused | allowed == expected
    assert after == before


def test_what_the_documentation_says_of_refusals_is_what_the_table_says(client: httpx.Client) -> None:
    paths = client.get("/schema/openapi.json").json()["paths"]
    for each in itertools.chain.from_iterable(methods.values() for methods in paths.values()):
        seats, strangers = ROUTES[each["operationId"]]
        said = {word.split()[0] for word in (*seats, *strangers.values())}
        assert said <= set(each["responses"]), each["operationId"]


def test_the_documentation_is_open_to_everybody(client: httpx.Client) -> None:
    assert client.get("/schema/openapi.json").status_code == 200


def test_a_token_with_any_letter_changed_is_no_token(table: Table) -> None:
    token = table.issued["gm"]["token"]
    last = len(token) - 1  # two bits of the last letter are unused
    for at in range(last):
        for changed in (flipped(token, at), token[:at] + token[at + 1 :]):
            answer = table.client.get(f"{table.path}/state", headers={"Authorization": f"Bearer {changed}"})
            assert outcome(answer) == BAD, changed


# ------------------------------------------------------------------------------------------------ commands


def test_every_command_is_in_the_table() -> None:
    assert {row[0] for row in ASKED} == {command.__name__ for command in COMMANDS}


@pytest.mark.parametrize("row", ASKED, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_command_is_answered_to_each_seat_as_the_table_says(
    server: Served, client: httpx.Client, other: Table, row: Asked
) -> None:
    name, when, said, *outcomes = row
    expected = dict(zip(SEATED[1:], outcomes, strict=True))
    command = {"type": name, **said}
    table = seated(server, client, when)
    shown = tokens(server, table, other)

    def asked(table: Table, token: str) -> str:
        headers = {"Authorization": token} if token else {}
        return outcome(client.post(f"{table.path}/commands", headers=headers, json=command))

    before = written(server, table)
    refused = {seat: asked(table, shown[seat]) for seat, each in expected.items() if each >= "4"}
    strange = {seat: asked(table, shown[seat]) for seat in (*STRANGERS, "host")}
    after = written(server, table)
    allowed = {}
    for seat in (seat for seat, each in expected.items() if each < "4"):
        fresh = seated(server, client, when)
        allowed[seat] = asked(fresh, f"Bearer {fresh.issued[seat]['token']}")

    assert refused | allowed == expected
    assert strange == {**STRANGERS, "host": NO}
    assert after == before


# ------------------------------------------------------------------------------------------------ the feed


CLOSES: Mapping[str, tuple[int, str]] = {
    "host": (4403, "seat/not-allowed"), "nobody": (4400, "feed/greeting"), "garbage": (4401, "token/invalid"),
    "flipped": (4401, "token/invalid"), "flipped signature": (4401, "token/invalid"),
    "another key": (4401, "token/invalid"), "a host of another key": (4401, "token/invalid"),
    "other gm": (4403, "token/other-session"), **dict.fromkeys(REVOKED, (4401, "token/revoked")),
}  # fmt: skip


def feed(server: Served, session: str) -> str:
    return f"ws://127.0.0.1:{server.port}/v1/sessions/{session}/feed"


def heard(url: str, greeting: Any) -> Any:
    """Returns the number of the first entry; or the code and the reason of the close."""
    said = greeting if isinstance(greeting, str | bytes) else msgspec.json.encode(greeting).decode()
    with connect(url) as socket:
        socket.send(said)
        try:
            return msgspec.json.decode(socket.recv(timeout=30))["seq"]
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code, closed.rcvd.reason


@pytest.fixture(scope="module")
def caller(server: Served, client: httpx.Client) -> Table:
    """Returns a table that no test changes."""
    return seated(server, client)


@pytest.mark.parametrize("seat", CLOSES)
def test_whoever_may_not_listen_hears_why_as_the_connection_closes(
    server: Served, caller: Table, other: Table, seat: str
) -> None:
    token = tokens(server, caller, other)[seat].removeprefix("Bearer ")
    assert heard(feed(server, caller.session), {"token": token} if token else {}) == CLOSES[seat]


@pytest.mark.parametrize("seat", [seat for seat in SEATED if seat != "host"])
def test_everybody_at_the_table_may_listen(server: Served, caller: Table, other: Table, seat: str) -> None:
    token = tokens(server, caller, other)[seat].removeprefix("Bearer ")
    assert heard(feed(server, caller.session), {"token": token, "after": 2}) == 3


def test_nobody_can_listen_to_a_session_that_is_not_there(server: Served, caller: Table, other: Table) -> None:
    nowhere = Signer(keys(server)).sign(msgspec.convert({"id": "1", "seat": "gm", "session": "nowhere"}, Token))
    assert heard(feed(server, "nowhere"), {"token": nowhere}) == (4404, "session/unknown")


@pytest.mark.parametrize(
    "greeting",
    [
        "", "{", "[]", "null", "7", '"token"', '{"token": 7}', '{"token": null}', '{"token": "a", "after": -1}',
        '{"token": "a", "after": 1.5}', '{"token": "a", "after": "1"}', '{"token": "a", "after": 1e30}',
        '{"token": "a", "beyond": 1}', b"\xff", b"{}", "[" * 10_000,
    ],
)  # fmt: skip
def test_a_first_message_that_is_no_greeting_closes_the_connection(
    server: Served, caller: Table, greeting: str | bytes
) -> None:
    assert heard(feed(server, caller.session), greeting) == (4400, "feed/greeting")


def test_a_caller_is_told_whose_token_it_is(brawl: Table, server: Served) -> None:
    def me(headers: dict) -> dict:
        answer = brawl.client.get("/v1/me", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert me(server.host)["seat"] == "host"
    assert "session" not in me(server.host)
    session = brawl.path.rpartition("/")[2]
    kira = me(brawl.as_("kira"))
    assert (kira["seat"], kira["name"], kira["session"], kira["combatants"]) == ("player", "kira", session, ["bob"])
    assert "combatants" not in me(brawl.as_("gm"))
    assert brawl.client.get("/v1/me").status_code == 401
    revoked = brawl.client.delete(f"{brawl.path}/tokens/{brawl.issued['ben']['id']}", headers=brawl.as_("gm"))
    assert revoked.status_code == 204
    assert brawl.client.get("/v1/me", headers=brawl.as_("ben")).json()["slug"] == "token/revoked"
