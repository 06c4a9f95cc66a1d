"""What is hidden from a seat is in no byte that the server sends to it, by any route; after its disclosure it is."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
import pytest
from server.processes import SHEET, Served, Table
from websockets.sync.client import connect

VILLAIN: Mapping[str, Any] = {
    "init": 61, "durability": 739, "aptitudes": {"som": 23}, "skills": {"fray": 47, "clubs": 67, "blades": 73},
    "weapons": {
        "stick": {"kind": "melee", "skill": "clubs", "damage": "2d10+317"},
        "moonblade": {"kind": "melee", "skill": "blades", "damage": "1d10+419"},
    },
}  # fmt: skip
ATTACK = "r1/villain/a1/attack"
HIT, DAMAGE = f"{ATTACK}/to-hit", f"{ATTACK}/damage"

WHO = ("villain", "bob", "cem", "dan")

SHEETS = ("739", "67", "73", "47", "moonblade", "1d10+419")
"""What only the villain's sheet contains: durability, skills, an unused weapon."""
DICE = (("r1/villain/initiative", (98,)), (HIT, (53,)), (DAMAGE, (7, 6)))
"""What the gamemaster rolls in secret."""
ROLLED = ("[98]", "[53]", "[7,6]", "98", "53", "INIT 61")
OPEN = {
    "r1/bob/initiative": 20,
    "r1/cem/initiative": 2,
    "r1/dan/initiative": 3,
    f"{ATTACK}/defend": 99,
    f"{ATTACK}/knockdown": 99,
}
FOR_BOB, FOR_CEM, FOR_DAN, OURS, RUSE, WRONG = "hush-bob", "hush-cem", "hush-dan", "hush-us", "hush-ruse", "hush-wrong"
SECRETS = (*SHEETS, *ROLLED, FOR_BOB, FOR_CEM, FOR_DAN, OURS, RUSE, WRONG)
PATTERNS = {secret: re.compile(rf"(?<![\w.:+-]){re.escape(secret)}(?![\w.:-])") for secret in SECRETS}
"""A number counts only by itself: not within a time, a digest or an id."""
THEIRS = {
    "kira": {FOR_BOB, FOR_DAN}, "ben": {FOR_CEM}, "dan's": {FOR_DAN}, "cem's": set[str](), "spectator": set[str](),
}  # fmt: skip
"""What is disclosed to each seat; `cem` is a token of Kira's for Cem, who is not hers."""


# ------------------------------------------------------------------------------------------------ a tale with secrets


def tale(client: httpx.Client, host: Mapping[str, str]) -> Table:
    """Plays the fight: the villain's sheet and dice are secret; Bob and Dan are Kira's, Cem is Ben's. Bob strikes back."""
    table = Table(client, host, "kira", "ben")
    table.do({"type": "Join", "who": "villain", "sheet": VILLAIN, "sheet_seen_by": []})
    for who, player in (("bob", "kira"), ("cem", "ben"), ("dan", "kira")):
        table.do({"type": "Join", "who": who, "sheet": {**SHEET, "durability": 900}, "player": player})
    table.do({"type": "BeginCombat"})
    play(table, until="r1/villain/p1/act")
    table.do({"type": "Declare", "kind": "attack", "by": "villain", "terms": {"at": "bob", "using": "stick"}})
    play(table, until="r1/villain/p1/act/2")
    table.do({"type": "ApplyModifier", "key": HIT, "value": -1, "why": WRONG})
    table.do({"type": "Choose", "key": "r1/villain/p1/act/2", "option": "end"})
    play(table, until="r1/bob/p1/act")
    table.do({"type": "Declare", "kind": "attack", "by": "bob", "terms": {"at": "villain", "using": "fist"}}, "kira")
    table.do({"type": "Choose", "key": "r1/bob/a1/attack/defense", "option": "fray", "seen_by": []})
    for text, seen_by in ((FOR_BOB, ["bob"]), (FOR_CEM, ["cem"]), (FOR_DAN, ["dan"]), (OURS, [])):
        table.do({"type": "Note", "text": text, "seen_by": seen_by})
    table.do({"type": "OpenDispute", "about": HIT, "why": "it was cocked"}, "kira")
    table.do({"type": "OpenDispute", "about": HIT, "why": RUSE, "seen_by": []})
    for name, only in (("dan's", ["dan"]), ("cem's", ["cem"])):
        answer = client.post(
            f"{table.path}/tokens", headers=table.as_("gm"), json={"seat": "player", "name": "kira", "combatants": only}
        )
        table.issued[name] = answer.json()
    return table


