"""The command line, as people and programs use it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from machines.contract.ruleset import ruleset
from replays.scripts.format import examples

STOYA = examples()["stoya"]


@pytest.fixture
def played(affray):
    affray("--as", "ann", "play", "stoya")
    return affray


def state(affray, *arguments: str) -> dict:
    return json.loads(affray("show", "--json", *arguments))


# ---------------------------------------------------------------------------------------- play


def test_play_ends_with_the_state_and_nothing_else_on_standard_output(affray):
    said = json.loads(affray("play", "stoya", "--json"))

    assert [["assassin", 86], ["stoya", 62]] == said["initiative"]
    assert (1, 1, "stoya") == (said["round"], said["pass"], said["active"])
    assert {"damage": {"taken": 21, "capacity": 50}} == said["combatants"]["stoya"]["tracks"]
    assert 2 == said["combatants"]["stoya"]["wounds"]
    assert {"damage": {"taken": 4, "capacity": 35}} == said["combatants"]["assassin"]["tracks"]
    assert 0 == said["combatants"]["assassin"]["wounds"]
    names = [condition["name"] for condition in said["combatants"]["assassin"]["conditions"]]
    assert "incapacitated" in names
    assert said["entries"] == said["head"]
    assert 64 == len(said["digest"])
    assert list(said)[:6] == ["session", "title", "ruleset", "profile", "entries", "head"]


def test_play_always_opens_a_new_session_and_the_latest_is_meant(played):
    first = state(played)["session"]
    played("play", "stoya")

    assert first != state(played)["session"]
    assert 2 == len(json.loads(played("sessions", "--json")))
    assert first == state(played, first)["session"]


def test_the_mid_fight_document_has_open_rolls_with_their_targets(affray):
    text = STOYA.read_text().split('dice = { "stoya/to-hit" = 22')[0].rsplit("[[play]]", 1)[0]
    Path("half.toml").write_text(text)
    rests = json.loads(affray("play", "half.toml", "--json"))["rests"]

    assert [
        ("r1/stoya/a1/attack/to-hit", "stoya", "1d100", 37),
        ("r1/stoya/a1/attack/defend", "assassin", "1d100", 24),
    ] == [(rest["key"], rest["by"], rest["dice"], rest["target"]) for rest in rests]


@pytest.mark.parametrize(
    ("was", "becomes", "slug"),
    [
        ('"assassin/to-hit" = 8,', '"assassin/to-hit" = 100,', "dice/impossible-face"),
        ("[3, 4, 4, 5]", "[3, 4, 4, 5, 1]", "dice/wrong-count"),
        ("init       = 63", "initt = 63", "sheet/invalid"),
        ("init       = 63", 'init = "63"', "sheet/invalid"),
        ('kind      = "ranged"', 'kind = "rangd"', "sheet/invalid"),
        ('damage    = "2d10+5"', 'damage = "2d+5"', "sheet/invalid"),
        ('"eclipse_phase_1e"', '"dnd"', "ruleset/unknown"),
        ("first printing", "nth printing", "profile/unknown"),
        ("[combatants.assassin]", "[options]\nmargin = 3\n[combatants.assassin]", "profile/option"),
        ("[combatants.assassin]", "[options]\nluck = 3\n[combatants.assassin]", "profile/option"),
        ("begin = {", "begn = {", "script/invalid"),
        ("affray  = 1", "affray = 2", "script/invalid"),
        ('at = "stoya"', 'at = "nobody"', "combatant/unknown"),
        ('using = "shredder"', 'using = "spoon"', "terms/invalid"),
        ('range = "short"', 'range = "far"', "terms/invalid"),
        ('range = "short"', 'reach = "far"', "terms/invalid"),
        ('choose = { stoya = "fray" }', 'choose = { stoya = "hide" }', "choice/not-offered"),
        ("assassin = 23, stoya = 27", "nobody = 23", "dice/not-asked-for"),
        ('figure = "dv"', 'figure = "luck"', "overrule/no-such-figure"),
    ],
)
def test_a_wrong_script_gets_its_own_refusal_and_nothing_is_kept(affray, was, becomes, slug):
    text = STOYA.read_text()
    assert was in text
    Path("wrong.toml").write_text(text.replace(was, becomes))
    said = affray("play", "wrong.toml", code=2)

    assert slug == said.strip().splitlines()[-1].split(": ")[0]
    assert not Path("affray.db").exists()


def test_an_expectation_that_does_not_hold_says_both_values_and_exits_with_1(affray):
    Path("wrong.toml").write_text(STOYA.read_text().replace("taken = 26", "taken = 27"))
    said = affray("play", "wrong.toml", code=1)

    assert "expected 27, found 26" in said
    assert not Path("affray.db").exists()


def test_under_json_a_refusal_is_an_object_on_standard_error(affray):
    said = affray("show", "--json", code=2)

    assert {"error"} == json.loads(said).keys()
    assert "session/unknown" == json.loads(said)["error"]["slug"]


def test_reading_makes_no_ledger(affray):
    for verb in ("show", "log", "sessions", "verify", "undo"):
        affray(verb, code=2)

    assert [] == list(Path().iterdir())


@pytest.mark.parametrize(
    "arguments", [["nope"], ["overrule", "x"], ["show", "--at", "soon"], ["undo", "--to", "1", "--turn"]]
)
def test_wrong_usage_exits_with_2(played, arguments):
    assert played(*arguments, code=2).startswith("usage: ")


# ---------------------------------------------------------------------------------------- the gamemaster's word


def test_undo_and_redo_go_back_and_forward_and_leave_a_trace(played):
    before = state(played)
    played("undo", "--exchange", "--why", "the wrong target")
    undone = state(played)
    played("redo")
    again = state(played)

    assert (0, 30) == (undone["combatants"]["assassin"]["tracks"]["damage"]["taken"], before["head"])
    assert before["combatants"] == again["combatants"]
    assert 32 == again["entries"]
    assert "Back to entry 23. the wrong target" in played("log", "--all")
    assert "the wrong target" not in played("log")


def test_undo_to_an_entry_makes_it_the_last_that_stands(played):
    played("undo", "--to", "11")

    assert (11, 31) == (state(played)["head"], state(played)["entries"])
    assert 0 == state(played)["combatants"]["stoya"]["wounds"]


def test_an_overruled_figure_carries_through_and_keeps_every_later_die(played):
    played("overrule", "assassin/damage", "dv", "9", "--why", "a glancing hit")
    now = state(played)

    assert 9 == now["combatants"]["stoya"]["tracks"]["damage"]["taken"]
    assert 0 == now["combatants"]["stoya"]["wounds"]
    assert "57" in played("why", "stoya/to-hit")  # no wounds: 47 + 10
    assert "22" in played("why", "stoya/to-hit")


def test_what_was_spent_is_explained_like_any_other_number(affray):
    affray("play", "jinx")

    said = affray("why", "jinx.flex")

    assert "flex 0 of 1" in said
    assert "flip" in said


def test_a_late_modifier_reads_the_same_dice_again(played):
    played("modify", "stoya/to-hit", "-30", "--why", "smoke")
    now = state(played)

    assert 0 == now["combatants"]["assassin"]["tracks"]["damage"]["taken"]
    assert "miss" == now["outcome"]


def test_adjust_sets_and_ends(played):
    played("adjust", "stoya", "tracks.damage", "3", "--why", "first aid")
    played("adjust", "stoya", "conditions.prone", "slipped", "--why", "ice")
    assert ["prone"] == [each["name"] for each in state(played)["combatants"]["stoya"]["conditions"]]

    played("adjust", "stoya", "conditions.prone", "none", "--why", "up again")
    now = state(played)["combatants"]["stoya"]

    assert (3, []) == (now["tracks"]["damage"]["taken"], now["conditions"])


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (["undo", "--to", "99"], "entry/unknown"),
        (["redo"], "redo/nothing"),
        (["overrule", "assassin/damage", "luck", "1", "--why", "x"], "overrule/no-such-figure"),
        (["overrule", "assassin/damage", "dv", "many", "--why", "x"], "overrule/impossible"),
        (["overrule", "r1/assassin/a2/attack", "outcome", "maybe", "--why", "x"], "overrule/impossible"),
        (["modify", "nobody", "-10", "--why", "x"], "roll/unknown"),
        (["adjust", "stoya", "luck", "1", "--why", "x"], "adjust/unknown"),
        (["adjust", "nobody", "wounds", "1", "--why", "x"], "combatant/unknown"),
        (["why", "nobody/at-all"], "roll/unknown"),
        (["why", "stoya.luck"], "why/nothing"),
        (["show", "ZZZ"], "session/unknown"),
        (["show", "--at", "99"], "entry/unknown"),
        (["replay", "--at", "0"], "entry/unknown"),
        (["rules", "dnd"], "ruleset/unknown"),
        (["rules", "eclipse_phase_1e", "luck"], "table/malformed"),
        (["import", "nothing.jsonl"], "log/unreadable"),
        (["--as", "bob:king", "show"], "who/malformed"),
        (["--as", "bob:player", "undo"], "seat/not-allowed"),
        (["--ledger", "ftp://x", "show"], "store/unknown"),
        (["play", "nothing.toml"], "script/unknown"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(played, arguments, slug):
    before = state(played)

    assert slug == played(*arguments, code=2).strip().splitlines()[-1].split(": ")[0]
    assert before == state(played)


# ---------------------------------------------------------------------------------------- reading


def test_the_log_as_json_is_one_entry_a_line_with_events_by_name(played):
    played("undo")
    entries = [json.loads(line) for line in played("log", "--all", "--json").splitlines()]

    assert list(range(1, 32)) == [entry["seq"] for entry in entries]
    assert {"seq", "after", "at", "by", "stands", "origin", "rules_version", "command", "events"} == entries[0].keys()
    assert {"name": "ann", "seat": "gm"} == entries[0]["by"]
    assert "OpenSession" == entries[0]["command"]["type"]
    assert "SessionOpened" == entries[0]["events"][0]["type"]
    assert [16, 17, 30, 31] == [entry["seq"] for entry in entries if not entry["stands"]]
    assert 16 == entries[17]["origin"]


def test_show_at_an_entry_is_what_was_so_then(played):
    assert 26 == state(played, "--at", "16")["combatants"]["stoya"]["tracks"]["damage"]["taken"]
    assert 21 == state(played, "--at", "18")["combatants"]["stoya"]["tracks"]["damage"]["taken"]


def test_replay_shows_every_entry_that_stands(played):
    documents = [json.loads(line) for line in played("replay", "--json").splitlines()]

    assert 28 == len(documents)
    assert state(played)["combatants"] == documents[-1]["combatants"]
    assert played("replay", "--speed", "0").count("entry") > 2


@pytest.mark.parametrize(
    "roll", ["r1/stoya/a1/attack/to-hit", "assassin/shock", "assassin/damage", "r1/stoya/initiative"]
)
def test_why_explains_a_roll_to_page_and_person(played, roll):
    parts = json.loads(played("why", roll, "--json"))["parts"]

    assert "dice" in [part["what"] for part in parts]
    for part in parts:
        assert part["by"] in ("ann (gm)", "kira (player)")
        assert part["entry"] > 0
        assert part["source"].startswith("EP1 ") or part["what"] in ("dice", "dv overruled")


def test_why_goes_backwards_from_health_to_the_attack(played):
    found = json.loads(played("why", "stoya.wounds", "--json"))

    assert [2] == [part["value"] for part in found["parts"]]
    assert ["r1/assassin/a2/attack"] == [attack["subject"] for attack in found["leads_to"]]


def test_verify_accepts_the_log_and_an_earlier_head(played):
    head = state(played, "--at", "11")["digest"]

    assert json.loads(played("verify", "--json", "--head", head))["verified"]
    assert played("verify", "--head", "00" * 32, code=1).startswith("log/broken")


def test_verify_finds_an_altered_entry(played):
    import sqlite3

    with sqlite3.connect("affray.db") as ledger:
        ledger.execute("DROP TRIGGER entries_never_update") if _has_trigger(ledger) else None
        (row,) = ledger.execute("SELECT max(id) - 10 FROM entries").fetchone()
        ledger.execute("UPDATE entries SET line = replace(line, 'kira', 'anna') WHERE id = ?", (row,))
    ledger.close()

    assert played("verify", code=1).startswith("log/broken: entry 20")


def _has_trigger(ledger) -> bool:
    for (name,) in ledger.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'"
    ).fetchall():
        ledger.execute(f'DROP TRIGGER "{name}"')
    return False


def test_rules_print_every_table_chart_and_schema(affray):
    assert "eclipse_phase_1e" in affray("rules")
    assert {"ranges", "rulings", "profiles"} <= json.loads(affray("rules", "eclipse_phase_1e", "--json")).keys()
    assert "point-blank" in affray("rules", "eclipse_phase_1e", "ranges")
    assert affray("rules", "eclipse_phase_1e", "--chart").count("flowchart TD") == len(
        ruleset("eclipse_phase_1e").charts
    )
    schema = json.loads(affray("rules", "eclipse_phase_1e", "--schema", "--json"))
    assert {"sheet", "begin", "profile", "declare", "$defs"} == schema.keys()
    assert "attack" in schema["declare"]


def test_what_a_terminal_would_obey_is_not_printed(played):
    played("adjust", "stoya", "wounds", "3", "--why", "\x1b[31mred\nnew line")
    said = played("log") + played("show")

    assert "\x1b" not in said
    assert "\nnew line" not in said
    assert "prone (until standing up)" in said


def test_a_player_sees_why_but_no_more_than_they_may(played):
    assert "Excellent Success" in played("--as", "kira:player", "why", "assassin/damage")


def test_an_undo_after_a_correction_takes_all_of_it_back(played):
    before = state(played)["combatants"]
    said = played("overrule", "assassin/damage", "dv", "9", "--why", "a glancing hit")
    played("undo")

    assert "undo reverts all of it, back to entry 30" in said
    assert before == state(played)["combatants"]


@pytest.mark.parametrize("seat", ["kira", "king", "bob:player", "", "kira:gm"])
def test_an_export_is_only_for_somebody_at_the_table(played, seat):
    assert played("export", "--for", seat, code=2).startswith("who/malformed")


def test_an_entry_that_stands_on_nothing_is_found_and_breaks_nothing_else(played):
    import sqlite3

    with sqlite3.connect("affray.db") as ledger:
        _has_trigger(ledger)
        (row,) = ledger.execute("SELECT max(id) - 10 FROM entries").fetchone()
        ledger.execute("""UPDATE entries SET line = replace(line, '"after":19', '"after":99') WHERE id = ?""", (row,))
    ledger.close()

    assert played("verify", code=1).startswith("log/broken: entry 20")
    assert played("show", code=2).startswith(
        "store/damaged: entry 20 stands on nothing that is before it: run affray verify"
    )
    assert "Stoya" in played("sessions")


# ---------------------------------------------------------------------------------------- taking along


def test_a_session_goes_out_and_in_byte_for_byte(played):
    played("export", "-o", "out.jsonl")
    other = ("--ledger", "sqlite:///other.db")
    played(*other, "import", "out.jsonl")
    played(*other, "export", "-o", "again.jsonl")

    assert Path("out.jsonl").read_bytes() == Path("again.jsonl").read_bytes()
    assert state(played) == json.loads(played(*other, "show", "--json"))
    assert "session/exists" in played(*other, "import", "out.jsonl", code=2)


def test_an_altered_export_is_not_taken_in(played):
    played("export", "-o", "out.jsonl")
    altered = Path("out.jsonl").read_bytes().replace(b'"damage","stoya","damage",21', b'"damage","stoya","damage",12')
    Path("altered.jsonl").write_bytes(altered)
    Path("short.jsonl").write_bytes(b"\n".join(altered.splitlines()[:9]) + b"\n")

    assert played("verify", "altered.jsonl", code=1).startswith("log/broken: entry 18")
    for name in ("altered.jsonl", "short.jsonl"):
        played("--ledger", "sqlite:///other.db", "import", name, code=2)
    assert not Path("other.db").exists()


def test_a_player_s_export_verifies_and_cannot_be_imported_as_the_gamemaster_s(played):
    played("export", "--for", "kira:player", "-o", "kira.jsonl")

    assert "nothing altered" in played("verify", "kira.jsonl")


# ---------------------------------------------------------------------------------------- as a program


def test_the_installed_command_says_its_version():
    said = subprocess.run(
        [sys.executable, "-c", "from replays.cli import main; main()", "--version"], capture_output=True, text=True
    )

    assert 0 == said.returncode
    assert said.stdout.startswith("affray 0.")


def test_the_end_of_the_process_leaves_out_no_exit_function_and_no_output():
    def printed(program: str) -> str:
        command = [sys.executable, "-c", f"import atexit, sys; {program}", "rules", "gurps_3e", "--schema", "--json"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    whole = printed("from replays.cli.app import run; run(sys.argv[1:])")

    assert len(whole) > 1_000
    assert printed("atexit.register(print, 'the end'); from replays.cli import main; main()") == f"{whole}the end\n"


def test_a_closed_pipe_is_no_fault():
    code = "from replays.cli import main; main()"
    said = subprocess.run(
        f"{sys.executable} -c '{code}' play stoya >/dev/null && {sys.executable} -c '{code}' log --json | head -1",
        shell=True, capture_output=True, text=True,
    )  # fmt: skip

    assert "" == said.stderr.replace("\n", "")
    assert 1 == len(said.stdout.splitlines())


def test_a_condition_that_no_rule_knows_is_set_and_said_to_be_free(played):
    said = played("adjust", "stoya", "conditions.prnoe", "1", "--why", "ice")

    assert "prnoe is free: no rule knows it; did you mean prone?" in said
    assert "free" not in played("adjust", "stoya", "conditions.prone", "1", "--why", "ice")
