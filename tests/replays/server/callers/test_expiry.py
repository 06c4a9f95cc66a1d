"""Tokens that expire and are renewed: valid to the second, in every way in; a token and what it is renewed by are revoked as one."""

import json
import threading
import time
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.processes import PATIENCE, Served, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.server.callers.tokens import (
    BadToken,
    Expired,
    Issued,
    NeverExpires,
    Revoked,
    Scope,
    Signer,
    Token,
    Tokens,
    check,
)
from replays.sessions import ports

KEYS = ("k" * 40,)


class Clock:
    """The time of the tests, in seconds since 1970."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_700_000_000.0
        monkeypatch.setattr(ports, "seconds", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def made() -> tuple[MemoryStore, Tokens, str]:
    store = MemoryStore()
    return store, Tokens(Signer(KEYS), store), Session.create(store, ruleset="gurps_3e").id


def test_a_token_is_valid_until_the_second_at_which_it_expires(clock: Clock) -> None:
    store, tokens, session = made()
    issued = tokens.issue(session, Scope.PLAYER, "kira", lifetime=60)
    assert issued.expires == "2023-11-14T22:14:20Z"
    clock.now += 59.9
    check(store, tokens.signer.read(issued.token))
    clock.now += 0.1
    with pytest.raises(Expired) as refusal:
        tokens.signer.read(issued.token)
    assert "2023-11-14T22:14:20Z" in refusal.value.message
    with pytest.raises(Expired):
        Signer(KEYS).read(issued.token)  # which has not read it before


def test_a_token_of_an_older_affray_does_not_expire(clock: Clock) -> None:
    signer = Signer(KEYS)
    old = signer._signer.dumps({"id": "a", "seat": "gm", "session": "S", "name": "gm", "combatants": None})
    clock.now += 1e9
    assert signer.read(str(old)) == Token("a", Scope.GM, "S", "gm")


def test_a_renewed_token_lasts_as_long_as_the_first_one_did(clock: Clock) -> None:
    _, tokens, session = made()
    first = tokens.issue(session, Scope.PLAYER, "kira", ("bob",), lifetime=60)
    clock.now += 40
    second = tokens.renew(tokens.signer.read(first.token))
    assert (second.seat, second.name, second.combatants) == (first.seat, first.name, first.combatants)
    assert second.expires == "2023-11-14T22:15:00Z"
    clock.now += 30
    with pytest.raises(Expired):
        tokens.signer.read(first.token)
    third = tokens.renew(tokens.signer.read(second.token))
    clock.now += 59
    assert third.id == first.id
    with pytest.raises(NeverExpires):
        tokens.renew(tokens.signer.read(tokens.issue(session, Scope.GM, "gm").token))


def test_a_token_that_was_signed_and_never_issued_is_not_renewed(clock: Clock) -> None:
    _, tokens, session = made()
    forged = Token("f", Scope.GM, session, "gm", expires=int(clock.now) + 60, lifetime=60)
    with pytest.raises(BadToken):
        tokens.renew(forged)


STEPS = st.lists(st.tuples(st.sampled_from(["issue", "renew", "revoke", "wait"]), st.integers(0, 5)), max_size=25)


@given(STEPS)
def test_a_token_is_valid_exactly_while_a_plain_model_says_so(steps: list[tuple[str, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(patch)
        store, tokens, session = made()
        issued: list[tuple[Issued, int, float | None]] = []  # each with its line, and when it expires
        ended: set[int] = set()

        def is_valid(one: tuple[Issued, int, float | None]) -> bool:
            try:
                check(store, tokens.signer.read(one[0].token))
            except (Expired, Revoked):
                return False
            return True

        for what, number in steps:
            if what == "issue":
                lifetime = None if number == 0 else 60 * number
                token = tokens.issue(session, Scope.PLAYER, "kira", lifetime=lifetime)
                issued.append((token, len(issued), None if lifetime is None else clock.now + lifetime))
            elif what == "wait":
                clock.now += 30 * number
            elif issued:
                one, line, expires = issued[number % len(issued)]
                if what == "revoke":
                    tokens.revoke(session, one.id)
                    ended.add(line)
                elif expires is not None and clock.now < expires and line not in ended:
                    renewed = tokens.renew(tokens.signer.read(one.token))
                    lifetime = tokens.signer.read(renewed.token).lifetime
                    issued.append((renewed, line, clock.now + lifetime))
            for each in issued:
                lasts = each[2] is None or clock.now < each[2]
                assert is_valid(each) == (lasts and each[1] not in ended)
        listed = {token.id: revoked for token, revoked in tokens.issued(session)}
        assert listed == {one.id: line in ended for one, line, _ in issued}
        assert {one.id for one, _, _ in issued} == set(listed)


@pytest.mark.parametrize("_", range(20))
def test_no_renewal_survives_the_revocation_that_it_races(_: int) -> None:
    store, tokens, session = made()
    first = tokens.issue(session, Scope.PLAYER, "kira", lifetime=600)
    renewed: list[Issued] = []

    def renew() -> None:
        try:
            for _ in range(20):
                renewed.append(tokens.renew(tokens.signer.read(first.token)))
        except Revoked:
            return

    thread = threading.Thread(target=renew)
    thread.start()
    tokens.revoke(session, first.id)
    thread.join()
    for one in renewed:
        with pytest.raises(Revoked):
            check(store, tokens.signer.read(one.token))


# ------------------------------------------------------------------------------------------------ over HTTP


def test_tokens_expire_where_it_is_asked_and_are_renewed(server: Served, client: httpx.Client, table: Table) -> None:
    asked = {"seat": "player", "name": "zoe", "expires_in": 3600}
    issued = client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked).json()
    header = {"Authorization": f"Bearer {issued['token']}"}
    me = client.get("/v1/me", headers=header).json()
    assert me["expires"] == issued["expires"]
    time.sleep(1.1)
    renewed = client.post("/v1/me/token", headers=header)
    assert renewed.status_code == 201, renewed.text
    assert renewed.json()["expires"] > issued["expires"]
    assert (renewed.json()["name"], renewed.json()["seat"]) == ("zoe", "player")
    known = {
        one["id"]: one["expires"] for one in table.client.get(f"{table.path}/tokens", headers=table.as_("gm")).json()
    }
    assert renewed.json()["id"] == issued["id"]
    assert known[issued["id"]] == issued["expires"]
    assert known[table.issued["gm"]["id"]] is None
    client.delete(f"{table.path}/tokens/{issued['id']}", headers=table.as_("gm"))
    answer = client.get("/v1/me", headers={"Authorization": f"Bearer {renewed.json()['token']}"})
    assert (answer.status_code, answer.json()["slug"]) == (401, "token/revoked")


@pytest.mark.parametrize("seconds", [0, 59, 1e12, "soon", -5])
def test_a_lifetime_that_makes_no_sense_is_refused(client: httpx.Client, table: Table, seconds: object) -> None:
    asked = {"seat": "player", "name": "zoe", "expires_in": seconds}
    answer = client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked)
    assert answer.status_code == 400
    assert "expires_in" in answer.text


def test_all_tokens_of_a_session_may_expire(server: Served, client: httpx.Client) -> None:
    new = {"ruleset": "gurps_3e", "players": ["kira"], "tokens_expire_in": 86_400}
    tokens = client.post("/v1/sessions", headers=server.host, json=new).json()["tokens"]
    assert len({one["expires"] for one in tokens} - {None}) in (1, 2)
    assert len(tokens) == 3


def test_a_feed_ends_when_its_token_expires_and_requests_are_refused(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host)
        signer = Signer(tuple((tmp_path / "affray.keys").read_text().split()))
        token = Token("soon", Scope.GM, table.session, "gm", expires=int(time.time()) + 3, lifetime=3)
        header = {"Authorization": f"Bearer {signer.sign(token)}"}
        with connect(f"ws://127.0.0.1:{server.port}{table.path}/feed") as reader:
            reader.send(json.dumps({"token": signer.sign(token)}))
            reader.recv(timeout=PATIENCE)
            with client.stream("GET", f"{table.path}/feed", headers=header) as events:
                heard = "".join(events.iter_text())
            assert "event: refused" in heard
            assert "token/expired" in heard
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    reader.recv(timeout=PATIENCE)
            assert closed.value.rcvd is not None
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4401, "token/expired")
        assert token.expires is not None
        assert token.expires <= time.time() < token.expires + 4, "at that time, not with the next sign of life"
        for path in ("/v1/me", f"{table.path}/state", f"{table.path}/feed"):
            answer = client.get(path, headers=header)
            assert (answer.status_code, answer.json()["slug"]) == (401, "token/expired")
            assert "www-authenticate" in answer.headers


def test_a_renewed_token_shares_the_rate_of_the_old_one(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "2") as server, server.client() as client:
        table = Table(client, server.host)
        asked = {"seat": "spectator", "name": "eve", "expires_in": 3600}
        token = client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked).json()["token"]
        for _ in range(100):
            answer = client.post("/v1/me/token", headers={"Authorization": f"Bearer {token}"})
            if answer.status_code == 429:
                break
            token = answer.json()["token"]
        assert answer.status_code == 429
