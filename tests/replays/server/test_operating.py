"""Operating a server: its logs and metrics, which proxies it trusts, and what it refuses at its start."""

import json
import re
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.faults_processes import until
from server.faults_raw import dialed, head
from server.processes import PATIENCE, Served, Table, served
from websockets.sync.client import connect


def gauge(client: httpx.Client, name: str) -> float:
    found = re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", client.get("/metrics").text, re.M)
    return sum(map(float, found))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_how_many_read_is_told_whichever_worker_is_asked(tmp_path: Path, workers: str) -> None:
    with served(tmp_path, "--rate", "0", "--workers", workers) as server, server.client() as client:
        table = Table(client, server.host)
        with ExitStack() as opened:
            for _ in range(6):
                socket = opened.enter_context(connect(f"ws://127.0.0.1:{server.port}{table.path}/feed"))
                socket.send(json.dumps({"token": table.issued["spectator"]["token"]}))
                socket.recv(timeout=PATIENCE)
            assert {gauge(client, "affray_feed_readers") for _ in range(10)} == {6}
        deadline = time.monotonic() + PATIENCE
        while gauge(client, "affray_feed_readers"):
            assert time.monotonic() < deadline
        assert gauge(client, "affray_sessions_in_memory") >= 1
        told = client.get("/metrics").text
        assert 'affray_requests_total{method="POST",route="/v1/sessions",status="201"} 1.0' in told
        assert not re.search(r'affray_request_seconds_count\{[^}]*feed"', told)


def test_probes_are_nobodys_callers(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "1") as server, server.client() as client:
        codes = {client.get("/v1/rulesets").status_code for _ in range(20)}
        assert codes == {200, 429}
        assert {client.get(probe).status_code for probe in ("/health", "/ready", "/metrics") * 10} == {200}


def test_a_page_that_may_call_may_read_that_it_calls_too_often(tmp_path: Path) -> None:
    site = {"Origin": "https://vtt.example"}
    with served(tmp_path, "--rate", "1", "--allow-origin", site["Origin"]) as server, server.client() as client:
        preflight = {**site, "Access-Control-Request-Method": "GET"}
        for _ in range(5):
            assert client.options("/v1/sessions", headers=preflight).status_code == 204
        answers = [client.get("/v1/sessions", headers={**server.host, **site}) for _ in range(4)]
        refused = answers[-1]
        assert refused.status_code == 429
        for answer in (answers[0], refused):
            assert answer.headers["access-control-allow-origin"] == site["Origin"]
            assert "Retry-After" in answer.headers["access-control-expose-headers"]
        elsewhere = client.get("/v1/sessions", headers={**server.host, "Origin": "https://other.example"})
        assert elsewhere.status_code == 429
        assert "access-control-allow-origin" not in elsewhere.headers


def test_pages_of_any_site_may_read_it_where_any_may_call(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "1", "--allow-origin", "*") as server, server.client() as client:
        answers = [client.get("/v1/sessions", headers={**server.host, "Origin": "https://a.example"}) for _ in range(4)]
        assert [answers[0].status_code, answers[-1].status_code] == [200, 429]
        for answer in answers:
            assert answer.headers.get_list("access-control-allow-origin") == ["*"]


