"""A fight over HTTP, from creating the session to the last blow."""

import json
from pathlib import Path

import httpx
import pytest
from server import faults_beat
from server.processes import PATIENCE, Served, Table, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from replays.views.merge_patch import patched


def test_a_session_is_founded_with_a_token_for_every_seat(server: Served, client: httpx.Client) -> None:
    table = Table(client, server.host, "kira")
    assert set(table.issued) == {"gm", "spectator", "kira"}
    assert table.get("state", "spectator")["title"] == "A brawl"


def test_a_command_is_answered_with_its_entry_and_what_the_table_waits_for(brawl: Table) -> None:
    done = brawl.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
    assert [entry["command"]["type"] for entry in done["entries"]] == ["Declare"]
    declared = next(event for event in done["entries"][0]["events"] if event["type"] == "Declared")
    assert (declared["key"], declared["by"]) == ("r1/ann/a1/attack", "ann")
    assert done["rests"][0]["by"] == "bob"
    assert done["last"] == done["head"] == 7


def test_a_player_sees_what_came_of_their_own_command(brawl: Table) -> None:
    brawl.get("state", "kira")
    brawl.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
    done = brawl.do({"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}, "kira")
    assert [rest["key"] for rest in done["rests"]] == ["r1/ann/a1/attack/to-hit"]
    assert brawl.get("rests", "kira") == brawl.get("rests", "gm")


def test_the_reason_of_an_undo_in_secret_is_sent_to_the_gamemaster_alone(brawl: Table) -> None:
    brawl.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
    for verb, why in (("undo", "she is mind-controlled"), ("redo", "she is not")):
        body = {"why": why, "seen_by": []}
        assert brawl.client.post(f"{brawl.path}/{verb}", headers=brawl.as_("gm"), json=body).status_code == 201
        assert why in json.dumps(brawl.get("entries"))
        assert why not in json.dumps(brawl.get("entries", "kira"))
        assert [event["type"] for event in brawl.get("entries", "kira")[-1]["events"]] == ["Rewound"]


def test_the_log_may_be_read_in_pages_or_as_lines(brawl: Table) -> None:
    page = brawl.get("entries", after=2, limit=3)
    assert [entry["seq"] for entry in page] == [3, 4, 5]
    headers = {**brawl.as_("gm"), "Accept": "application/jsonl"}
    lines = brawl.client.get(f"{brawl.path}/entries", headers=headers, params={"after": 2})
    assert lines.headers["content-type"].startswith("application/jsonl")
    assert [json.loads(line)["seq"] for line in lines.text.splitlines()] == [3, 4, 5, 6]


def test_a_reader_whose_token_is_revoked_is_cut_off_before_the_next_heartbeat(tmp_path: Path) -> None:
    """The next heartbeat is an hour away, and nothing is written."""
    with served(tmp_path, "--rate", "0", wrapper=(faults_beat.__file__,)) as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        with connect(f"ws://127.0.0.1:{server.port}{table.path}/feed") as socket:
            socket.send(json.dumps({"token": table.issued["kira"]["token"], "after": 5}))
            assert json.loads(socket.recv(timeout=PATIENCE))["seq"] == 6
            client.delete(f"{table.path}/tokens/{table.issued['kira']['id']}", headers=table.as_("gm"))
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4401, "token/revoked")


@pytest.mark.parametrize("query", ["att=3", "at=3&token=x", "after=1"])
def test_what_a_query_has_and_nobody_asks_for_is_refused_by_name(brawl: Table, query: str) -> None:
    refused = brawl.client.get(f"{brawl.path}/state?{query}", headers=brawl.as_("gm"))
    assert refused.status_code == 400
    assert refused.json()["where"] in ("att", "token", "after")
    assert "accepted: at" in refused.json()["detail"]


DECLARE = {"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}


def test_a_list_of_commands_is_performed_all_or_none(brawl: Table) -> None:
    done = brawl.do([DECLARE, {"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}])
    assert [entry["command"]["type"] for entry in done["entries"]] == ["Declare", "Choose"]

    headers, wrong = brawl.as_("gm"), {"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}
    refused = brawl.client.post(f"{brawl.path}/commands", headers=headers, json=[{"type": "Note", "text": "x"}, wrong])
    assert refused.status_code == 422
    assert refused.json()["where"].startswith("commands.2.")
    assert brawl.get("state")["entries"] == done["last"]


def test_an_answer_has_the_patch_of_the_seats_state_and_sentences(brawl: Table) -> None:
    states = {seat: brawl.get("state", seat) for seat in ("gm", "kira")}
    done = brawl.do(DECLARE)
    assert done["narration"][0] == "Ann declares: attack, at bob, using fist."
    assert patched(states["gm"], done["patch"]) == brawl.get("state")
    done = brawl.do({"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}, "kira")
    assert patched(patched(states["kira"], {}), done["patch"])["rests"] == brawl.get("state", "kira")["rests"]


def test_each_message_of_the_feed_has_its_patch_and_sentences(brawl: Table) -> None:
    state, last = brawl.get("state", "kira"), brawl.get("state")["entries"]
    brawl.do(DECLARE)
    brawl.do({"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}, "kira")
    with connect(f"ws://127.0.0.1:{brawl.client.base_url.port}{brawl.path}/feed") as socket:
        socket.send(json.dumps({"token": brawl.issued["kira"]["token"], "after": last}))
        for seq in (last + 1, last + 2):
            message = json.loads(socket.recv(timeout=PATIENCE))
            assert (message["seq"], bool(message["narration"])) == (seq, True)
            state = patched(state, message["patch"])
    assert state == brawl.get("state", "kira")


def test_a_shorthand_needs_a_header_and_the_answer_has_the_whole_key(brawl: Table) -> None:
    brawl.do(DECLARE)
    choose = {"type": "Choose", "key": "bob", "option": "none"}
    refused = brawl.client.post(f"{brawl.path}/commands", headers=brawl.as_("kira"), json=choose)
    assert (refused.status_code, refused.json()["slug"]) == (422, "request/bare-shorthand")
    headers = {**brawl.as_("kira"), "Idempotency-Key": "bob's choice"}
    done = brawl.client.post(f"{brawl.path}/commands", headers=headers, json=choose).json()
    assert done["entries"][0]["command"]["key"] == "r1/ann/a1/attack/defense"
    again = brawl.client.post(f"{brawl.path}/commands", headers=headers, json=choose).json()
    assert again["entries"] == done["entries"]
