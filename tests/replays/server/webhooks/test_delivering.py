"""Webhooks from a real server: what a seat's feed has, signed, in order, at least once, and nothing that is hidden."""

import json
import sqlite3
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.processes import PATIENCE, SHEET, Served, Table, served
from server.receivers import LOCAL, Received, Receiver, receiving
from standardwebhooks import Webhook

from replays.server.callers.tokens import Scope, Signer, Token


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("hooks"), "--rate", "0", *LOCAL) as server:
        yield server


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


MOONBLADE = {"moonblade": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}}


def register(table: Table, address: str, seat: str = "kira", after: int | None = 0) -> dict[str, Any]:
    body = {"address": address, **({} if after is None else {"after": after})}
    answer = table.client.post(f"{table.path}/hooks", headers=table.as_(seat), json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def asked(table: Table, hook: dict[str, Any], what: str, seat: str = "kira") -> httpx.Response:
    return table.client.post(f"{table.path}/hooks/{hook['id']}/{what}", headers=table.as_(seat))


def known(table: Table, hook: dict[str, Any], seat: str = "kira") -> dict[str, Any]:
    (found,) = (each for each in table.get("hooks", seat) if each["id"] == hook["id"])
    return dict(found)


def eventually(is_so: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def note(table: Table, text: str, **more: Any) -> int:
    seq: int = table.do({"type": "Note", "text": text, **more})["entries"][0]["seq"]
    return seq


def fed(table: Table, seat: str, count: int) -> list[str]:
    """Returns the data of the first events of a seat's live feed."""
    found: list[str] = []
    with table.client.stream("GET", f"{table.path}/feed", headers=table.as_(seat), params={"after": 0}) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                found.append(line.removeprefix("data: "))
            if len(found) == count:
                return found
    raise AssertionError("the feed has ended")


def entries(received: list[Received]) -> list[int]:
    return [each.seq for each in received if each.message["type"] == "entry"]


# ------------------------------------------------------------------------------------------------ what arrives


@pytest.mark.parametrize("seat", ["gm", "kira", "spectator"])
def test_a_hook_gets_what_the_feed_of_its_seat_gets_byte_for_byte(brawl: Table, receiver: Receiver, seat: str) -> None:
    brawl.do({"type": "Join", "who": "lurker", "sheet": {**SHEET, "weapons": MOONBLADE}, "sheet_seen_by": []})
    last = note(brawl, "hush", seen_by=[])
    register(brawl, receiver.url, seat)

    received = receiver.until(lambda got: len(got) >= last)

    assert [each.body.partition(b'"data":')[2][:-1].decode() for each in received] == fed(brawl, seat, last)
    assert all(each.message["session"] == brawl.session for each in received)
    assert (b"hush" in received[-1].body) == (seat == "gm")
    assert any(b"moonblade" in each.body for each in received) == (seat == "gm")


def test_every_message_is_verified_by_a_library_of_the_standard(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url)
    last = brawl.get("state")["entries"]

    received = receiver.until(lambda got: len(got) >= last)

    verifier = Webhook(hook["secret"])
    for each in received:
        assert verifier.verify(each.body, each.headers) == each.message
    assert [each.headers["webhook-id"] for each in received] == [
        f"msg_{hook['id']}_{seq}" for seq in range(1, last + 1)
    ]
    assert {each.headers["content-type"] for each in received} == {"application/json"}
    assert {each.path for each in received} == {"/hook"}


def test_by_default_a_hook_begins_with_what_is_written_from_now_on(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url, after=None)
    assert hook["cursor"] == brawl.get("state")["entries"]

    first = note(brawl, "rain")

    assert entries(receiver.until(len)) == [first]
    eventually(lambda: known(brawl, hook)["cursor"] == first)


def test_after_an_entry_that_does_not_exist_is_refused(brawl: Table, receiver: Receiver) -> None:
    body = {"address": receiver.url, "after": 999}
    answer = brawl.client.post(f"{brawl.path}/hooks", headers=brawl.as_("gm"), json=body)

    assert (answer.status_code, answer.json()["slug"]) == (404, "entry/unknown")


# ------------------------------------------------------------------------------------------------ failures


def test_a_failed_message_is_sent_again_with_the_same_id_before_the_next(brawl: Table, receiver: Receiver) -> None:
    answers = iter([500, 302, 204])
    receiver.answer = lambda _: (next(answers, 204), {"location": f"{receiver.url}/elsewhere"})
    register(brawl, receiver.url)

    received = receiver.until(lambda got: len(got) >= 5)

    assert entries(received)[:5] == [1, 1, 1, 2, 3]
    assert len({each.headers["webhook-id"] for each in received[:3]}) == 1
    assert len({each.body for each in received[:3]}) == 1
    assert {each.path for each in received} == {"/hook"}  # the redirect was not followed


def test_what_was_not_confirmed_before_the_server_was_killed_is_sent_again(tmp_path: Path) -> None:
    with receiving() as receiver:
        receiver.answer = lambda each: (204, {}) if each.message["type"] == "ping" or each.seq <= 3 else wait(each)
        server = Served(tmp_path, "--rate", "0", *LOCAL)
        try:
            with server.client() as client:
                table = Table(client, server.host, "kira").brawl()
                register(table, receiver.url)
                receiver.until(lambda got: 4 in entries(got))  # sent, and not confirmed
        finally:
            server.kill()
        receiver.answer = lambda _: (204, {})
        killed_at = len(receiver.received)
        with served(tmp_path, "--rate", "0", *LOCAL) as again, again.client() as client:
            table.client = client
            last = note(table, "on")
            received = receiver.until(lambda got: last in entries(got))
            eventually(lambda: table.get("hooks", "kira")[0]["cursor"] == last)

    assert entries(received[killed_at:]) == list(range(4, last + 1))
    ids = [each.headers["webhook-id"] for each in received]
    assert list(dict.fromkeys(ids)) == sorted(set(ids), key=lambda each: int(each.rpartition("_")[2]))
    assert len(set(ids)) == last


def wait(_: Received) -> tuple[int, dict[str, str]]:
    time.sleep(3)
    return 503, {}


def test_a_receiver_that_does_not_answer_delays_no_other(brawl: Table, receiver: Receiver) -> None:
    with receiving() as stuck:
        stuck.answer = wait
        register(brawl, stuck.url)
        stuck.until(len)
        begun = time.monotonic()
        register(brawl, receiver.url, "spectator")
        last = note(brawl, "on")
        receiver.until(lambda got: last in entries(got))
        assert time.monotonic() - begun < 3
        assert entries(stuck.received) == [1]


def test_a_hook_is_dead_at_once_when_the_receiver_is_gone_and_lives_again_when_activated(
    brawl: Table, receiver: Receiver
) -> None:
    receiver.answer = lambda _: (410, {})
    hook = register(brawl, receiver.url)
    found = eventually(lambda: (each := known(brawl, hook))["state"] == "dead" and each)
    assert (found["stopped"], found["status"], found["cursor"]) == ("the receiver answered 410 Gone", 410, 0)
    assert found["next_attempt"] is None
    note(brawl, "unheard")
    assert entries(receiver.received) == [1]

    receiver.answer = lambda _: (200, {})
    assert asked(brawl, hook, "activate").json()["state"] == "active"

    last = brawl.get("state")["entries"]
    assert entries(receiver.until(lambda got: last in entries(got))) == [1, *range(1, last + 1)]


def test_a_failing_hook_shows_what_fails_and_when_it_is_tried_again(brawl: Table, receiver: Receiver) -> None:
    receiver.answer = lambda _: (503, {"retry-after": "600"})
    hook = register(brawl, receiver.url)

    found = eventually(lambda: (each := known(brawl, hook))["failures"] and each)

    assert (found["state"], found["failures"], found["status"], found["problem"]) == ("active", 1, 503, "status 503")
    assert found["next_attempt"] > time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 500))
    receiver.answer = lambda _: (204, {})
    asked(brawl, hook, "activate")  # ends the pause
    receiver.until(lambda got: len(got) > 3)


