"""`affray fight` as people use it: with piped input, and with a terminal's keys."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import fragment_list_to_text, to_formatted_text
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import UnknownStep
from machines.contract.ruleset import ruleset
from replays.api.session import Session
from replays.cli import board, narration, table_view, terminal
from replays.cli.tracker import tracker
from replays.table.start import NewFight
from replays.table.table import Table

GAME = "eclipse_phase_1e"
GUARD = """
name       = "guard"
[sheet]
aptitudes  = { som = 15, wil = 15 }
durability = 30
init       = 50
skills     = { "kinetic weapons" = 40, fray = 30 }
[sheet.weapons.pistol]
kind   = "ranged"
skill  = "kinetic weapons"
damage = "2d10"
modes  = ["semi"]
"""
ACTING = ("", "99 20 10")
"""Lines that make the first of three act."""
THREE = ("--with", "guard.toml:2", "--with", "fay=guard.toml@kira")


@pytest.fixture(autouse=True)
def sheet(monkeypatch):
    monkeypatch.setenv("COLUMNS", "110")
    Path("guard.toml").write_text(GUARD)


def state(affray) -> dict:
    return json.loads(affray("show", "--json"))


# ---------------------------------------------------------------------------------------- piped in


def test_whoever_waits_may_break_in_on_the_one_who_is_asked(affray):
    said = affray(
        "fight", "gurps_3e", "--with", "a=trooper", "--with", "b=fencer",
        lines=("begin", "end", "wait", "end", "a: opportunity b rifle distance=0", "3 3 4", "quit"),
    )  # fmt: skip

    assert "or a: opportunity b rifle" in said
    assert "b [dodge]> quit" in said


def test_a_new_fight_at_a_terminal_proposes_the_profile_table():
    asked = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return ""

    assert table_view.choose_profile("gurps_3e", NewFight(), ask).profile == "table"
    assert asked == ["profile [table]> "]


def test_another_profile_may_be_chosen_and_a_wrong_one_is_asked_for_again():
    answers = iter(("tabel", "flowchart"))

    assert table_view.choose_profile("gurps_3e", NewFight(), lambda _: next(answers)).profile == "flowchart"


def test_a_profile_that_is_named_is_not_asked_for():
    assert table_view.choose_profile("gurps_3e", NewFight(profile="basic set"), pytest.fail).profile == "basic set"


def test_a_fight_from_a_pipe_is_played_as_printed_and_names_the_profile_table(affray, capsys):
    assert "(flowchart)" in affray("fight", "gurps_3e", "--with", "a=trooper", lines=("quit",)).splitlines()[0]
    assert table_view.choose_profile("gurps_3e", NewFight()) == NewFight()
    table_view.name_profile("gurps_3e", NewFight())
    assert "--profile table" in capsys.readouterr().err
    assert "(table)" in affray("fight", "gurps_3e", "--new", "--profile", "table", lines=("quit",)).splitlines()[0]


def test_a_fight_is_played_from_a_pipe(affray):
    said = affray("--as", "ann", "fight", GAME, *THREE, "--title", "Alley", lines=(*ACTING, "1", "1", "08 50", "quit"))

    assert "Alley" in said
    assert "guard-1 [end]> 1" in said
    assert "against 40" in said
    assert "Guard 1 rolls 08" in said
    assert "Fay rolls 50" in said or "Guard rolls 50" in said
    assert {"ann"} == {json.loads(line)["by"]["name"] for line in affray("log", "--json").splitlines()}


def test_the_end_of_what_is_piped_in_is_like_quit_and_nothing_is_lost(affray):
    affray("fight", GAME, *THREE, lines=(*ACTING, "1"))
    before = state(affray)
    said = affray("fight", GAME, lines=("quit",))

    assert "resuming" in said
    assert before == state(affray)
    assert "how to defend" in said


def test_what_was_begun_goes_on_where_it_stopped(affray):
    affray("fight", GAME, *THREE, lines=("", "99"))
    affray("fight", GAME, lines=("20",))
    affray("fight", GAME, lines=("10", "1"))

    assert 2 == len(state(affray)["rests"][0]["options"])
    affray("fight", GAME, lines=("undo 2", "y"))
    assert [("fay", "1d100")] == [(rest["by"], rest["dice"]) for rest in state(affray)["rests"]]


def test_a_refusal_is_one_line_and_the_table_asks_again(affray):
    said = affray("fight", GAME, *THREE, lines=("", "100", "1 2 3 4 5 6", "7"))

    assert "✗ dice/impossible-face: a d100 has no face 100 (accepted: 0 to 99; 00 for 100)" in said
    assert 2 == len(state(affray)["rests"])
    assert 6 == state(affray)["entries"]


def test_a_new_session_is_begun_when_asked_for(affray):
    affray("fight", GAME, *THREE)
    first = state(affray)["session"]
    affray("fight", GAME, "--new")
    second = state(affray)["session"]
    affray("fight", GAME, "--title", "Another")
    affray("fight", GAME, first[:-1] + first[-1], lines=("note here",))

    assert 3 == len(json.loads(affray("sessions", "--json")))
    assert first != second
    assert "Note: here" in affray("log", first)


def test_somebody_may_come_to_a_fight_that_goes_on(affray):
    affray("fight", GAME, *THREE)
    affray("fight", GAME, "--with", "guard.toml:1")

    assert "guard-3" in state(affray)["combatants"]


PROPOSED = b"profile second printing, as printed; --profile table: as a sensible table plays it\n"
"""What standard error names for a game that has a profile for a sensible table, where no profile is given."""


def last(text: str) -> str:
    """Returns the last line of what was written."""
    return text.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (["chess"], "ruleset/unknown"),
        ([GAME, "--with", "nobody"], "sheet/unknown"),
        ([GAME, "--profile", "nth"], "profile/unknown"),
        ([GAME, "--option", "luck=3"], "profile/option"),
        ([GAME, "--option", "luck"], "table/not-understood"),
        ([GAME, "--dice", "loaded"], "usage"),
        ([GAME, "01", "--new"], "usage"),
        ([GAME, "01"], "session/unknown"),
    ],
)
def test_what_cannot_be_begun_is_refused_and_nothing_is_kept(affray, arguments, slug):
    assert last(affray("fight", *arguments, code=2)).startswith(f"{slug}: ")
    if Path("affray.db").exists():
        assert [] == json.loads(affray("sessions", "--json"))


def test_a_value_that_an_option_has_not_is_refused_with_those_that_it_has(affray):
    refused = last(affray("fight", GAME, "--option", "double_critical=luck", code=2))

    assert refused.startswith("profile/option: ")
    assert "(accepted: higher_roll, higher_skill)" in refused


def test_a_player_sits_at_the_table_but_opens_none(affray):
    assert last(affray("--as", "kira:player", "fight", GAME, code=2)).startswith("seat/not-allowed")

    affray("--as", "ann", "fight", GAME, *THREE, lines=("", "guard-1=99 guard-2=20"))
    said = affray("--as", "kira:player", "fight", GAME, lines=("undo", "10", "1"))
    assert "✗ seat/not-allowed" in said
    assert "kira rolls" in said or "kira" in affray("log")
    assert "guard-1" == state(affray)["active"]


def test_what_a_terminal_would_obey_is_not_printed(affray):
    said = affray("fight", GAME, *THREE, lines=("note \x1b[2Jgone", "log", "\x1b[2J"))

    assert "\x1b" not in said.replace("> note \x1b[2Jgone", "").replace("> \x1b[2J", "")


def test_as_a_program_it_reads_standard_input_and_exits_with_0():
    said = subprocess.run(
        [sys.executable, "-c", "from replays.cli import main; main()", "fight", GAME, *THREE],
        input=b"\n99 20 10\n\xff\xfe\nwhy\n1\n", capture_output=True,
    )  # fmt: skip

    assert (0, PROPOSED) == (said.returncode, said.stderr)
    assert b"how to defend" in said.stdout
    assert "✗" in said.stdout.decode()


def test_other_verbs_do_not_load_the_terminal():
    code = "import sys, replays.cli.app; print({'prompt_toolkit', 'replays.table.table'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert "set()" == said.stdout.strip()


TRANSCRIPT = """
table> -2 dark alley
  1  razor/to-hit   Razor, hit with smg (entry 39: 6 6 5 2 3 4 2 3 4 1 2 3)
  2  razor/sixes    Razor, hit with smg: sixes again (entry 40: 6 3)
  3  razor/sixes/2  Razor, hit with smg: sixes again (entry 41: 4)
  4  slim/defend    Slim, defend (entry 42: 5 6 2 3 4)
  5  slim/resist    Slim, resist damage (entry 43: 5 5 6 2 3 4 2 3 1)
