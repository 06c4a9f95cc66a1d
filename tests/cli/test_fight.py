"""`affray fight` as people use it: piped in, and with a terminal's keys."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from replays.cli import board, tableside, terminal
from replays.cli.app import run
from replays.session import Session
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
"""What makes the first of three act."""
THREE = ("--with", "guard.toml:2", "--with", "fay=guard.toml@kira")


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AFFRAY_LEDGER", raising=False)
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("guard.toml").write_text(GUARD)


@pytest.fixture
def affray(capsys, monkeypatch):
    def call(*arguments: str, lines: tuple[str, ...] = (), code: int = 0) -> str:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
        returned = run(arguments)
        said = capsys.readouterr()

        assert code == returned, said.err
        return said.out if code == 0 else said.err

    return call


def state(affray) -> dict:
    return json.loads(affray("show", "--json"))


# ---------------------------------------------------------------------------------------- piped in


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

    assert "going on with" in said
    assert before == state(affray)
    assert "how to defend" in said


def test_what_was_begun_goes_on_where_it_stopped(affray):
    affray("fight", GAME, *THREE, lines=("", "99"))
    affray("fight", GAME, lines=("20",))
    affray("fight", GAME, lines=("10", "1"))

    assert 2 == len(state(affray)["rests"][0]["options"])
    affray("fight", GAME, lines=("undo 2",))
    assert 1 == len(state(affray)["rests"])
    assert ["fay"] == [rest["by"] for rest in state(affray)["rests"]]


def test_a_refusal_is_one_line_and_the_table_asks_again(affray):
    said = affray("fight", GAME, *THREE, lines=("", "100", "1 2 3 4 5 6", "7"))

    assert "✗ dice/impossible-face: a d100 has no face 100 (accepted: 0 to 99)" in said
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
    assert affray("fight", *arguments, code=2).startswith(f"{slug}: ")
    if Path("affray.db").exists():
        assert [] == json.loads(affray("sessions", "--json"))


def test_a_player_sits_at_the_table_but_opens_none(affray):
    assert affray("--as", "kira:player", "fight", GAME, code=2).startswith("seat/not-allowed")

    affray("--as", "ann", "fight", GAME, *THREE, lines=("", "guard-1=99 guard-2=20"))
    said = affray("--as", "kira:player", "fight", GAME, lines=("undo", "10", "1"))
    assert "✗ seat/not-allowed" in said
    assert "kira rolls" in said or "kira" in affray("log")
    assert "guard-1" == state(affray)["active"]


def test_what_a_terminal_would_obey_is_not_printed(affray):
    said = affray("fight", GAME, *THREE, "--title", "\x1b[31mred", lines=("note \x1b[2Jgone", "log", "\x1b[2J"))

    assert "\x1b" not in said.replace("> note \x1b[2Jgone", "").replace("> \x1b[2J", "")


def test_as_a_program_it_reads_standard_input_and_exits_with_0():
    said = subprocess.run(
        [sys.executable, "-c", "from replays.cli import main; main()", "fight", GAME, *THREE],
        input=b"\n99 20 10\n\xff\xfe\nwhy\n1\n", capture_output=True,
    )  # fmt: skip

    assert (0, b"") == (said.returncode, said.stderr)
    assert b"how to defend" in said.stdout
    assert "✗" in said.stdout.decode()


def test_other_verbs_do_not_load_the_terminal():
    code = "import sys, replays.cli.app; print({'prompt_toolkit', 'replays.table.table'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert "set()" == said.stdout.strip()


# ---------------------------------------------------------------------------------------- at a terminal


def at_terminal(*keys: str, kept: InMemoryHistory | None = None) -> tuple[Table, str]:
    """What a fight of three comes to when these keys are pressed, and what was printed."""
    session = Session.create(MemoryStore(), ruleset=GAME, title="Alley", session="FIGHT")
    table = Table(session, Who("ann"))
    table.add(["guard.toml:2", "fay=guard.toml@kira"])
    printed = StringIO()
    with create_pipe_input() as keyboard:
        keyboard.send_text("".join(keys))
        read = terminal.reader(
            table, lambda: tableside.toolbar(table), kept or InMemoryHistory(), keyboard, DummyOutput()
        )
        tableside.play(Console(file=printed, width=110), table, read)
    return table, printed.getvalue()


ENTER, CTRL_C, CTRL_D = "\r", "\x03", "\x04"


def test_keys_play_a_fight_and_control_d_leaves():
    table, said = at_terminal(ENTER, "99 20 10", ENTER, "1", ENTER, CTRL_D)

    assert "guard-1" == table.session.combat.turn.who
    assert "how to defend" in said


def test_a_word_is_completed_in_place():
    table, _ = at_terminal(CTRL_D)
    found = terminal.Words(table).get_completions(Document("undo exch"), CompleteEvent())

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
    reply = table.say("")
    board.reply(console, table, reply)
    board.tracker(console, session.state())
    board.question(console, table, table.question())

    assert session.combat.turn.who
    assert len(printed.getvalue().splitlines()) < 39


def test_the_bottom_of_the_screen_says_where_the_fight_stands():
    table, _ = at_terminal(ENTER, "99 20 10", ENTER, CTRL_D)

    assert tableside.toolbar(table).startswith(" Alley · round 1, pass 1 · guard 1 acts · entry ")