# ------------------------------------------------------------------------------------------------ its owner


def test_a_test_says_what_the_receiver_answered_and_moves_nothing(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url, after=None)

    assert asked(brawl, hook, "ping").json() == {"delivered": True, "status": 204, "problem": ""}
    receiver.answer = lambda _: (404, {})
    assert asked(brawl, hook, "ping").json() == {"delivered": False, "status": 404, "problem": "status 404"}

    first, second = receiver.received
    assert first.message["type"] == "ping"
    assert first.headers["webhook-id"] != second.headers["webhook-id"]
    Webhook(hook["secret"]).verify(first.body, first.headers)
    assert (known(brawl, hook)["cursor"], known(brawl, hook)["failures"]) == (hook["cursor"], 0)


def test_after_the_secret_was_replaced_both_verify(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url, after=None)
    new = asked(brawl, hook, "secret").json()
    assert new["secret"] != hook["secret"]

    note(brawl, "rain")

    (received,) = receiver.until(len)
    assert len(received.headers["webhook-signature"].split()) == 2
    for secret in (hook["secret"], new["secret"]):
        Webhook(secret).verify(received.body, received.headers)


def test_a_hook_belongs_to_its_token(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url)

    for seat in ("gm", "spectator", "ben"):
        assert brawl.get("hooks", seat) == []
        for what in ("activate", "ping", "secret"):
            assert asked(brawl, hook, what, seat).json()["slug"] == "hook/unknown"
        gone = brawl.client.delete(f"{brawl.path}/hooks/{hook['id']}", headers=brawl.as_(seat))
        assert gone.status_code == 404
    assert "secret" not in known(brawl, hook)


