"""Tokens are issued, listed, revoked at once, and valid with an older key as long as the server has it."""

import os
import stat
from pathlib import Path

import httpx
import pytest
from server.processes import Served, Table, served

from ledger.stores.memory import MemoryStore
from replays.server.callers.keys import BadKeys, signing_keys
from replays.server.callers.tokens import BadToken, NoSuchSeat, Scope, Signer, Tokens

OLD, NEW = "o" * 40, "n" * 40


def test_a_token_is_believed_by_whoever_has_its_key_and_by_nobody_else() -> None:
    text = Signer([OLD]).host()
    assert Signer([OLD, NEW]).read(text).seat is Scope.HOST
    with pytest.raises(BadToken):
        Signer([NEW]).read(text)


@pytest.mark.parametrize("place", [0, 5, -5, -1])
def test_a_token_of_which_one_letter_is_another_is_none(place: int) -> None:
    text = Signer([OLD]).host()
    letter = "A" if text[place] not in "ABCD" else "z"  # the two lowest bits of the last letter are unused
    changed = text[:place] + letter + text[place:][1:]
    with pytest.raises(BadToken):
        Signer([OLD]).read(changed)


def test_nobody_may_be_a_player_called_gm_whose_combatants_are_the_gamemasters(server: Served) -> None:
    store = MemoryStore()
    store.create("doors")
    with pytest.raises(NoSuchSeat):
        Tokens(Signer([OLD]), store).issue("doors", Scope.PLAYER, "gm")
    with server.client() as client:
        before = client.get("/v1/sessions", headers=server.host, params={"limit": 1000}).json()
        asked = {"ruleset": "eclipse_phase_1e", "players": ["gm"]}
        refused = client.post("/v1/sessions", headers=server.host, json=asked)
        assert (refused.status_code, refused.json()["slug"]) == (422, "token/seat")
        assert client.get("/v1/sessions", headers=server.host, params={"limit": 1000}).json() == before


def test_tokens_are_listed_without_what_makes_them_tokens(table: Table) -> None:
    listed = table.get("tokens")
    assert {(one["seat"], one["name"]) for one in listed} == {
        ("gm", "gm"), ("spectator", "spectator"), ("player", "kira"), ("player", "ben"),
    }  # fmt: skip
    assert not any("token" in one or one["revoked"] for one in listed)


def test_a_revoked_token_is_good_for_nothing_any_more_and_stays_listed(table: Table) -> None:
    kira = table.issued["kira"]["id"]
    revoked = table.client.delete(f"{table.path}/tokens/{kira}", headers=table.as_("gm"))
    assert revoked.status_code == 204
    refused = table.client.get(f"{table.path}/state", headers=table.as_("kira"))
    assert (refused.status_code, refused.json()["slug"]) == (401, "token/revoked")
    assert [one["name"] for one in table.get("tokens") if one["revoked"]] == ["kira"]
    again = table.client.delete(f"{table.path}/tokens/{kira}", headers=table.as_("gm"))
    assert again.status_code == 204


