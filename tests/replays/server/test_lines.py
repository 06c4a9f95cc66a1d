"""The table over HTTP: its question, and lines in its language, sent and understood, from each seat."""

from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from server.processes import SHEET, Served, Table, served


def send(table: Table, line: str, seat: str = "gm", *answers: str, match: int | str | None = -1) -> httpx.Response:
    """Sends a line with the last entry that the seat knows; with another `match`, or with none."""
    seen = table.get("question", seat)["last"] if match == -1 else match
    headers = table.as_(seat) | ({} if seen is None else {"If-Match": f'"{seen}"'})
    return table.client.post(f"{table.path}/lines", headers=headers, json={"line": line, "answers": answers})


def sent(table: Table, line: str, seat: str = "gm", *answers: str) -> dict[str, Any]:
    answer = send(table, line, seat, *answers)
    assert answer.status_code == 201, answer.text
    done: dict[str, Any] = answer.json()
    return done


def understood(table: Table, line: str, seat: str = "gm") -> dict[str, Any]:
    answer = table.client.post(f"{table.path}/lines/understood", headers=table.as_(seat), json={"line": line})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def slug(answer: httpx.Response) -> str:
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["slug"])


def commands(table: Table) -> list[str]:
    return [each["command"]["type"] for each in table.get("entries")]


# ------------------------------------------------------------------------------------------------ an exchange


def test_an_exchange_is_played_by_lines_from_two_seats(brawl: Table) -> None:
    assert brawl.get("question")["key"] == "r1/ann/p1/act"
    assert brawl.get("question", "kira")["key"] == ""
    sent(brawl, "attack bob")
    question = brawl.get("question", "kira")
    assert (question["by"], [each["word"] for each in question["answers"]]) == (
        "bob",
        ["fray", "unarmed combat", "none"],
    )
    assert brawl.get("question", "ben")["others"] == [{"by": "bob", "name": "bob", "purpose": "how to defend"}]

    sent(brawl, "none", "kira")
    done = sent(brawl, "22")

    assert [entry["command"]["faces"] for entry in done["entries"]] == [[22]]
    assert done["narration"]
    assert done["question"]["rolls"][0]["dice"] == "1d10"
    assert done["question"]["last"] == done["last"] == brawl.get("state")["entries"]


def test_a_line_is_understood_before_it_is_sent_and_writes_nothing(brawl: Table) -> None:
    before = brawl.get("state")["entries"]

    assert understood(brawl, "attack bob")["sentences"] == ["Ann → bob, fist"]
    assert "attack" in [each["text"] for each in understood(brawl, "att")["completions"]]
    assert understood(brawl, "teapot")["refused"].startswith("choice/not-offered: ")
    assert understood(brawl, "undo")["sentences"] == [
        "undo [N | exchange | turn | round | to ENTRY] [WHY]: undoes the last line, N, or a span"
    ]
    assert brawl.get("state")["entries"] == before


def test_a_spectator_is_asked_nothing_and_may_only_read(brawl: Table) -> None:
    question = brawl.get("question", "spectator")

    assert (question["key"], question["answers"], question["rolls"]) == ("", [], [])
    assert [each["by"] for each in question["others"]] == ["ann"]
    assert sent(brawl, "luck", "spectator")["found"]["luck"]
    assert slug(send(brawl, "note hello", "spectator")) == "seat/not-allowed"
    assert slug(send(brawl, "attack bob", "spectator")) in ("table/not-understood", "seat/not-allowed")


DENIED = (
    "undo", "redo", "rewind 2", "amend 5 drop no", "remove 5 no", "modify bob 10 no", "+10 no", "overrule bob score 1 no",
    "secret end", "reveal 2", "reveal ann", "add brawler", "add a=brawler b=brawler", "hide brawler", "leave ann",
    "begin", "/end", "rename x", "unseal", "time 2 hours", "adjust bob wounds 0 no", "settle d1 upheld no", "target ann",
    "20 was 60", "reroll 5 = 3", "missed: fray", "insert 5 note x",
)  # fmt: skip