def test_a_deleted_hook_gets_nothing_more(brawl: Table, receiver: Receiver) -> None:
    hook = register(brawl, receiver.url, after=None)
    deleted = brawl.client.delete(f"{brawl.path}/hooks/{hook['id']}", headers=brawl.as_("kira"))
    assert deleted.status_code == 204
    other = register(brawl, f"{receiver.url}/other", after=None)

    note(brawl, "rain")

    receiver.until(len)
    eventually(lambda: known(brawl, other)["cursor"])
    assert {each.path for each in receiver.received} == {"/hook/other"}
    assert [each["id"] for each in brawl.get("hooks", "kira")] == [other["id"]]


def test_a_revoked_token_stops_its_hooks(brawl: Table, receiver: Receiver, server: Served) -> None:
    hook = register(brawl, receiver.url, after=None)
    token = brawl.issued["kira"]["id"]
    assert brawl.client.delete(f"{brawl.path}/tokens/{token}", headers=brawl.as_("gm")).status_code == 204

    note(brawl, "unheard")

    eventually(lambda: stopped(server, hook["id"]) == "token/revoked")
    assert receiver.received == []


def test_a_hook_ends_when_its_token_expires(brawl: Table, receiver: Receiver, server: Served) -> None:
    signer = Signer(tuple((server.folder / "affray.keys").read_text().split()))
    expires = int(time.time()) + 4
    token = signer.sign(Token("soon", Scope.GM, brawl.session, "gm", expires=expires, lifetime=4))
    header, asked_for = {"Authorization": f"Bearer {token}"}, {"address": receiver.url}
    hook = brawl.client.post(f"{brawl.path}/hooks", headers=header, json=asked_for).json()
    eventually(lambda: stopped(server, hook["id"]) == "token/expired")
    assert expires <= time.time() < expires + 10, "at that time, not with the next sign of life"


def stopped(server: Served, hook: str) -> str:
    database = sqlite3.connect(server.folder / "affray.db-hooks")
    try:
        return str(database.execute("SELECT stopped FROM hooks WHERE id = ?", (hook,)).fetchone()[0])
    finally:
        database.close()


def test_a_token_has_ten_hooks_at_most(brawl: Table, receiver: Receiver) -> None:
    for _ in range(10):
        register(brawl, receiver.url, after=None)
    answer = brawl.client.post(f"{brawl.path}/hooks", headers=brawl.as_("kira"), json={"address": receiver.url})

    assert (answer.status_code, answer.json()["slug"]) == (422, "hook/too-many")
    register(brawl, receiver.url, "ben", after=None)


# ------------------------------------------------------------------------------------------------ the server


