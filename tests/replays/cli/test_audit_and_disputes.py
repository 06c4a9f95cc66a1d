"""`affray audit`, `dispute`, `settle`, `disputes`, `rulings`."""

import json
import sqlite3

import pytest


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def played(affray):
    affray("--as", "ann", "play", "stoya")
    return affray


# ---------------------------------------------------------------------------------------- audit


def test_an_audit_is_one_report_that_a_person_reads(played):
    played("overrule", "assassin/damage", "dv", "12", "--why", "a graze")
    played("undo", "--why", "no, it was not")

    said = played("audit")

    assert "verified, " in said
    assert "scripted: 7 faces in 7 rolls, kira (player)" in said
    assert "47 beam weapons [EP1 191 Step 1] -20 2 wounds [EP1 193 Combat Modifiers] +10 smartlink" in said
    assert "the rule says 26, the gamemaster 21: the book's example does not add the Excellent bonus" in said
    assert "the rule says 26, the gamemaster 12: a graze" in said
    assert "no longer stands" in said
    assert "no, it was not" in said
    assert not [line for line in said.splitlines() if line != line.rstrip()]


def test_an_audit_as_a_document(played):
    found = json.loads(played("audit", "--json"))

    assert found["sound"]
    assert {"chain", "dice", "rolls", "overrules", "modifiers", "adjustments", "rewinds", "amendments"} <= found.keys()
    assert {"second_thoughts", "disputes"} <= found.keys()


def test_an_audit_against_a_head_that_somebody_kept(played):
    head = json.loads(played("show", "--json", "--at", "11"))["digest"]

    assert head in played("audit", "--head", head)
    assert "log/broken" in played("audit", "--head", "00" * 32, code=1)
    assert "usage" in played("audit", "--head", "mine", code=2)


def test_an_audit_of_an_altered_log_says_no_and_still_tells_the_rest(played):
    with sqlite3.connect("affray.db") as ledger:
        for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            ledger.execute(f'DROP TRIGGER "{name}"')
        (row,) = ledger.execute("SELECT max(id) - 10 FROM entries").fetchone()
        ledger.execute("UPDATE entries SET line = replace(line, 'kira', 'anna') WHERE id = ?", (row,))
    ledger.close()

    said = played("audit", code=1)

    assert "BROKEN" in said
    assert "log/broken: entry 20" in said
    assert "spray weapons" in said


@pytest.mark.parametrize("name", ["last-stand", "street-fight", "jinx", "counter"])
def test_every_game_is_audited(affray, name):
    affray("play", name)

    assert "Rolls that stand" in affray("audit")


def test_what_a_terminal_would_obey_is_not_printed(played):
    played("--as", "kira:player", "dispute", "assassin/damage", "--why", "\x1b[31mred", "--claim", "[bold]21")
    played("settle", "d1", "upheld", "--why", "\x1b[0m[red]no")

    for verb in ("audit", "disputes", "rulings"):
        said = played(verb)
        assert "\x1b" not in said
        assert "[red]no" in said


# ---------------------------------------------------------------------------------------- disputes


def test_a_player_disputes_sees_the_evidence_and_what_would_come_of_the_claim(played):
    said = played(
        "--as", "kira:player", "dispute", "assassin/damage", "--why", "the DV is 26", "--claim", "figure dv = 5"
    )

    assert "d1: r1/assassin/a2/attack/damage" in said
    assert "dice 3 4 4 5 (scripted)" in said
    assert "stoya.damage: 21 → 5" in said
    assert "affray settle d1" in said
    assert "dv overruled 21" in said


def test_disputes_are_listed_settled_and_found_again(played):
    played("--as", "kira:player", "dispute", "stoya.wounds", "--why", "two wounds of 21?")
    assert "open" in played("disputes")
    played("undo", "--round", "--why", "from the top")

    said = played("settle", "d1", "overruled", "--entry", "18", "--why", "as the book prints it")

    assert "overruled by entry 18: as the book prints it" in said
    assert "as the book prints it" in played("disputes", "d1")
    assert "as the book prints it" in played("rulings", "wounds", "printS")
    assert "no ruling contains these words" in played("rulings", "grenade")


def test_disputes_as_documents(played):
    opened = json.loads(played("dispute", "12", "--why", "hm", "--claim", 'terms.range = "long"', "--json"))

    assert {"challenge", "settlement", "evidence", "alternative"} == opened.keys()
    assert "entry 12: terms.range is long" == opened["alternative"]["what"]
    assert "d1" == json.loads(played("disputes", "--json"))[0]["challenge"]["dispute"]
    settled = json.loads(played("settle", "d1", "upheld", "--why", "no", "--json"))
    assert "upheld" == settled["settlement"]["ruling"]
    assert ["overrule", "dispute"] == [one["kind"] for one in json.loads(played("rulings", "--json"))]


def test_rulings_of_all_sessions_are_the_tables_precedents(played):
    played("play", "jinx")

    assert "no ruling yet" in played("rulings")
    assert "Excellent bonus" in played("rulings", "--all-sessions")
    assert "eclipse_phase_1e" in played("rulings", "excellent", "--all-sessions")


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (("dispute", "nothing/such", "--why", "x"), "roll/unknown"),
        (("dispute", "999", "--why", "x"), "entry/unknown"),
        (("dispute", "assassin/damage"), "usage"),
        (("settle", "d9", "upheld", "--why", "x"), "dispute/unknown"),
        (("disputes", "d9"), "dispute/unknown"),
        (("--as", "kira:player", "settle", "d1", "upheld", "--why", "x"), "seat/not-allowed"),
        (("--as", "zoe:spectator", "dispute", "assassin/damage", "--why", "x"), "seat/not-allowed"),
    ],
)
def test_what_cannot_be_is_refused_by_its_slug(played, arguments, slug):
    assert played(*arguments, code=2).startswith(slug)


def test_a_ruling_that_is_none_is_refused_with_those_that_are(played):
    played("dispute", "12", "--why", "x")

    assert "upheld, amended, overruled" in played("settle", "d1", "denied", "--why", "x", code=2)


def test_why_names_the_entry_that_was_performed_again(played):
    assert "entry 18 (16 again)" in played("why", "assassin/damage")


def test_an_audit_names_both_entries_where_times_run_backwards(affray):
    from ledger.commands import Note
    from ledger.stores import open_store
    from replays.api.session import Session

    times = iter(("2024-11-03T12:00:00.000Z", "2024-11-03T11:59:59.000Z"))
    session = Session.create(
        open_store("sqlite:///affray.db", create=True), ruleset="eclipse_phase_1e", clock=lambda: next(times)
    )
    session.perform(Note("so"))
    session.close()

    said = affray("audit")

    assert "entry 2  written at 2024-11-03T11:59:59.000Z, before entry 1 at 2024-11-03T12:00:00.000Z" in said
    assert json.loads(affray("audit", "--json"))["backwards"][0]["before"] == 1


def test_a_dispute_at_the_table_names_its_words(affray):
    said = affray(
        "--as", "ann", "fight", "gurps_3e", "--with", "a=guard", "--with", "b=guard", "--dice", "all",
        lines=("begin", "1", "dispute a/to-hit too far", "quit"),
    )  # fmt: skip
    assert "open: settle d1 upheld or" in said
    assert "affray settle" not in said