@pytest.mark.parametrize("line", DENIED)
def test_a_player_is_refused_what_belongs_to_the_gamemaster(brawl: Table, line: str) -> None:
    before = brawl.get("entries")

    assert slug(send(brawl, line, "kira", "because", "y")) in ("seat/not-allowed", "dispute/unknown")
    assert brawl.get("entries") == before


def test_a_player_is_refused_what_is_anothers(brawl: Table) -> None:
    before = brawl.get("entries")

    assert slug(send(brawl, "whatif 5 drop", "kira")) == "seat/not-allowed"
    for line in ("ann: end", "ann: attack bob", "attack ann", "1", "ann 50", ""):
        assert send(brawl, line, "kira").json().get("entries", []) == [], line
    assert brawl.get("entries") == before


def test_a_player_may_note_whisper_dispute_and_play(brawl: Table) -> None:
    brawl.do({"type": "Join", "who": "eve", "sheet": SHEET, "player": "ben"})
    for line in (
        "note rain",
        "whisper eve psst",
        "dispute bob/initiative the die was cocked",
        "dice all",
        "defaults auto",
    ):
        sent(brawl, line, "kira")

    assert commands(brawl)[-5:] == ["Note", "Note", "OpenDispute", "Note", "Note"]
    assert "psst" in str(brawl.get("entries", "ben"))
    assert "psst" not in str(brawl.get("entries", "spectator"))
    assert brawl.get("question", "kira")["dice"] == "all"
    assert brawl.get("question", "gm")["dice"] == "ask"


# ------------------------------------------------------------------------------------------------ late and repeated


def test_a_line_that_writes_needs_the_entry_that_was_seen(brawl: Table) -> None:
    bare = send(brawl, "attack bob", match=None)
    starred = brawl.client.post(
        f"{brawl.path}/lines", headers=brawl.as_("gm") | {"If-Match": "*"}, json={"line": "attack bob"}
    )

    assert slug(bare) == slug(starred) == "request/bare-line"
    assert (bare.status_code, bare.json()["accepts"]) == (422, '"6"')
    assert commands(brawl)[-1] == "TypeDice"


@pytest.mark.parametrize("line", ["note rain", "rename Night market", "adjust bob wounds 1 it fell"])
def test_a_line_that_means_the_same_later_needs_none(brawl: Table, line: str) -> None:
    assert send(brawl, line, match=None).status_code == 201


@pytest.mark.parametrize("line", ["luck", "why ann/initiative", "? attack bob", "log 3", "show", "help", "secret luck"])
def test_a_line_that_only_reads_needs_none(brawl: Table, line: str) -> None:
    answer = send(brawl, line, match=None)

    assert answer.status_code == 201
    assert (answer.json()["entries"], answer.json()["last"]) == ([], 6)
    assert answer.json()["found"]


def test_a_repeated_line_is_refused_and_does_not_answer_another_question(brawl: Table) -> None:
    last = brawl.get("question")["last"]
    assert send(brawl, "attack bob", match=last).status_code == 201
    again = send(brawl, "attack bob", match=last)

    assert (again.status_code, slug(again), again.json()["actual"]) == (409, "log/stale", last + 1)
    assert commands(brawl).count("Declare") == 1


def test_a_line_typed_before_others_wrote_is_refused_even_if_it_could_stand(brawl: Table) -> None:
    last = brawl.get("question")["last"]
    sent(brawl, "note rain", "kira")

    assert slug(send(brawl, "attack bob", match=last)) == "log/stale"
    assert slug(send(brawl, "note wind", match=last)) == "log/stale"
    assert slug(send(brawl, "note wind", match="rain")) == "request/header"


def test_a_preview_is_shown_even_if_others_wrote_and_the_correction_only_to_whoever_saw_all(brawl: Table) -> None:
    last = brawl.get("question")["last"]
    sent(brawl, "note rain", "kira")

    preview = send(brawl, "amend 5 was 45", "gm", "misread", match=last).json()
    assert preview["found"]["report"]["entry"] == 5
    assert slug(send(brawl, "amend 5 was 45", "gm", "misread", "y", match=last)) == "log/stale"
    done = send(brawl, "amend 5 was 45", "gm", "misread", "y", match=preview["question"]["last"]).json()
    assert done["entries"][0]["command"]["type"] == "Amend"