def play(table: Table, until: str) -> None:
    """Answers all rolls and choices until it is a combatant's turn."""
    secret = dict(DICE)
    for _ in range(12):
        rest = table.get("rests")[0]
        key = rest["key"]
        if key == until:
            return
        if key in secret:
            table.do({"type": "TypeDice", "key": key, "faces": list(secret[key]), "seen_by": []})
        elif "dice" in rest:
            table.do({"type": "TypeDice", "key": key, "faces": [OPEN[key]]})
        else:
            table.do({"type": "Choose", "key": key, "option": rest["options"][0]["option"]})
    raise AssertionError(f"it never came to {until}")


@pytest.fixture(scope="module")
def veiled(server: Served, client: httpx.Client) -> Table:
    """Returns the story up to that point; nothing more is written."""
    return tale(client, server.host)


@pytest.fixture(scope="module")
def wounded(server: Served, client: httpx.Client) -> Table:
    """Damages the villain, which all see."""
    table = Table(client, server.host, "kira")
    table.do({"type": "Join", "who": "villain", "sheet": {**VILLAIN, "moxie": 7}, "sheet_seen_by": []})
    table.do({"type": "Join", "who": "bob", "sheet": SHEET, "player": "kira"})
    table.do({"type": "Adjust", "who": "villain", "what": "tracks.damage", "value": 10, "why": "a fall"})
    table.do({"type": "Adjust", "who": "villain", "what": "resources.moxie", "value": 3, "why": "luck"})
    table.do({"type": "OpenDispute", "about": "villain.damage", "why": "so much?"}, "kira")
    return table


@pytest.mark.parametrize("seat", ["kira", "spectator"])
@pytest.mark.parametrize("what", ["why?of=villain.damage", "why?of=villain.moxie", "disputes/d1"])
def test_what_became_of_somebody_is_explained_without_their_sheet(wounded: Table, what: str, seat: str) -> None:
    told = wounded.client.get(f"{wounded.path}/{what}", headers=wounded.as_(seat))
    assert told.status_code == 200
    assert "739" not in told.text
    assert "of 7" not in told.text
    assert "739" in str(wounded.get("why", of="villain.damage"))


@pytest.mark.parametrize("seat", ["kira", "spectator"])
def test_what_is_wrong_about_a_secret_sheet_is_not_told_by_the_odds_of_it(wounded: Table, seat: str) -> None:
    answers = set()
    for weapon in ("nothing", "stick", "moonblade"):
        declared = {"type": "Declare", "kind": "attack", "by": "villain", "terms": {"at": "bob", "using": weapon}}
        told = wounded.client.post(f"{wounded.path}/odds", headers=wounded.as_(seat), json={"declare": declared})
        assert told.status_code == 422
        assert "blade" not in told.text.replace(weapon, "")
        answers.add(told.text.replace(weapon, ""))
    assert len(answers) == 1


# ------------------------------------------------------------------------------------------------ reading everything


