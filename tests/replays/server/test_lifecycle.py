"""A session's life over HTTP: it is listed, found, renamed, closed, archived and deleted."""

import json
from typing import Any

import httpx
import pytest
from server.processes import PATIENCE, Served, Table
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def listed(server: Served, client: httpx.Client, **query: Any) -> list[dict[str, Any]]:
    answer = client.get("/v1/sessions", headers=server.host, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def ids(server: Served, client: httpx.Client, **query: Any) -> list[str]:
    return [one["session"] for one in listed(server, client, **query)]


def test_the_newest_session_is_listed_first_unless_the_oldest_is_asked_for(
    server: Served, client: httpx.Client
) -> None:
    tables = [Table(client, server.host).session for _ in range(3)]
    assert ids(server, client, limit=3) == tables[::-1]
    assert ids(server, client, limit=2, after=tables[2]) == [tables[1], tables[0]]
    everything = ids(server, client, limit=1000, order="oldest")
    assert everything == ids(server, client, limit=1000)[::-1]
    assert ids(server, client, order="oldest", after=tables[1]) == [tables[2]]


def test_sessions_are_found_by_what_they_are(server: Served, client: httpx.Client, brawl: Table) -> None:
    brawl.do({"type": "RenameSession", "title": "The Night Market"})
    assert brawl.get("state")["title"] == "The Night Market"
    found = listed(server, client, title="night market", player="KIRA", ruleset="eclipse_phase_1e", state="open")
    assert [one["session"] for one in found] == [brawl.session]
    assert (found[0]["title"], found[0]["players"], found[0]["is_open"]) == ("The Night Market", ["kira"], True)
    assert "is_open" not in brawl.get("state")
    closed = brawl.do({"type": "CloseSession", "why": "until Friday"})
    assert closed["patch"]["is_open"] is False
    assert brawl.get("state")["is_open"] is False
    assert ids(server, client, title="night market", state="open") == []
    assert ids(server, client, title="night market", state="closed") == [brawl.session]
    assert ids(server, client, title="night market", ruleset="gurps_3e") == []


@pytest.mark.parametrize(
    "query",
    [{"state": "ajar"}, {"archived": "yes"}, {"order": "best"}, {"limit": 0}, {"limit": 1001}, {"after": "none"}],
)
def test_a_list_that_makes_no_sense_is_refused(server: Served, client: httpx.Client, query: dict[str, Any]) -> None:
    answer = client.get("/v1/sessions", headers=server.host, params=query)
    assert answer.status_code in (400, 404)
    assert answer.json()["where"]


@pytest.mark.parametrize("who", ["gm", "host"])
def test_an_archived_session_is_left_out_of_the_list_until_it_is_taken_out(
    server: Served, client: httpx.Client, table: Table, who: str
) -> None:
    header = server.host if who == "host" else table.as_("gm")
    for _ in range(2):
        answer = client.post(f"{table.path}/archive", headers=header, json={"why": "a test"})
        assert (answer.status_code, answer.json()) == (200, {"session": table.session, "archived": True})
    assert table.session not in ids(server, client, limit=1000)
    assert table.session in ids(server, client, limit=1000, archived="only")
    assert table.session in ids(server, client, limit=1000, archived="any")
    table.do({"type": "Note", "text": "It can be played as before."})
    answer = client.post(f"{table.path}/unarchive", headers=header, json={})
    assert answer.json() == {"session": table.session, "archived": False}
    assert table.session in ids(server, client, limit=1000)


def test_the_host_deletes_a_session_that_it_has_seen_to_the_end(
    server: Served, client: httpx.Client, table: Table
) -> None:
    path, reason = table.path, {"why": "the player asked"}
    for headers, query, status in (
        ({}, reason, 400),  # the number of the last entry is missing
        ({"If-Match": '"1"'}, {}, 400),
        ({"If-Match": '"1"'}, {"why": "  "}, 400),
        ({"If-Match": "one"}, reason, 400),
        ({"If-Match": '"7"'}, reason, 409),
    ):
        answer = client.delete(path, headers={**server.host, **headers}, params=query)
        assert answer.status_code == status, answer.text
    assert client.delete(path, headers={**table.as_("gm"), "If-Match": "*"}, params=reason).status_code == 403
    with connect(f"ws://127.0.0.1:{server.port}{path}/feed") as reader:
        reader.send(json.dumps({"token": table.issued["spectator"]["token"]}))
        reader.recv(timeout=PATIENCE)
        answer = client.delete(path, headers={**server.host, "If-Match": '"1"'}, params=reason)
        stone = answer.json()
        assert answer.status_code == 200, answer.text
        assert (stone["session"], stone["entries"], stone["why"]) == (table.session, 1, "the player asked")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                reader.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason == "session/deleted"
    assert client.get(f"{path}/state", headers=table.as_("gm")).json()["slug"] == "session/deleted"
    again = client.delete(path, headers={**server.host, "If-Match": "*"}, params=reason)
    assert (again.status_code, again.json()["slug"]) == (404, "session/deleted")
    assert table.session not in ids(server, client, limit=1000, archived="any")