# ------------------------------------------------------------------------------------------------ questions of a line


def test_a_line_that_asks_writes_nothing_until_it_is_sent_with_the_answer(brawl: Table) -> None:
    before = brawl.get("entries")
    asked = sent(brawl, "amend 5 was 45")
    preview = sent(brawl, "amend 5 was 45", "gm", "misread")
    declined = sent(brawl, "amend 5 was 45", "gm", "misread", "n")

    assert (asked["found"]["asks"], asked["entries"]) == ("why", [])
    assert preview["found"]["asks"] == "amend it? y/n"
    assert preview["found"]["report"]["entry"] == 5
    assert "asks" not in declined["found"]
    assert brawl.get("entries") == before
    done = sent(brawl, "amend 5 was 45", "gm", "misread", "y")
    assert done["entries"][0]["command"]["type"] == "Amend"


def test_an_answer_that_nothing_asks_for_is_refused_if_nothing_was_written(brawl: Table) -> None:
    refused = send(brawl, "luck", "gm", "y")

    assert (slug(refused), refused.json()["where"]) == ("table/not-understood", "answers")


def test_a_line_that_has_written_is_never_answered_as_refused(brawl: Table) -> None:
    done = sent(brawl, "note rain", "gm", "y")

    assert [entry["command"]["type"] for entry in done["entries"]] == ["Note"]
    assert done["found"]["refused"].startswith("table/not-understood")


def test_no_question_of_one_request_is_answered_by_the_next(brawl: Table) -> None:
    sent(brawl, "amend 5 was 45")

    assert slug(send(brawl, "misread")) == "choice/not-offered"


# ------------------------------------------------------------------------------------------------ modifiers


def _modified(table: Table) -> list[int]:
    return [each["command"]["value"] for each in table.get("entries") if each["command"]["type"] == "ApplyModifier"]


def test_a_modifier_in_a_declaration_waits_until_a_player_has_chosen_over_any_route(brawl: Table) -> None:
    sent(brawl, "attack bob -10 sand")
    assert _modified(brawl) == []
    done = brawl.do({"type": "Choose", "key": "r1/ann/a1/attack/defense", "option": "none"}, "kira")

    assert [entry["command"]["type"] for entry in done["entries"]] == ["Choose", "ApplyModifier"]
    assert done["last"] == done["entries"][-1]["seq"]
    assert brawl.get("question")["rolls"][0]["target"] == 40
    sent(brawl, "22")
    assert _modified(brawl) == [-10]