def test_no_secret_and_no_address_is_in_the_log_and_others_cannot_read_the_file(
    brawl: Table, receiver: Receiver, server: Served
) -> None:
    hook = register(brawl, f"{receiver.url}/k3y-of-the-receiver", after=None)
    receiver.answer = lambda _: (500, {})
    note(brawl, "rain")
    eventually(lambda: known(brawl, hook)["failures"])

    log = server.log()
    assert hook["id"] in log
    assert hook["secret"] not in log
    assert "k3y-of-the-receiver" not in log
    for file in server.folder.glob("affray.db-hooks*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_the_metrics_count_hooks_and_messages(brawl: Table, receiver: Receiver, server: Served) -> None:
    register(brawl, receiver.url)
    receiver.until(len)

    text = brawl.client.get("/metrics").text

    assert 'affray_hook_messages_total{outcome="delivered"}' in text
    assert 'affray_hooks{state="active"}' in text


def test_of_several_processes_one_sends(tmp_path: Path) -> None:
    options = ("--rate", "0", "--workers", "3", *LOCAL)
    with receiving() as receiver, served(tmp_path, *options) as server, server.client() as client:
        table = Table(client, server.host, "kira").brawl()
        hook = register(table, receiver.url)
        last = [note(table, f"note {number}") for number in range(10)][-1]
        eventually(lambda: known(table, hook)["cursor"] == last)

    assert entries(receiver.received) == list(range(1, last + 1))


def test_hooks_can_be_switched_off(tmp_path: Path) -> None:
    with served(tmp_path, "--hooks", "off") as server, server.client() as client:
        table = Table(client, server.host, "kira")
        answer = client.post(f"{table.path}/hooks", headers=table.as_("gm"), json={"address": "https://bot.example/"})
        assert (answer.status_code, answer.json()["slug"]) == (422, "hook/off")
    assert list(tmp_path.glob("*-hooks*")) == []


def test_hooks_go_on_after_a_restart_but_not_when_the_key_was_removed(tmp_path: Path) -> None:
    keys = tmp_path / "affray.keys"
    with receiving() as receiver:
        with served(tmp_path, *LOCAL) as server, server.client() as client:
            table = Table(client, server.host, "kira")
            hook = register(table, receiver.url)
            receiver.until(lambda got: len(got) == 1)
            eventually(lambda: known(table, hook)["cursor"] == 1)
        keys.write_text(keys.read_text() + "n" * 40 + "\n")
        with served(tmp_path, *LOCAL) as server, server.client() as client:
            table.client = client
            note(table, "rain")
            receiver.until(lambda got: entries(got) == [1, 2])
            eventually(lambda: known(table, hook)["cursor"] == 2)
        keys.write_text("n" * 40 + "\n")
        with served(tmp_path, *LOCAL) as server:
            eventually(lambda: stopped(server, hook["id"]) == "token/invalid")
        assert entries(receiver.received) == [1, 2]


def test_hooks_of_a_deleted_session_are_removed(tmp_path: Path, affray_command: list[str]) -> None:
    with receiving() as receiver, served(tmp_path, *LOCAL) as server, server.client() as client:
        table, other = Table(client, server.host, "kira"), Table(client, server.host, "kira")
        register(table, receiver.url, after=None)
        kept = register(other, receiver.url, after=None)
        words = ["--ledger", server.ledger, "delete", table.session, "--why", "over", "--yes"]
        done = subprocess.run([*affray_command, *words], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        note(other, "wakes the server")

        def left() -> list[str]:
            database = sqlite3.connect(tmp_path / "affray.db-hooks")
            try:
                return [row[0] for row in database.execute("SELECT id FROM hooks")]
            finally:
                database.close()

        eventually(lambda: left() == [kept["id"]])


def test_a_file_of_another_program_is_refused_and_kept(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE theirs (x)")
    database.close()
    before = foreign.read_bytes()
    with served(tmp_path, "--hooks", str(foreign)) as server, server.client() as client:
        table = Table(client, server.host)
        answer = client.post(f"{table.path}/hooks", headers=table.as_("gm"), json={"address": "https://bot.example/"})
        assert answer.status_code == 503
        assert json.loads(answer.text)["slug"] == "store/unusable"
    assert foreign.read_bytes() == before


def test_a_network_that_is_none_is_refused_before_the_server_begins(tmp_path: Path, affray_command: list[str]) -> None:
    words = ["serve", "--port", "0", "--hook-private", "everything"]
    done = subprocess.run([*affray_command, *words], capture_output=True, text=True, cwd=tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith("hook/network: ")