which one? 1 to 5, n for none [1]> slim/defend
PREVIEW: nothing is written · slim's r1/razor/a4/attack/defend, entry 42: defend
entry 42, 5 6 2 3 4 for r1/razor/a4/attack/defend: a modifier of -2 (dark alley)
SET ASIDE
  3 4 of r1/razor/a4/attack/defend (entry 42)
change it? y/n> n
nothing is changed
table> modify slim/to-hit -2 dark alley
PREVIEW: nothing is written · slim's r1/slim/a1/attack/to-hit, entry 21: hit with colt america l36
  razor: hit with smg: 11d6, of which 5 5 2 3 4 2 3 4 2 3 are known already  r1/razor/a3/attack/to-hit
  note (entry 44)
slim: attack at razor             hit       miss
change it? y/n> y
   46 To-hit: -2 dark alley.
-2 on slim/to-hit: Slim, hit with colt america l36 (entry 21: 5 6)
Razor: hit with smg, 1d6 more beside 5 5 2 3 4 2 3 4 2 3> -1 smoke
-1 on razor/to-hit: Razor, hit with smg (open)
Razor: hit with smg, 1d6 more beside 6 6 5 2 3 4 2 3 4 1 2 3> undo 2
taken back:
brought back:
take back entries 46-62 (some by kira), and bring back entries 21-45? y/n> y
took back entries 46-62, and brought back entries 21-45
""".strip().splitlines()


def test_an_old_roll_is_changed_after_a_question_only(affray):
    affray("play", "street-fight")
    before = state(affray)
    typed = [line.partition("> ")[2] for line in TRANSCRIPT if "> " in line]
    said = [line.rstrip() for line in affray("fight", "shadowrun_4e", lines=(*typed, "quit")).splitlines()]

    shown = iter(said)
    for line in TRANSCRIPT:
        assert line in shown, line
    assert before["combatants"] == state(affray)["combatants"]


# ---------------------------------------------------------------------------------------- at a terminal


def at_terminal(*keys: str, kept: InMemoryHistory | None = None) -> tuple[Table, str]:
    """Plays a fight of three with these keys; returns the session and the output."""
    session = Session.create(MemoryStore(), ruleset=GAME, title="Alley", session="FIGHT")
    table = Table(session, Who("ann"))
    table.add(["guard.toml:2", "fay=guard.toml@kira"])
    printed = StringIO()
    with create_pipe_input() as keyboard:
        keyboard.send_text("".join(keys))
        read = terminal.LineReader(
            table, lambda *size: table_view.bottom(table, *size), kept or InMemoryHistory(), keyboard, DummyOutput()
        )
        table_view.play(Console(file=printed, width=110), table, read)
    return table, printed.getvalue()


ENTER, CTRL_C, CTRL_D = "\r", "\x03", "\x04"


def test_keys_play_a_fight_and_control_d_leaves():
    table, said = at_terminal(ENTER, "99 20 10", ENTER, "1", ENTER, CTRL_D)

    assert "guard-1" == table.session.combat.turn.who
    assert "how to defend" in said


def test_a_word_is_completed_in_place():
    table, _ = at_terminal(CTRL_D)
    found = terminal.TableCompleter(table).get_completions(Document("undo exch"), CompleteEvent())

    assert [("exchange", -4)] == [(each.text, each.start_position) for each in found]


def test_every_line_is_kept_for_the_arrow_keys():
    kept = InMemoryHistory()
    at_terminal(ENTER, "99 20 10", ENTER, "note a draft", ENTER, CTRL_D, kept=kept)

    assert ["99 20 10", "note a draft"] == kept.get_strings()


def test_control_c_clears_the_line_and_what_was_asked_beside():
    table, _ = at_terminal("add nob", CTRL_C, "note", ENTER, CTRL_C, ENTER, "99 20 10", ENTER, CTRL_D)

    assert "guard-1" == table.session.combat.turn.who


def test_history_is_kept_in_a_file_and_does_without():
    terminal.history().append_string("att 1")
    path = Path(os.environ["XDG_STATE_HOME"]) / "affray" / "history"
    assert "att 1" in path.read_text()

    path.unlink()
    path.mkdir()
    terminal.history().append_string("att 2")


def test_one_step_fits_one_screen_however_many_fight():
    session = Session.create(MemoryStore(), ruleset=GAME, session="FIGHT")
    table = Table(session, Who("ann"), "all")
    table.add(["guard.toml:12", "fay=guard.toml@kira"])
    printed = StringIO()
    console = Console(file=printed, width=110, height=40, force_terminal=True)
    reply = table.submit("")
    narration.line_result(console, table, reply)
    tracker(console, table)
    board.show_question(console, table, table.question())

    assert session.combat.turn.who
    assert len(printed.getvalue().splitlines()) < 39


def test_the_bottom_of_the_screen_says_where_the_fight_stands():
    table, _ = at_terminal(ENTER, "99 20 10", ENTER, CTRL_D)

    assert table_view.toolbar(table).startswith(" Alley · round 1, pass 1 · guard 1 acts · entry ")


# ---------------------------------------------------------------------------------------- frames, headers, tables


def shown(table: Table, width: int = 110, height: int = 40) -> str:
    """Returns the screen when the table asks."""
    printed = StringIO()
    console = Console(file=printed, width=width, height=height, force_terminal=True, color_system=None)
    tracker(console, table)
    board.show_question(console, table, table.question())
    return printed.getvalue()


def in_memory(*lines: str) -> Table:
    table = Table(Session.create(MemoryStore(), ruleset=GAME, session="FIGHT"), Who("ann"))
    for line in lines:
        assert table.submit(line).refused is None, line
    return table


ACTS = ("add guard.toml:2 fay=guard.toml@kira", "", "99 20 10")


@pytest.mark.parametrize("height", [24, 40])
@pytest.mark.parametrize("width", [80, 110])
def test_a_step_with_many_options_leaves_room_for_what_happened(width, height):
    table = in_memory("add thug:2 firewall-agent@kira street-medic@kira", "")
    printed = StringIO()
    console = Console(file=printed, width=width, height=height, force_terminal=True, color_system=None)
    narration.line_result(console, table, table.submit("*"))
    told = len(printed.getvalue().splitlines())
    tracker(console, table)
    board.show_question(console, table, table.question())
    lines = printed.getvalue().splitlines()

    assert told >= 6
    assert len(lines) <= height - 2
    assert any("⏎" in line for line in lines)
    assert all(len(line) <= width for line in lines)


def test_the_header_says_which_moment_of_a_fight_it_is():
    ambush = in_memory("add thug:2 fay=thug@kira")
    assert "no fight yet" in shown(ambush)
    assert ambush.submit("begin ambushers=thug-1").refused is None
    assert "before the first round" in shown(ambush)
    assert "before the first round" in table_view.toolbar(ambush)
    assert ambush.submit("/end").refused is None
    assert "the fight is over" in shown(ambush)
    table = in_memory(*ACTS)
    assert "round 1, pass 1" in shown(table)
    scores = [str(score) for _, score in table.session.state().initiative]
    table.submit("/end")
    assert "the fight is over" in shown(table)
    assert not any(f" {score} " in shown(table) for score in scores)


def test_after_a_fight_it_is_said_once_what_can_be_done_outside_of_one(affray):
    said = affray("fight", GAME, *THREE, lines=(*ACTING, "/end", "note one", "note two"))

    assert 1 == said.count("outside a fight: ")
    assert "stress" in said.partition("outside a fight: ")[2].splitlines()[0]


def test_what_there_is_to_spend_is_on_a_wide_tracker_from_the_start():
    table = in_memory("add thug")

    assert "light pistol 10/10" in shown(table)
    assert "light pistol" not in shown(table, width=80)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_however_much_there_is_to_spend_the_names_are_on_the_tracker(width):
    table = Table(Session.create(MemoryStore(), ruleset="eclipse_phase_2e", session="FIGHT"), Who("ann"))
    assert table.submit("add kade=firewall-agent@sam ana=async@lea thug:2 reaper").refused is None

    rows = shown(table, width=width).splitlines()

    assert all(any(f" {who} " in row and "damage 0/" in row for row in rows) for who in ("ana", "thug-1", "reaper"))
    assert all(len(row) <= width for row in rows)


@pytest.mark.parametrize("width", [80, 110])
def test_long_lists_are_wrapped_and_not_cut(width):
    table = in_memory(*ACTS)
    printed = StringIO()
    console = Console(file=printed, width=width, color_system=None)
    for line in ("sheets", "help modifiers", "help attack", "add nobody"):
        narration.line_result(console, table, table.submit(line))
    lines = printed.getvalue().splitlines()
    words = " ".join(" ".join(lines).split())

    assert all(len(line) < width for line in lines)
    assert "…" not in words
    assert 2 == words.count(", ".join(table.game.sheets))
    (modifiers,) = table.submit("help modifiers").done.lines
    assert 2 == words.count(" ".join(modifiers.removeprefix("attack: ").split()))


def test_a_fight_of_older_rules_says_how_to_get_out(monkeypatch):
    def gone(*_):
        raise UnknownStep("the attack has no step 9")

    table = in_memory(*ACTS, "1")
    monkeypatch.setattr("machines.engine.options.decide", gone)

    assert "began under older rules" in shown(table)
    assert "/end" in shown(table)


@pytest.mark.parametrize("width", ["80", "110"])
def test_every_table_of_a_game_can_be_read(affray, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    said = "\n".join(affray("rules", GAME, name) for name in ruleset(GAME).tables)

    assert all(len(line) <= int(width) for line in said.splitlines())
    assert not [line for line in said.splitlines() if "None" in line or "('" in line or "[]" in line or "()" in line]
    for row in ruleset(GAME).tables["weapons"]:
        assert row.name in " ".join(said.split())


def test_a_row_that_is_no_table_names_what_is_said_and_leaves_the_rest_out(affray, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = " ".join(affray("rules", GAME, "weapons").split())

    assert "diamond ax kind melee skill blades damage 2d10+3 ap -3 two handed reach EP1 335" in said


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
@pytest.mark.parametrize("verb", [("fight", GAME), ("show",), ("log",)])
def test_a_closed_stream_is_like_an_empty_one(affray, closed, verb):
    affray("fight", GAME, *THREE)
    streams = " ".join({0: "<&-", 1: ">&-", 2: "2>&-"}[number] for number in closed)
    program = f'{sys.executable} -c "from replays.cli import main; main()" {" ".join(verb)}'
    said = subprocess.run(["sh", "-c", f"{program} {streams}"], stdin=subprocess.DEVNULL, capture_output=True)

    assert (0, b"") == (said.returncode, said.stderr)
    assert "nothing altered" in affray("verify")


# ---------------------------------------------------------------------------------------- two terminals


class Two:
    """A table at a keyboard, and another person at the same fight."""

    def __init__(self, keyboard) -> None:
        store = MemoryStore()
        Session.create(store, ruleset=GAME, session="FIGHT")
        self.mine = Table(Session(store, "FIGHT"), Who("ann"))
        self.theirs = Table(Session(store, "FIGHT"), Who("bob"))
        for line in ACTS:
            self.theirs.submit(line)
        self.mine.news()
        self.keyboard = keyboard
        self.printed, self.bottoms = StringIO(), list[str]()
        self.read = terminal.LineReader(
            self.mine, lambda *_: "", InMemoryHistory(), keyboard, DummyOutput(), every=0.01
        )

    def play(self, *steps) -> str:
        """Executes one step at each check of the log."""
        left, look = list(steps), Table.is_behind.fget

        def looked(table: Table) -> bool:
            if left:
                left.pop(0)()
            self.bottoms.append(fragment_list_to_text(to_formatted_text(self.read._bottom())))
            return look(table)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Table, "is_behind", property(looked))
            table_view.play(Console(file=self.printed, width=110), self.mine, self.read)
        return self.printed.getvalue()

    def types(self, keys: str):
        return lambda: self.keyboard.send_text(keys)

    def others(self, line: str):
        return lambda: self.theirs.submit(line)


def test_a_table_that_waits_wakes_when_somebody_else_writes():
    with create_pipe_input() as keyboard:
        two = Two(keyboard)
        said = two.play(two.others("note the door opens"), two.types(CTRL_D))

    assert "meanwhile:" in said
    assert "the door opens" in said
    assert two.mine.session.log.last == two.theirs.session.log.last


def test_what_is_being_typed_is_left_alone_and_kept_when_it_came_too_late():
    with create_pipe_input() as keyboard:
        two = Two(keyboard)
        nothing = lambda: None  # noqa: E731
        said = two.play(
            two.types("attack fay"), nothing, two.others("note the door opens"), nothing,
            two.types(ENTER), nothing, two.types(ENTER), nothing, two.types(CTRL_D),
        )  # fmt: skip

    assert any("news: Enter" in bottom for bottom in two.bottoms)
    assert "✗ log/stale: another person wrote first: look at what changed, then enter the line once more" in said
    assert "how to defend" in said


def test_words_that_compute_and_files_at_the_terminal(affray):
    lines = (
        "add ganger:2",
        "export out.jsonl",
        "report /no/such/folder/page.html",
        "audit",
        "luck",
        "disputes",
        "rulings",
        "quit",
    )
    said = affray("fight", "shadowrun_4e", "--new", lines=lines)
    assert Path("out.jsonl").read_bytes().startswith(b'{"affray":1,')
    assert "written: out.jsonl" in said
    assert "✗ store/read-only: /no/such/folder/page.html cannot be written" in said
    assert "Audit of " in said
    assert "the session has no disputes" in said
    assert "no ruling yet" in said


def test_dice_and_defaults_are_options_and_kept_with_the_session(affray):
    affray("fight", GAME, *THREE, "--dice", "auto", "--defaults", "all", lines=("quit",))
    resumed = affray("fight", GAME, lines=("dice", "defaults", "quit"))

    assert "dice auto: " in resumed
    assert "defaults all: " in resumed
    assert "'often' is not one of ask, auto, all" in affray("fight", GAME, "--defaults", "often", code=2)