def test_a_modifier_survives_a_restart_and_is_noted_and_applied_once(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        brawl = Table(client, server.host, "kira").brawl()
        sent(brawl, "attack bob -10 sand")
        sent(brawl, "note rain")
        sent(brawl, "note wind", "kira")
        assert commands(brawl)[-4:] == ["Declare", "Note", "Note", "Note"]
    for _ in range(2):
        with served(tmp_path, "--rate", "0") as server, server.client() as client:
            brawl.client = client
            sent(brawl, "note still here")
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        brawl.client = client
        assert [each["command"].get("about") for each in brawl.get("entries")].count("table/modifier") == 1
        brawl.get("question")
        sent(brawl, "none", "kira")
        sent(brawl, "22")
        assert _modified(brawl) == [-10]


def test_a_modifier_of_an_undone_declaration_does_not_return_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        brawl = Table(client, server.host, "kira").brawl()
        sent(brawl, "attack bob -10 sand")
        taken = sent(brawl, "undo")
        assert taken["head"] == 6, "the note belongs to the line"
        sent(brawl, "attack bob")
    with served(tmp_path, "--rate", "0") as server, server.client() as client:
        brawl.client = client
        sent(brawl, "none", "kira")
        sent(brawl, "22")
        assert _modified(brawl) == []


# ------------------------------------------------------------------------------------------------ the server's disk


@pytest.mark.parametrize("seat", ["gm", "kira"])
def test_no_word_reaches_a_file_of_the_server(server: Served, brawl: Table, seat: str) -> None:
    (server.folder / "thug.toml").write_text('[combatants.thug]\nsheet = "brawler"\n')
    files = (
        "thug.toml",
        str(server.folder / "thug.toml"),
        "/etc/passwd",
        "~/.bashrc",
        "affray.keys",
        "./thug.toml",
        ".",
    )
    there = set(server.folder.iterdir())
    for file in files:
        for line in (f"add {file}", f"add x={file}", f"add like {file}", f"hide {file}", f"insert 5 add {file}"):
            refused = send(brawl, line, seat)
            assert slug(refused) in ("sheet/unknown", "seat/not-allowed", "table/not-understood", "amend/change"), line
            assert "root:" not in refused.text
        for line in (f"export {file}", f"report {file}", f"secret export {file}"):
            assert slug(send(brawl, line, seat)) == "table/not-understood", line
    for line in ("add ", "add t", "add thug", "export /", "report /", "insert 5 add ", "hide ", "secret add "):
        offered = [each["text"] for each in understood(brawl, line, seat).get("completions", ())]
        assert not [each for each in offered if "toml" in each or "/" in each or "keys" in each], line
    assert set(server.folder.iterdir()) == there
    assert sorted(brawl.get("state")["combatants"]) == ["ann", "bob"]


# ------------------------------------------------------------------------------------------------ bounds


def test_lines_have_a_length_and_a_line_has_so_many_answers(brawl: Table) -> None:
    whole = "note " + "x" * 1_995
    assert send(brawl, whole).status_code == 201
    assert slug(send(brawl, whole + "x")) == "request/invalid"
    assert slug(send(brawl, "amend 5 was 45", "gm", *["y"] * 13)) == "request/invalid"
    twelve = send(brawl, "amend 5 was 45", "gm", *["n"] * 12)
    assert slug(twelve) == "table/not-understood"
    assert slug(send(brawl, "amend 5 was 45", "gm", "y" * 2_001)) == "request/invalid"


ODD = (
    "\x00",
    "\x1b[2J",
    "a\nb",
    "\u202eabc",
    "\u2066x\u2069",
    "\x7f",
    "é" * 900,
    "🐉" * 400,
    "\ufeff",
    "'\"",
    "=",
    "::",
    "((((",
    "%s %d {0}",
)


@pytest.mark.parametrize("seat", ["gm", "kira", "spectator"])
def test_no_text_breaks_the_server(brawl: Table, seat: str) -> None:
    for odd in ODD:
        for line in (odd, f"attack {odd}", f"why {odd}", f"{odd}: end", f"? {odd}", f"disputes {odd}", f"rules {odd}"):
            for answer in (send(brawl, line, seat), understood(brawl, line, seat)):
                assert isinstance(answer, dict) or answer.status_code in (201, 404, 422), (line, answer.text)
    raw = b'{"line": "note \\ud800"}'
    headers = brawl.as_(seat) | {"content-type": "application/json"}
    for where in ("lines", "lines/understood"):
        assert slug(brawl.client.post(f"{brawl.path}/{where}", headers=headers, content=raw)) == "request/invalid"


def test_a_storm_of_lines_being_typed_is_limited_by_the_rate(tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "20") as server, server.client() as client:
        table = Table(client, server.host)
        path, headers = f"{table.path}/lines/understood", table.as_("gm")
        answers = [client.post(path, headers=headers, json={"line": "no"}) for _ in range(120)]

    refused = [each for each in answers if each.status_code == 429]
    assert refused
    assert {slug(each) for each in refused} == {"server/too-often"}
    assert all("retry-after" in each.headers for each in refused)
    assert {each.status_code for each in answers} == {200, 429}


# ------------------------------------------------------------------------------------------------ who answers


def test_lines_that_read_are_answered_by_a_worker(brawl: Table, server: Served) -> None:
    metrics = brawl.client.get("/metrics").text
    for line in ("luck", "secret audit", "? attack bob", "log"):
        sent(brawl, line)
    understood(brawl, "attack")
    sent(brawl, "note rain")
    after = brawl.client.get("/metrics").text

    def asked(text: str, question: str) -> float:
        found = [
            line for line in text.splitlines() if question in line and 'answered"' in line and "_created" not in line
        ]
        return sum(float(line.rpartition(" ")[2]) for line in found)

    assert asked(after, "FoundByLine") - asked(metrics, "FoundByLine") == 4
    assert asked(after, "UnderstoodLine") - asked(metrics, "UnderstoodLine") == 1


# ------------------------------------------------------------------------------------------------ repeated, late, long


def keyed(table: Table, line: str, key: str, seat: str = "gm", **more: Any) -> httpx.Response:
    """Sends a line under an idempotency key."""
    last = more.pop("match", None) or table.get("question", seat)["last"]
    headers = table.as_(seat) | {"Idempotency-Key": key, "If-Match": f'"{last}"'}
    return table.client.post(f"{table.path}/lines", headers=headers, json={"line": line, **more})


def test_a_line_under_a_key_is_executed_once_also_when_others_have_written_meanwhile(brawl: Table) -> None:
    last = brawl.get("question")["last"]
    first = keyed(brawl, "note once", "k1", match=last)
    sent(brawl, "note between", "kira")
    again = keyed(brawl, "note once", "k1", match=last)

    assert (first.status_code, again.status_code) == (201, 201)
    assert [each["seq"] for each in again.json()["entries"]] == [each["seq"] for each in first.json()["entries"]]
    assert commands(brawl).count("Note") == 2
    assert slug(keyed(brawl, "note something else", "k1", match=last)) == "log/key-reused"


def test_a_line_of_several_commands_is_repeated_whole_under_its_key(brawl: Table) -> None:
    last = brawl.get("question")["last"]
    first = keyed(brawl, "add 3 goon=thug", "k1", match=last)
    again = keyed(brawl, "add 3 goon=thug", "k1", match=last)

    assert (first.status_code, again.status_code) == (201, 201)
    assert [each["seq"] for each in first.json()["entries"]] == [last + 1, last + 2, last + 3]
    assert again.json()["entries"] == first.json()["entries"]
    assert commands(brawl).count("Join") == 5


def test_an_answer_to_what_is_still_open_is_not_late_and_any_other_line_is(brawl: Table) -> None:
    sent(brawl, "attack bob")
    last, key = brawl.get("question")["last"], brawl.get("question", "kira")["key"]
    sent(brawl, "note between")

    headers = brawl.as_("gm") | {"If-Match": f'"{last}"'}
    late = brawl.client.post(f"{brawl.path}/lines", headers=headers, json={"line": "undo 3", "of": key})
    assert late.status_code == 409
    headers = brawl.as_("kira") | {"If-Match": f'"{last}"'}
    answer = brawl.client.post(f"{brawl.path}/lines", headers=headers, json={"line": "none", "of": key})
    assert answer.status_code == 201


@pytest.mark.parametrize("word", ["x", "-1 a", "bob"])
def test_a_line_of_very_many_words_is_refused_at_once(brawl: Table, word: str) -> None:
    line = ("attack " + f"{word} " * 1_000)[:2_000]
    before = monotonic()

    assert send(brawl, line).status_code < 500
    assert monotonic() - before < 10  # it took minutes


def test_whoever_has_no_seat_any_more_acts_no_more(brawl: Table) -> None:
    sent(brawl, "dice all", "kira")
    sent(brawl, "defaults all", "kira")
    (token,) = (each["id"] for each in brawl.get("tokens") if each["name"] == "kira")
    brawl.client.delete(f"{brawl.path}/tokens/{token}", headers=brawl.as_("gm")).raise_for_status()

    done = sent(brawl, "attack bob")
    assert {each["by"]["name"] for each in done["entries"]} == {"gm"}