def test_no_token_is_in_the_logs_or_in_any_url(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        table.get("state", "kira")
        client.get(f"{table.path}/state", headers={"Authorization": "Bearer nonsense-nonsense"})
        client.get(f"{table.path}/state", params={"token": table.issued["kira"]["token"]})
        tokens = [one["token"] for one in table.issued.values()]
    log = server.log()
    assert "/v1/sessions/{session" in log
    assert not any(token in log or token[:20] in log for token in [*tokens, "nonsense-nonsense"])
    assert all({"event", "level", "timestamp"} <= set(line) for line in server.lines())


def test_a_new_key_signs_while_the_older_is_still_believed(tmp_path: Path) -> None:
    keys = tmp_path / "affray.keys"
    with served(tmp_path) as server, server.client() as client:
        table = Table(client, server.host)
        with keys.open("a") as file:
            file.write(NEW + "\n")
    with served(tmp_path) as server, server.client() as client:
        assert client.get(f"{table.path}/state", headers=table.as_("gm")).status_code == 200
    keys.write_text(NEW + "\n")
    with served(tmp_path) as server, server.client() as client:
        assert client.get(f"{table.path}/state", headers=table.as_("gm")).status_code == 401


def test_a_session_that_was_founded_under_an_older_key_is_found_again(tmp_path: Path) -> None:
    keys, asked = tmp_path / "affray.keys", {"ruleset": "eclipse_phase_1e", "title": "A brawl"}

    def found(server: Served, key: str, **others: str) -> httpx.Response:
        with server.client() as client:
            headers = {**server.host, "Idempotency-Key": key}
            return client.post("/v1/sessions", headers=headers, json={**asked, **others})

    with served(tmp_path) as server:
        first = found(server, "once").json()["session"]
        with keys.open("a") as file:
            file.write(NEW + "\n")
    with served(tmp_path) as server:
        assert found(server, "once").json()["session"] == first
        assert found(server, "once", title="Another").json()["slug"] == "log/key-reused"
        assert found(server, "twice").json()["session"] == found(server, "twice").json()["session"] != first
        with server.client() as client:
            assert len(client.get("/v1/sessions", headers=server.host).json()) == 2


# ------------------------------------------------------------------------------------------------ keys


def test_keys_are_made_where_there_are_none_and_only_for_their_owner(tmp_path: Path) -> None:
    file = tmp_path / "affray.keys"
    made = signing_keys(file, create=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert signing_keys(file) == made


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_keys_that_others_can_read_are_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "affray.keys"
    signing_keys(file, create=True)
    file.chmod(mode)
    with pytest.raises(BadKeys) as refused:
        signing_keys(file)
    assert "600" in refused.value.accepts


@pytest.mark.parametrize("text", ["", "\n\n", "short\n", OLD + "\nshort\n"])
def test_keys_that_are_missing_or_too_short_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "affray.keys"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(BadKeys):
        signing_keys(file)


def test_keys_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_KEYS", f"{OLD}, {NEW}")
    assert signing_keys(tmp_path / "none") == (OLD, NEW)
    monkeypatch.setenv("AFFRAY_KEYS", "short")
    with pytest.raises(BadKeys):
        signing_keys(tmp_path / "none")
    assert not os.path.exists(tmp_path / "none")


def test_a_host_founds_and_lists_and_sits_at_no_table(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host)
    listed = client.get("/v1/sessions", headers=server.host, params={"limit": 1000}).json()
    assert listed[0]["session"] == table.session
    refused = client.get(f"{table.path}/state", headers=server.host)
    assert (refused.status_code, refused.json()["slug"]) == (403, "seat/not-allowed")
    assert client.get("/v1/sessions", headers=table.as_("gm")).status_code == 403


def test_a_token_for_some_combatants_is_answered_as_the_first_time_where_it_asks_again(server: Served) -> None:
    with server.client() as client:
        table = Table(client, server.host, "kira")
        sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
        for who, player in (("ann", "gm"), ("bob", "kira")):
            table.do({"type": "Join", "who": who, "sheet": sheet, "player": player})
        table.do({"type": "BeginCombat"})
        asked = {"seat": "player", "name": "kira", "combatants": ["bob"]}
        issued = client.post(f"{table.path}/tokens", headers=table.as_("gm"), json=asked).json()
        headers = {"Authorization": f"Bearer {issued['token']}", "Idempotency-Key": "k"}
        rolled = {"type": "TypeDice", "key": "r1/bob/initiative", "faces": [50]}

        first = client.post(f"{table.path}/commands", headers=headers, json=rolled)
        again = client.post(f"{table.path}/commands", headers=headers, json=rolled)
        others = {**rolled, "key": "r1/ann/initiative"}
        refused = client.post(f"{table.path}/commands", headers={**headers, "Idempotency-Key": "j"}, json=others)

    assert first.status_code == again.status_code == 201, again.text
    assert again.json()["entries"] == first.json()["entries"]
    assert (refused.status_code, refused.json()["detail"]) == (403, "only bob may be played from here")
