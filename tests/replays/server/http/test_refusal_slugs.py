"""Each operation lists the refusals that it may answer, by slug; what a server really refuses is among them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.listed_refusals import listed, unlisted
from server.processes import Table, served

from replays.server.http.refusal_slugs import FIELD, GROUPS

SLUG = re.compile(r"[a-z]+(/[a-z-]+)+|internal")


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> dict[str, Any]:
    """Returns the OpenAPI document of the server."""
    found: dict[str, Any] = client.get("/schema/openapi.json").json()
    return found


def refusals(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yields operation, status and response of each documented refusal."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if status >= "4":
                    yield operation["operationId"], status, answer


def line(method: str, route: str, status: int, slug: str) -> str:
    """Returns the line of a server's log about a refused request."""
    return json.dumps({"event": "request", "method": method, "route": route, "status": status, "slug": slug})


# ------------------------------------------------------------------------------------------------ the document


def test_every_documented_refusal_has_slugs_and_every_slug_a_meaning(document: dict[str, Any]) -> None:
    found = list(refusals(document))

    assert len(found) > 200
    for operation, status, answer in found:
        assert answer[FIELD], (operation, status)
        for slug, meaning in answer[FIELD].items():
            assert SLUG.fullmatch(slug), (operation, slug)
            assert meaning.endswith("."), (operation, slug, meaning)
            assert f"`{slug}`" in answer["description"]


def test_a_slug_has_one_status_and_one_meaning_wherever_it_is_listed(document: dict[str, Any]) -> None:
    known: dict[str, tuple[str, str]] = {}
    for operation, status, answer in refusals(document):
        for slug, meaning in answer[FIELD].items():
            assert known.setdefault(slug, (status, meaning)) == (status, meaning), operation


def test_no_group_is_of_an_operation_that_does_not_exist(document: dict[str, Any]) -> None:
    assert set(GROUPS) <= {operation for operation, _, _ in refusals(document)}


def test_an_operation_lists_what_belongs_to_it_and_no_more(document: dict[str, Any]) -> None:
    slugs: dict[str, set[str]] = {}
    for operation, _, answer in refusals(document):
        slugs.setdefault(operation, set()).update(answer[FIELD])

    assert {"log/stale", "log/key-reused", "turn/not-yours", "store/full"} <= slugs["perform"]
    assert "undo/nothing" in slugs["undo"]
    assert "undo/nothing" not in slugs["redo"]
    assert {"turn/not-yours", "undo/nothing", "odds/no-open-roll", "why/nothing", "dispute/unknown"} <= slugs[
        "sendLine"
    ]
    assert {"request/bare-line", "table/not-understood", "sheet/unknown"} <= slugs["sendLine"]
    assert "log/key-reused" in slugs["sendLine"]
    assert "request/bare-shorthand" not in slugs["sendLine"]
    assert {name for name, found in slugs.items() if "log/stale" in found} == {
        "perform", "undo", "redo", "amend", "deleteSession", "sendLine",
    }  # fmt: skip
    assert {name for name, found in slugs.items() if "feed/too-many" in found} == {"feed"}
    assert not any(slug.startswith(("token/", "store/", "log/")) for slug in slugs["listRulesets"])


# ------------------------------------------------------------------------------------------------ the law of all servers


def test_a_refusal_that_is_not_listed_is_found() -> None:
    ours = line("POST", "/v1/sessions/{session}/undo", 422, "undo/nothing")
    other_slug = ("POST", "/v1/sessions/{session}/undo", 422, "redo/nothing")
    other_status = ("GET", "/v1/sessions/{session}/state", 409, "entry/unknown")
    nowhere = ("GET", "none", 404, "session/unknown")

    assert unlisted("\n".join((ours, "not JSON", line("GET", "none", 404, "request/no-such-route")))) == set()
    assert unlisted("\n".join(line(*each) for each in (other_slug, other_status, nowhere))) == {
        other_slug, other_status, nowhere,
    }  # fmt: skip


def test_a_head_request_is_refused_as_its_get_request() -> None:
    assert unlisted(line("HEAD", "/v1/sessions/{session}/state", 404, "entry/unknown")) == set()


def test_a_server_of_a_test_that_refuses_something_unlisted_fails_the_test(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with pytest.raises(AssertionError, match="redo/nothing"), served(tmp_path) as server, log.open("a") as lines:
        lines.write(line("POST", "/v1/sessions/{session}/undo", 422, "redo/nothing") + "\n")
    assert server.process.returncode is not None, "it has ended all the same"


def test_the_table_of_the_tests_is_the_document_of_a_server(document: dict[str, Any]) -> None:
    found = {
        (method.upper(), path): {
            int(status): frozenset(answer.get(FIELD, ())) for status, answer in each["responses"].items()
        }
        for path, operations in document["paths"].items()
        for method, each in operations.items()
    }

    assert listed() == found


# ------------------------------------------------------------------------------------------------ the log


def test_the_log_has_the_slug_of_a_refused_request_and_of_no_other(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host)
        table.do({"type": "Note", "text": "rain"})
        for body in ({"why": "a"}, {"why": "a"}, {"why": ""}):
            client.post(f"{table.path}/undo", headers=table.as_("gm"), json=body)
        client.post(f"{table.path}/undo", json={"why": "a"})
        client.get("/nowhere")

    lines = [each for each in server.lines() if each["event"] == "request"]  # once it has ended, all are there
    told = [(each["status"], each.get("slug")) for each in lines]
    assert told == [
        (201, None), (201, None), (201, None), (422, "undo/nothing"), (400, "request/invalid"), (401, "token/missing"),
        (404, "request/no-such-route"),
    ]  # fmt: skip


def test_the_log_has_the_slug_of_what_is_refused_before_it_is_routed(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0.1") as server, server.client() as client:
        statuses = [client.get("/v1/rulesets").status_code for _ in range(4)]
        lines = [each for each in server.lines() if each["event"] == "request"]

    assert statuses[-1] == 429
    assert [each.get("slug") for each in lines][-1] == "server/too-often"
