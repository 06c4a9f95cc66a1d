"""The JavaScript client plays, is refused, and follows in Node; what it parses may be cut anywhere."""

import json
import re
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from client.brawl import host_token
from javascript.programs import HERE, Running, node, program, session_with_a_note, steps
from places import ROOT
from server.processes import Served, served

from ledger.commands import Note

CLIENT = ROOT / "replays" / "javascript" / "affray.js"
EXAMPLE = re.search(r"```js\n(.*?)```", (CLIENT.parent / "README.md").read_text("utf-8"), re.S)


def test_a_fight_is_played_to_its_end_and_live_states_are_those_of_the_server(server: Served) -> None:
    done = steps("fight", server)

    assert done["entries"] > 20
    assert done["wounded"] > 0


def test_refusals_have_their_slugs_and_a_repeat_is_performed_once(server: Served) -> None:
    assert steps("refusals", server) == "refused"


def test_a_closed_live_state_ends_its_connection_whatever_was_cleared_from_memory(server: Served) -> None:
    words = (str(HERE / "run.js"), "cleared", server.url, host_token(server))

    assert json.loads(node("--expose-gc", *words)) == "closed"


def test_no_command_is_doubled_and_no_entry_lost_where_answers_and_feeds_are_cut(server: Served) -> None:
    assert steps("losses", server) == "nothing was lost"


def test_odd_answers_are_named_busy_servers_asked_again_and_silent_feeds_resumed(server: Served) -> None:
    assert steps("oddities", server) == "odd"


def test_a_session_is_found_archived_and_deleted(server: Served) -> None:
    assert steps("shelf", server) == "deleted"


def test_a_live_state_shows_what_is_revealed_and_ends_with_its_token(server: Served) -> None:
    assert steps("secrets", server) == "revealed"


@pytest.mark.parametrize("is_killed", [True, False])
def test_each_entry_arrives_once_where_the_server_is_started_again(tmp_path: Path, is_killed: bool) -> None:
    with served(tmp_path, "--rate", "0") as first:
        port = first.port
        with session_with_a_note(first) as (founded, session):
            reader = Running("follow", first.url, founded.tokens[0].token, founded.id)
            with closing(reader):
                reader.until(lambda reports: {"begins": 2} in reports and {"entry": 2} in reports)
                session.perform(Note("two"))
                reader.until(lambda reports: {"entry": 3} in reports and {"live": 3} in reports)
                if is_killed:
                    first.kill()
                else:
                    first.stop()
                reader.until(lambda reports: {"status": "cut"} in reports)
                with served(tmp_path, "--rate", "0", port=port):
                    for number in range(20):
                        session.perform(Note(f"another {number}"))
                    session.perform(Note("the last"))
                    reports = reader.end()

    assert of(reports, "entry") == list(range(1, 25))
    assert of(reports, "live") == list(range(3, 25))
    assert without_repeats(of(reports, "status")) == ["cut", "open", "closed"]
    assert reports[-1]["end"] == "null"


def without_repeats(statuses: list[str]) -> list[str]:
    """Returns the course of a feed as if it had been cut once: a busy machine may be slow to answer, and cut it again."""
    assert all(one != other for one, other in pairwise(statuses))
    return [statuses[0], *statuses[-2:]]


def of(reports: list[dict[str, Any]], name: str) -> list[Any]:
    return [each[name] for each in reports if name in each]


# ------------------------------------------------------------------------------------------------ parsing

PARSING = """
import { readFileSync } from "node:fs";
import { EventParser } from CLIENT;

const { text, cuts } = JSON.parse(readFileSync(0, "utf-8"));
const bytes = new TextEncoder().encode(text);
const parsed = (...places) => {
  const parser = new EventParser();
  const ends = [...places, bytes.length];
  return ends.flatMap((end, index) => parser.push(bytes.subarray(ends[index - 1] ?? 0, end)));
};
const found = new Set();
for (let one = 0; one <= bytes.length; one++)
  for (let other = one; other <= bytes.length; other += cuts) found.add(JSON.stringify(parsed(one, other)));
found.add(JSON.stringify(parsed(...Array.from(bytes.keys()))));
console.log(JSON.stringify([...found].map((each) => JSON.parse(each))));
"""


