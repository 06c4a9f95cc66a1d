"""Secrets at the table, in scripts and on the command line; players' shares of the dice seed."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from ambush import KIRA, WATCHER, WHO, everything, flow, sheet
from rich.console import Console

from ledger.commands import GiveNonce, Join, OpenDispute
from ledger.entry import Seat, Who
from ledger.events import Declared, DiceRolled, Noted
from machines.contract.refusals import NotAllowed
from replays.api.run_script import perform
from replays.api.session import GM, Session
from replays.audit.audit import audit
from replays.cli.app import run
from replays.cli.board import show_question
from replays.cli.narration import entries
from replays.cli.screen import MARK
from replays.cli.tracker import tracker
from replays.scripts.format import BadScript, read
from replays.table.done import LineResult
from replays.table.table import Table

GAME = "gurps_3e"


@pytest.fixture
def table() -> Table:
    """Returns a fight of Ann, Kira's Bob, and a guard who is hidden."""
    session = Session.create("memory://", ruleset=GAME, title="At the gate")
    table = Table(session, GM)
    for line in ("add ann=guard", "add bob=guard@kira", "hide razor=guard", "begin"):
        said(table, line)
    return table


def said(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def refused(table: Table, line: str) -> str:
    reply = table.submit(line)
    assert reply.refused is not None, line
    return reply.refused.slug


# ------------------------------------------------------------------------------------------------ at the table


def test_who_is_hidden_is_on_no_players_screen_and_is_played_by_the_name_that_was_typed(table: Table) -> None:
    for line in ("ann: end", "end", "razor: attack at=bob using=fist"):
        if line == "end":
            table.session.perform(table.question().default.command)  # type: ignore[union-attr]
        else:
            said(table, line)

    assert [frame.by for frame in table.session.combat.exchange.frames] == [WHO]
    for who in (KIRA, WATCHER):
        assert "razor" not in everything(table.session, who)


def test_a_line_in_secret_hides_what_it_does(table: Table) -> None:
    said(table, "ann: attack at=bob using=fist")
    said(table, "secret ann 3 4 3")
    said(table, "secret note he limps")

    events = [event for entry in table.session.entries() for event in entry.events]
    (thrown,) = [event for event in events if isinstance(event, DiceRolled) and event.faces]
    (note,) = [event for event in events if isinstance(event, Noted)]
    assert (thrown.seen_by, note.seen_by) == ((), ())
    assert "he limps" not in everything(table.session, KIRA)
    said(table, "note aloud")
    assert "aloud" in everything(table.session, KIRA)


def test_a_skill_that_the_game_tests_by_itself_is_rolled_in_secret() -> None:
    table = Table(Session.create("memory://", ruleset="shadowrun_4e"), GM)
    said(table, "add kade=street-samurai@kira")
    (declared,) = said(table, "secret kade: infiltration").entries
    (roll,) = table.session.combat.rests
    assert (roll.by, roll.key.rpartition("/")[2], roll.seen_by) == ("kade", "test", ())
    (thrown,) = said(table, "secret ~").entries

    assert [event.seen_by for event in thrown.events if isinstance(event, DiceRolled) and event.faces] == [()]
    assert [event.seen_by for event in declared.events if isinstance(event, Declared)] == [()]


def test_a_combatant_is_named_in_brief_wherever_a_word_needs_one(table: Table) -> None:
    assert said(table, "whisper bo you hear steps").done.lines == ("seen by kira",)
    said(table, "adjust raz tracks.fatigue 1 a long wait")
    said(table, "an: attack at=bob using=fist")
    assert [frame.by for frame in table.session.combat.exchange.frames] == ["ann"]
    assert said(table, "reveal raz to bo").done.lines == ("raz is shown to kira",)
    assert refused(table, "leave zed he runs") == "combatant/unknown"


def test_a_roll_that_no_rule_asks_for_is_refused_with_the_note_to_write(table: Table) -> None:
    reply = table.submit("secret ann: stealth")
    assert reply.refused is not None
    assert "as a note: secret note ann: stealth" in reply.refused.accepts


def test_a_dispute_in_secret_is_hidden(table: Table) -> None:
    said(table, "secret dispute ann/initiative because it was counted twice")

    (entry,) = [each for each in table.session.entries() if isinstance(each.command, OpenDispute)]
    assert entry.command.seen_by == ()
    assert "counted twice" not in everything(table.session, KIRA)


def test_a_whisper_is_for_some_players_only(table: Table) -> None:
    assert said(table, "whisper bob you hear steps").done.lines == ("seen by kira",)

    assert "you hear steps" in everything(table.session, KIRA)
    assert "you hear steps" not in everything(table.session, WATCHER)
    assert refused(table, "whisper nobody psst") == "combatant/unknown"
    assert refused(table, "whisper bob") == "table/not-understood"


def test_reveal_tells_of_somebody_or_of_an_entry_to_all_or_to_some(table: Table) -> None:
    said(table, "secret note a trap")
    note = table.session.log.last

    said(table, f"reveal {note} to bob")
    said(table, "reveal razor to bob")
    assert "razor" in everything(table.session, KIRA)
    assert "a trap" in everything(table.session, KIRA)
    assert WHO not in "".join(flow(table.session, WATCHER))
    said(table, "reveal razor")
    assert "razor" in everything(table.session, WATCHER)
    assert refused(table, "reveal razor") == "reveal/nothing"
    assert refused(table, "reveal razor bob") == "table/not-understood"
    assert refused(table, "reveal razor to nobody") == "combatant/unknown"
    assert refused(table, "reveal") == "table/not-understood"
    assert said(table, "unseal").done.asks.startswith("open the seed")


def test_the_gamemaster_is_shown_which_lines_players_do_not_see(table: Table) -> None:
    reply = said(table, "whisper bob you hear steps")
    said_aloud = said(table, "note aloud")
    out = StringIO()
    console = Console(file=out, width=100)

    entries(console, table, (*reply.entries, *said_aloud.entries))

    secret, aloud = out.getvalue().splitlines()
    assert f"{MARK} Note: you hear steps" in secret
    assert MARK not in aloud


def test_the_gamemaster_s_tracker_marks_who_is_hidden_until_all_may_see_them(table: Table) -> None:
    def marked() -> list[str]:
        out = StringIO()
        tracker(Console(file=out, width=80), table)
        return [line for line in out.getvalue().splitlines() if MARK in line]

    (line,) = marked()
    assert f"{MARK} razor" in line
    said(table, "reveal razor to bob")
    assert len(marked()) == 1
    said(table, "reveal razor")
    assert marked() == []


def shown_as(table: Table, who: Who) -> str:
    """Returns the question at the end of the screen, as a person sees it."""
    out, mine = StringIO(), Table(table.session, who)
    show_question(Console(file=out, width=80), mine, mine.question())
    return out.getvalue()


@pytest.mark.parametrize("who", [KIRA, WATCHER], ids=str)
def test_while_a_hidden_combatant_acts_players_wait_for_the_gamemaster(table: Table, who: Who) -> None:
    for _ in range(2):
        table.session.perform(table.question().default.command)  # type: ignore[union-attr]
    assert [rest.by for rest in table.session.rests] == [WHO]

    assert shown_as(table, who) == "waiting for the gamemaster · help\n"
    assert "razor" in shown_as(table, GM)


def test_before_a_fight_only_the_gamemaster_is_shown_how_to_begin_one() -> None:
    table = Table(Session.create("memory://", ruleset=GAME), GM)

    assert shown_as(table, GM).startswith("no combatants yet: add WHAT")
    assert shown_as(table, KIRA) == "waiting for the gamemaster · help\n"


# ------------------------------------------------------------------------------------------------ in a script

SCRIPT = """
affray = 1
title = "At the gate"
ruleset = "gurps_3e"
policies = { hidden_turns = "someone" }

[combatants.ann]
name = "Ann"
[combatants.ann.sheet]
st = 11
dx = 12
ht = 11

[combatants.bob]
name = "Bob"
player = "kira"
[combatants.bob.sheet]
st = 11
dx = 11
ht = 11

[combatants.razor]
name = "Razor"
secret = true
[combatants.razor.sheet]
st = 11
dx = 10
ht = 11
skills = { brawling = 12 }
[combatants.razor.sheet.weapons.fist]
kind = "unarmed"
skill = "brawling"
damage = "1d-2"
type = "crushing"
natural = true

[[play]]
begin = {}
[[play]]
declare = { kind = "all_out_defense", by = "ann" }
[[play]]
declare = { kind = "all_out_defense", by = "bob" }
[[play]]
declare = { kind = "attack", by = "razor", at = "bob", using = "fist" }
[[play]]
dice = { "razor/to-hit" = [5, 5, 5] }
[[play]]
expect = { razor = { name = "Razor" }, order = ["ann", "bob", "razor"] }
[[play]]
note = "he has drunk"
secret = ["bob"]
[[play]]
adjust = { who = "razor", what = "tracks.fatigue", value = 1, why = "out of breath" }
"""


def test_a_script_goes_on_naming_who_joined_in_secret() -> None:
    session = perform(read(SCRIPT))

    assert list(session.combat.roster.who) == ["ann", "bob", WHO]
    assert session.combat.health.tracks[WHO]["fatigue"].taken == 1
    assert "he has drunk" in everything(session, KIRA)
    for text in ("Razor", "he has drunk"):
        assert text not in everything(session, WATCHER)


def test_a_script_reveals_and_amends_what_was_secret() -> None:
    more = """
[[play]]
reveal = { who = "razor", to = ["bob"] }
[[play]]
amend = { entry = "razor/attack", set = { "terms.at" = "ann" }, why = "it was Ann" }
"""
    session = perform(read(SCRIPT + more))

    assert session.combat.roster.hidden() == {WHO: ("bob",)}
    assert "Razor" in everything(session, KIRA)
    assert "Razor" not in everything(session, WATCHER)


def test_a_wrong_secret_is_refused_with_its_path() -> None:
    with pytest.raises(BadScript, match="secret"):
        read(SCRIPT.replace("secret = true", "secret = 1"))


# ------------------------------------------------------------------------------------------------ shares in the dice


def test_a_players_share_is_given_by_them_or_as_the_table_has_agreed_and_the_audit_says_who_gave_it() -> None:
    session = Session.create("memory://", ruleset=GAME)
    session.perform(Join("bob", sheet(GAME), player="kira"))
    ann, sam = Who("ann"), Who("sam", Seat.PLAYER)
    for by, command in (
        (ann, GiveNonce("kira", "x")),
        (sam, GiveNonce("kira", "x")),
        (sam, GiveNonce("kira", "x", True)),
    ):
        with pytest.raises(NotAllowed):
            session.perform(command, by=by)
    session.perform(GiveNonce("kira", "swordfish"), by=KIRA)
    session.perform(GiveNonce("sam", "xyzzy", agreed=True), by=ann)
    session.perform(GiveNonce("ann", "mine"), by=ann)

    given = [(one.player, one.by, one.is_their_own, one.is_agreed) for one in audit(session.log).dice.shares]
    assert given == [
        ("kira", "kira (player)", True, False), ("sam", "ann (gm)", False, True), ("ann", "ann (gm)", True, False)
    ]  # fmt: skip
    assert session.combat.session.nonces == (("kira", "swordfish"), ("sam", "xyzzy"), ("ann", "mine"))


# ------------------------------------------------------------------------------------------------ on the command line


@pytest.fixture
def affray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The command line, in a temporary folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        returned = run(arguments)
        found = capsys.readouterr()
        assert returned == code, found.err
        return found.out

    return call


def test_on_the_command_line_one_who_joined_in_secret_is_revealed_by_the_name_that_was_typed(
    affray: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "gate.toml").write_text(SCRIPT)
    affray("play", "gate.toml")
    assert "Razor" not in affray("export", "--for", "spectator")
    assert f"{MARK} Razor declares" in affray("log")

    told = json.loads(affray("reveal", "--who", "razor", "--json"))

    assert told["who"] == "razor"
    assert "Razor" in affray("export", "--for", "spectator")


def test_a_secret_is_not_told_to_the_gamemasters_own_combatants(table: Table) -> None:
    last = table.session.log.last

    assert refused(table, "reveal razor to ann") == "table/not-understood"
    assert refused(table, "whisper ann psst") == "table/not-understood"
    assert table.session.log.last == last
    assert said(table, "reveal razor to ann,bob").done.lines == ("razor is shown to kira",)


def test_a_line_in_secret_that_hides_nothing_says_so(table: Table) -> None:
    assert said(table, "secret dice typed").done.lines[-1] == "nothing of this is hidden"
    assert said(table, "secret note a trap").done.lines == ()


def test_the_menu_names_who_is_hidden_as_they_were_typed(table: Table) -> None:
    texts = [each.label for each in table.question().answers]

    assert any(text.startswith("attack razor") for text in texts)
    assert not any(WHO in text for text in texts)
    line = next(text for text in texts if text.startswith("attack razor"))
    said(table, line)
    assert WHO in table.session.combat.exchange.frames[-1].terms


# ------------------------------------------------------------------------------------------------ a player's refusals

TYPED = (
    "add {}=guard", "add {}=guard guard", "add guard as {} guard", "hide {}=guard {}=guard", "leave {}", "reveal {}",
    "adjust {} hit_points 1 no", "target {}", "modify {} 1 no", "overrule {} target 1 no", "why {}.hit_points", "? attack {}",
    "attack {}", "{} 3 3 3", "bob 3 3 3 {} 3 3 3", "bob 3 3 3, {} 3 3 3", "{}: end", "whisper {} psst", "whisper ann,{} psst",
    "secret {} 3 3 3", "dispute {}.hit_points no", "insert 2 {}: end", "whatif 2 who={}", "~~ {}", "amend 2 who={} no",
)  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
def test_a_player_is_answered_alike_about_who_is_hidden_and_who_is_not_there(table: Table, typed: str) -> None:
    hidden = next(iter(table.session.combat.roster.hidden()))
    for who in (KIRA, WATCHER):
        answers = []
        for name in ("razor", hidden, "nemo"):
            mine, last = Table(table.session, who, files=False), table.session.log.last
            reply = mine.submit(typed.replace("{}", name))
            assert table.session.log.last == last
            mine.submit("no") if reply.done.asks else None
            answers.append(
                (str(reply.refused).replace(name, "#"), [each.replace(name, "#") for each in reply.done.lines])
            )
        assert answers[0] == answers[1] == answers[2]