def test_where_the_ledger_is_is_told_to_the_log_alone(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        client.get("/v1/sessions", headers=server.host).raise_for_status()
        (tmp_path / "affray.db").unlink()
        refused = client.post("/v1/sessions", headers=server.host, json={"ruleset": "eclipse_phase_1e"})
        assert refused.json()["slug"] == "store/unusable"
        assert str(tmp_path) not in refused.text
        assert str(tmp_path) in server.log()


@pytest.mark.parametrize(
    ("lost", "how"), [("affray.db", "removed"), ("affray.db", "replaced"), ("affray.db-wal", "removed")]
)
def test_a_server_is_not_ready_while_its_ledgers_files_are_gone(tmp_path: Path, lost: str, how: str) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        Table(client, server.host, "kira").brawl()
        assert client.get("/ready").json() == {"status": "ready"}
        (tmp_path / lost).rename(tmp_path / "away")
        if how == "replaced":
            (tmp_path / lost).write_bytes(b"")
        refused = client.get("/ready")
        assert (refused.status_code, refused.headers["content-type"]) == (503, "application/problem+json")
        assert (refused.json()["slug"], refused.json()["status"]) == ("store/unusable", 503)
        assert "was removed or replaced" in refused.json()["detail"]
        assert str(tmp_path) not in refused.text
        assert client.get("/health").status_code == 200


def test_a_server_is_not_ready_while_its_heads_file_is_empty(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0"):
        pass
    (tmp_path / "affray.db-heads").write_bytes(b"")
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        refused = client.get("/ready")
        assert (refused.status_code, refused.json()["slug"]) == (503, "heads/broken")
        assert "affray heads --renew" in refused.json()["accepts"]
        assert str(tmp_path) not in refused.text


def test_a_proxy_that_is_trusted_says_who_calls(tmp_path: Path) -> None:
    def asked(client: httpx.Client, callers: int) -> list[int]:
        return [
            client.get("/v1/rulesets", headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code
            for number in range(callers)
        ]

    with served(tmp_path, "--rate", "1") as server, server.client() as client:
        assert set(asked(client, 20)) == {200}
    with served(tmp_path, "--rate", "1", "--trust-proxy", "10.9.9.9") as server, server.client() as client:
        assert 429 in asked(client, 20)


def test_it_ends_at_once_though_something_long_is_reckoned(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host).brawl()
        asked = {"declare": {"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}}
        began = time.monotonic()

        def ask(_: int) -> httpx.Response:
            return httpx.post(f"{server.url}{table.path}/odds", headers=table.as_("gm"), json=asked, timeout=PATIENCE)

        with ThreadPoolExecutor(6) as crowd:
            answers = crowd.map(ask, range(6))
            while 'session}/odds"' not in client.get("/metrics").text and time.monotonic() < began + 10:
                time.sleep(0.02)
            assert server.stop() == 0
            told = [(answer.status_code, answer.json().get("slug")) for answer in answers]
    assert set(told) <= {(200, None), (503, "server/ending")}
    assert not [line for line in server.lines() if line["level"] == "error"]


@pytest.mark.parametrize("site", ["nonsense", "https://table.example/page", "ftp://x", "https://"])
def test_what_is_no_web_site_is_refused_at_the_beginning(tmp_path: Path, affray_command: list[str], site: str) -> None:
    words = [*affray_command, "serve", "--port", "0", "--allow-origin", site]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE)
    assert done.returncode == 2
    assert done.stderr.startswith("server/origin: ")


@pytest.mark.parametrize("name", ["GM", "Gm", "\uff27\uff2d", "gm ", " kira", "ki\u200bra", "kira\nben", "\x00"])
def test_names_that_pass_for_others_are_refused(server: Served, client: httpx.Client, name: str) -> None:
    asked = {"ruleset": "eclipse_phase_1e", "players": [name]}
    refused = client.post("/v1/sessions", headers=server.host, json=asked)
    assert (refused.status_code, refused.json()["slug"]) == (422, "token/seat")


def test_a_body_that_does_not_come_in_time_is_refused_and_nothing_is_done(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0", "--timeout", "0.1") as server, server.client() as client:
        path, token = "/v1/sessions", server.host["Authorization"]
        request = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nContent-Length: 500\r\n\r\n" + "{"
        )  # fmt: skip
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
            raw.sendall(request.encode())
            answer = b"".join(iter(lambda: raw.recv(65536), b"")).decode()  # the connection is closed after it
        assert " 408 " in answer.splitlines()[0]
        assert "nothing was done" in answer
        assert client.get("/health").status_code == 200


def test_whoever_hangs_up_before_the_answer_is_no_fault_in_the_log(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host)
        halves = (
            head(table, Content_Length="100") + b'{"type"',
            head(table, Transfer_Encoding="chunked") + b'7\r\n{"type"\r\n',
            head(table, "POST", "/odds", Content_Length="100"),
        )
        for half in halves:
            with dialed(server) as made:
                made.sendall(half)
        until(lambda: len(_posts(server)) == 4)
        lines = _posts(server)[1:]
        assert sorted((line["route"].rpartition("/")[2], line["status"]) for line in lines) == [
            ("commands", 499), ("commands", 499), ("odds", 499),
        ]  # fmt: skip
        assert {line["level"] for line in server.lines()} == {"info"}
        assert 'route="/v1/sessions/{session}/odds",status="499"} 1.0' in client.get("/metrics").text


def _posts(server: Served) -> list[dict[str, Any]]:
    return [line for line in server.lines() if line["event"] == "request" and line["method"] == "POST"]