def parsed(text: str, cuts: int = 1) -> list[dict[str, str]]:
    """Returns the events of a text, which are the same wherever its bytes are cut into three, or into single bytes."""
    code = PARSING.replace("CLIENT", json.dumps(str(CLIENT)))
    found = json.loads(node("--input-type=module", "-e", code, text=json.dumps({"text": text, "cuts": cuts})))
    assert len(found) == 1, found
    (only,) = found
    return only


def event(data: str, kind: str = "message", number: str = "") -> dict[str, str]:
    return {"id": number, "event": kind, "data": data}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_the_same_wherever_their_bytes_are_cut(end: str) -> None:
    lines = (
        ": from here on", "", "id: 1", "event: entry", 'data: {"who":"Zoë 🎲"}', "", ": nothing new", "",
        "data:two", "data:  lines", "data", "", "event: refused", "data: x:y", "retry: 5", "unknown", "", "data: lost",
    )  # fmt: skip

    assert parsed(end.join(lines) + end) == [
        event('{"who":"Zoë 🎲"}', "entry", "1"), event("two\n lines\n", number="1"), event("x:y", "refused", "1"),
    ]  # fmt: skip


def test_line_ends_may_be_mixed_and_an_event_without_data_is_none() -> None:
    assert parsed("\ufeffdata: a\r\n\rdata: b\n\r\nevent: empty\r\n\r\nid: 4\0\ndata:\n\n") == [
        event("a"), event("b"), event(""),
    ]  # fmt: skip


def test_what_ends_lines_elsewhere_does_not_end_them_here() -> None:
    assert parsed("data: a\u2028b\x85c\x0b\x0c\x1cd\n\n") == [event("a\u2028b\x85c\x0b\x0c\x1cd")]


# ------------------------------------------------------------------------------------------------ patching

PATCHES: tuple[tuple[Any, Any, Any], ...] = (  # RFC 7396, appendix A
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ({"__proto__": {"a": 1}, "b": 1}, {"__proto__": {"c": 2}, "b": None}, {"__proto__": {"a": 1, "c": 2}}),
    ({}, {"constructor": {"prototype": {"x": 1}}}, {"constructor": {"prototype": {"x": 1}}}),
)


def test_merge_patches_are_applied_as_the_rfc_has_it_and_change_nothing_in_place() -> None:
    code = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ mergePatch }} from {json.dumps(str(CLIENT))};
        const given = JSON.parse(readFileSync(0, "utf-8"));
        const made = given.map(([target, patch]) => mergePatch(target, patch));
        console.log(JSON.stringify([made, given, Object.keys({{}}.x ?? {{}}).length]));
    """
    given = [list(each[:2]) for each in PATCHES]

    made, after, polluted = json.loads(node("--input-type=module", "-e", code, text=json.dumps(given)))

    assert made == [each[2] for each in PATCHES]
    assert after == given
    assert polluted == 0


# ------------------------------------------------------------------------------------------------ the README


def test_the_example_of_the_readme_runs_as_it_stands(server: Served, tmp_path: Path) -> None:
    assert EXAMPLE is not None
    program("node")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "affray").symlink_to(CLIENT.parent)
    script = tmp_path / "example.mjs"
    script.write_text(EXAMPLE[1], "utf-8")

    lines = node(
        "--preserve-symlinks", str(script), AFFRAY_URL=server.url, AFFRAY_TOKEN=host_token(server)
    ).splitlines()

    assert len(EXAMPLE[1].splitlines()) <= 25
    assert any("Ann rolls" in line for line in lines), lines
    assert lines[-2].startswith("403 seat/not-allowed ")
    assert lines[-1].startswith("round 1, waiting for ")