def answers(server: Served, table: Table, seat: str) -> Iterator[tuple[str, bytes]]:
    """Yields what the server sends to a seat, by every route that reads, and by refusals."""
    client, headers = table.client, table.as_(seat)
    last = table.get("state")["entries"]
    keys = sorted(set(re.findall(r"r1/[\w/-]+", client.get(f"{table.path}/entries", headers=table.as_("gm")).text)))
    assert HIT in keys
    subjects = [*keys, *(f"{who}.{what}" for who in WHO for what in ("damage", "wounds", "initiative", "nothing")), "?"]
    reads: list[tuple[str, dict[str, Any]]] = [
        *((what, {}) for what in ("state", "rests", "options", "luck", "recap", "audit", "export", "tokens", "outline")),
        *((f"disputes{which}", {}) for which in ("", "/d1", "/d2", "/d3")),
        *(("state", {"at": at}) for at in range(1, last + 2)),
        *(("entries", {"after": after}) for after in range(last + 1)),
        *(("why", {"of": of}) for of in subjects),
        *(("why", {"of": of, "at": last // 2}) for of in subjects),
        *(("steps", {"after": after, "limit": 5}) for after in range(0, last + 1, 3)),
    ]  # fmt: skip
    for what, query in reads:
        yield f"GET {what} {query}", client.get(f"{table.path}/{what}", headers=headers, params=query).content
    lines = {**headers, "Accept": "application/jsonl"}
    yield "GET entries as lines", client.get(f"{table.path}/entries", headers=lines).content
    for what, body in asked(keys):
        answer = client.post(f"{table.path}/{what}", headers=headers, json=body)
        assert answer.status_code == 200 or answer.status_code >= 400, answer.text
        yield f"POST {what} {body}", answer.content
    yield "events", events(table, seat, last)
    yield "WebSocket", socket(server, table, seat, last)


def asked(keys: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the answers of requests that write nothing: odds, and what is refused to all seats."""
    for key in (None, *keys, "?"):
        yield "odds", {"key": key}
    for by, at, using in itertools.product(WHO, WHO, ("fist", "moonblade", "nothing", 7)):
        declared = {"type": "Declare", "kind": "attack", "by": by, "terms": {"at": at, "using": using}}
        yield "odds", {"declare": declared}
        yield "commands", declared
    for key in (*keys, "?"):
        yield "commands", {"type": "TypeDice", "key": key, "faces": [101]}
        yield "commands", {"type": "Choose", "key": key, "option": "nothing"}
        yield "commands", {"type": "Overrule", "key": key, "figure": "nothing", "value": 1, "why": "no"}
        yield "commands", {"type": "OpenDispute", "about": f"{key}?", "why": "no"}
        yield "amend/preview", {"entry": key, "change": {"set": {"nothing": 1}}, "why": "no"}
        yield "what-if", {"entry": key, "change": {}, "why": "no"}
        yield "branches", {"changes": [{"entry": key, "change": {}}]}
    for who in WHO:
        yield "commands", {"type": "Adjust", "who": who, "what": "nothing", "value": 1, "why": "no"}
        yield "commands", {"type": "Join", "who": who, "sheet": {}}
    for number in range(40):
        yield "amend", {"entry": number + 1, "change": {"set": {"nothing": 1}}, "why": "no"}
    for dispute in ("d1", "d2", "d3"):
        yield "commands", {"type": "SettleDispute", "dispute": dispute, "ruling": "nothing", "why": "no"}


def events(table: Table, seat: str, last: int) -> bytes:
    """Returns the feed as Server-Sent Events, up to an entry."""
    heard = b""
    with table.client.stream("GET", f"{table.path}/feed", headers=table.as_(seat)) as answer:
        for chunk in answer.iter_bytes():
            heard += chunk
            if b"id: %d\n" % last in heard and heard.endswith(b"\n\n"):
                return heard
    raise AssertionError("it ended")


def socket(server: Served, table: Table, seat: str, last: int) -> bytes:
    """Returns the feed over a WebSocket, up to an entry."""
    with connect(f"ws://127.0.0.1:{server.port}{table.path}/feed") as listening:
        listening.send(f'{{"token": "{table.issued[seat]["token"]}"}}')
        return b"\n".join(str(listening.recv(timeout=30)).encode() for _ in range(last))


def told(server: Served, table: Table, seat: str) -> dict[str, set[str]]:
    """Returns the secrets that a seat receives, each with the answers that contain it."""
    found: dict[str, set[str]] = {}
    for where, content in answers(server, table, seat):
        asked, text = where.encode(), content.decode()
        for secret, pattern in PATTERNS.items():
            if pattern.search(text) and not pattern.search(asked.decode()):
                found.setdefault(secret, set()).add(where)
    return found


@pytest.mark.parametrize("seat", THEIRS)
def test_no_answer_tells_a_seat_what_is_not_theirs(server: Served, veiled: Table, seat: str) -> None:
    before = veiled.get("state")["digest"]
    found = told(server, veiled, seat)
    assert {secret: where for secret, where in found.items() if secret not in THEIRS[seat]} == {}
    assert set(found) == THEIRS[seat]
    assert veiled.get("state")["digest"] == before


def test_the_gamemaster_sees_all_that_is_hidden(server: Served, veiled: Table) -> None:
    assert set(told(server, veiled, "gm")) == set(SECRETS)


# ------------------------------------------------------------------------------------------------ disclosure


def entry_of(table: Table, kind: str, **fields: Any) -> int:
    """Returns the entry of a command."""
    wanted = {"type": kind, **fields}.items()
    return next(int(entry["seq"]) for entry in table.get("entries") if wanted <= entry["command"].items())


@pytest.fixture
def unveiled(server: Served, client: httpx.Client) -> Table:
    """Returns the story up to that point, for a test that continues it."""
    return tale(client, server.host)


def test_a_sheet_that_is_revealed_is_told_to_everybody(server: Served, unveiled: Table) -> None:
    unveiled.do({"type": "Reveal", "entry": entry_of(unveiled, "Join", who="villain")})
    assert {"739", "moonblade", "1d10+419"} <= set(told(server, unveiled, "spectator"))


def test_a_roll_that_is_revealed_to_some_is_told_to_them_alone(server: Served, unveiled: Table) -> None:
    unveiled.do({"type": "Reveal", "entry": entry_of(unveiled, "TypeDice", key=HIT), "to": ["bob"]})
    for seat in ("kira", "dan's", "spectator"):
        more = {"[53]", "53"} if seat == "kira" else set[str]()
        assert set(told(server, unveiled, seat)) == THEIRS[seat] | more, seat


def test_what_is_revealed_comes_over_the_feed_and_where_it_is_read_again(server: Served, unveiled: Table) -> None:
    assert "hush-us" not in events(unveiled, "spectator", 9).decode()
    unveiled.do({"type": "Reveal", "entry": entry_of(unveiled, "Note", text=OURS)})
    last = unveiled.get("state")["entries"]
    assert OURS in events(unveiled, "spectator", last).decode()
    assert OURS.encode() in socket(server, unveiled, "ben", last)
    assert OURS in unveiled.client.get(f"{unveiled.path}/export", headers=unveiled.as_("spectator")).text


def test_a_players_own_command_is_answered_with_what_they_may_see(unveiled: Table) -> None:
    """her roll is the last that the exchange waits for: the villain's events are in the same entry"""
    table = unveiled
    table.do({"type": "TypeDice", "key": "r1/bob/a1/attack/defend", "faces": [98], "seen_by": []})
    rolled = table.ask(
        {"type": "TypeDice", "key": "r1/bob/a1/attack/to-hit", "faces": [11]}, "kira", Idempotency_Key="k"
    )
    repeated = table.ask(
        {"type": "TypeDice", "key": "r1/bob/a1/attack/to-hit", "faces": [11]}, "kira", Idempotency_Key="k"
    )
    noted = table.ask({"type": "Note", "text": "well", "seen_by": []}, "kira")
    for answer in (rolled, repeated, noted):
        assert answer.status_code == 201
        assert [secret for secret, pattern in PATTERNS.items() if pattern.search(answer.text)] == []
    assert "well" not in noted.text
    assert rolled.json()["entries"] == repeated.json()["entries"]
