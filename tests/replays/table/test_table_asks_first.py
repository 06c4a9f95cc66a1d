"""The table asks before a thrown roll is changed, names the roll, and asks which one if there are several."""

import re

import msgspec
import pytest
from strategies import attacked

from ledger.commands import ApplyModifier, Overrule
from ledger.entry import Seat, Who
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.diff import RollReport
from replays.scripts.format import find_script, read
from replays.table.done import LineResult
from replays.table.table import Table

ANN = Who("ann")
SHOT, SOAK = "r1/slim/a1/attack/to-hit", "r1/slim/a1/attack/resist"


@pytest.fixture
def table() -> Table:
    """Returns the fight `street-fight` at its end."""
    return Table(perform(read(find_script("street-fight")[1])), ANN)


def record(table: Table) -> tuple[object, ...]:
    session = table.session
    return session.log.last, session.log.digest, session.log.head, session.combat


def said(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def asks(table: Table, line: str) -> LineResult:
    """Submits a line that asks, and writes nothing."""
    before = record(table)
    reply = said(table, line)
    assert table.asks, line
    assert ((), before) == (reply.entries, record(table))
    return reply


def words(reply: LineResult) -> str:
    return "\n".join(reply.done.lines)


def to_the_shot() -> Table:
    """Returns a fight in which Ann strikes at Bob: two rolls are open."""
    table = Table(attacked(), ANN)
    said(table, "fray")
    assert ["to-hit", "defend"] == [roll.key.rpartition("/")[2] for roll in table.question().rolls]
    return table


# ---------------------------------------------------------------------------------------- yes or no


@pytest.mark.parametrize("lines", [("modify slim/to-hit -2 dark alley",), ("modify slim/to-hit -2", "dark alley")])
def test_a_modifier_of_an_old_roll_that_flips_an_outcome_is_shown_first(table: Table, lines: tuple[str, ...]) -> None:
    for line in lines:
        reply = asks(table, line)
    report = reply.done.report

    assert isinstance(report, RollReport)
    assert ("slim", SHOT, "hit with colt america l36", 21) == (report.by, report.key, report.purpose, report.entry)
    flips = {flip.about: (flip.before, flip.after) for flip in report.flips}
    assert ("hit", "miss") == flips["slim: attack at razor"]
    assert ["razor"] == [each.by for each in report.needs_a_person]
    assert "change it? y/n" == table.asks
    written = said(table, "y")
    assert ApplyModifier(SHOT, -2, "dark alley") == msgspec.structs.replace(written.entries[0].command, given_at=None)
    assert "-2 on slim/to-hit: Slim, hit with colt america l36 (entry 21: 5 6)" == words(written)


@pytest.mark.parametrize(("key", "outcome"), [(SHOT, "failure"), ("r1/slim/a1/attack", "miss")])
def test_so_is_an_overruling(table: Table, key: str, outcome: str) -> None:
    report = asks(table, f"overrule {key} outcome {outcome} a warning shot").done.report

    assert isinstance(report, RollReport)
    assert ("slim", key) == (report.by, report.key)
    assert outcome in [flip.after for flip in report.flips if flip.key == key]
    written = said(table, "yes")
    assert isinstance(written.entries[0].command, Overrule)
    assert f"outcome {outcome} of {key}: slim, " in words(written)


@pytest.mark.parametrize("no", ["n", "no", "", "perhaps", "undo"])
def test_whatever_is_no_yes_leaves_everything_as_it_is(table: Table, no: str) -> None:
    asks(table, "modify slim/to-hit -2 dark alley")
    before = record(table)
    reply = said(table, no)

    statement = "nothing is changed" + ("" if no in ("n", "no", "") else f": {no!r} is neither y nor n")
    assert (statement, before, "") == (words(reply), record(table), table.asks)


def test_what_the_preview_shows_is_what_is_written(table: Table) -> None:
    report = asks(table, "modify slim/to-hit -2 dark alley").done.report
    assert report is not None
    aside = {each.entry for each in (*report.set_aside, *report.waits) if each.entry}
    before = table.session.log.timeline.line()
    said(table, "y")

    state, line = table.session.state(), table.session.log.timeline.line()
    assert report.after.combatants == state.combatants
    again = {entry.origin for entry in table.session.entries()}
    assert aside
    assert {seq for seq in before if seq not in line and seq not in again} == aside


@pytest.mark.parametrize("line", ["modify slim/to-hit 0 nothing", f"overrule {SOAK} margin 3 as it was"])
def test_what_changes_nothing_that_followed_is_written_at_once_and_says_which_roll(table: Table, line: str) -> None:
    found = table.session.combat.rolls
    last = table.session.log.last
    if line.startswith("overrule"):
        margin = next(
            event.margin
            for entry in table.session.entries()
            for event in entry.events
            if getattr(event, "key", "") == SOAK and hasattr(event, "margin")
        )
        line = line.replace("margin 3", f"margin {margin}")
    reply = said(table, line)

    assert "" == table.asks
    assert last < table.session.log.last
    assert found == table.session.combat.rolls
    assert "slim/to-hit: Slim, " in words(reply) or f"{SOAK}: razor, " in words(reply)


def test_a_roll_that_is_still_open_is_modified_at_once() -> None:
    table = to_the_shot()
    target = table.question().rolls[0].target or 0
    reply = said(table, "modify ann/to-hit -10 smoke")

    assert target - 10 == table.question().rolls[0].target
    assert "-10 on ann/to-hit: ann, hit with club (open)" == words(reply)


def test_nothing_is_drawn_while_something_is_asked_and_after_a_no(table: Table) -> None:
    table = Table(table.session, ANN, "all")
    asks(table, "undo 14")
    said(table, "y")
    assert table.question().rolls
    asks(table, "modify slim/to-hit -2 dark alley")
    before = record(table)
    said(table, "n")

    assert before == record(table)
    said(table, "show")
    assert before == record(table)


def test_a_yes_to_what_is_out_of_date_is_asked_again(table: Table) -> None:
    asks(table, "modify slim/to-hit -2 dark alley")
    Session(table.session.log.store, table.session.id).overrule(SHOT, "outcome", "failure", why="he never fired")
    assert "y" == table.submit("y").kept
    before = record(table)
    assert asks(table, "y").done.report is not None
    assert before == record(table)
    assert said(table, "y").entries


# ---------------------------------------------------------------------------------------- which roll


def test_a_bare_modifier_asks_which_roll_of_the_attack_and_a_number_answers(table: Table) -> None:
    reply = asks(table, "modify -2 dark alley")

    listed = [re.split(r"\s{2,}", line.strip()) for line in reply.done.lines]
    assert ["1", "2", "3", "4", "5"] == [number for number, *_ in listed]
    assert ["razor/to-hit", "razor/sixes", "razor/sixes/2", "slim/defend", "slim/resist"] == [
        each[1] for each in listed
    ]
    shown = asks(table, "1").done.report
    assert isinstance(shown, RollReport)
    assert "r1/razor/a4/attack/to-hit" == shown.key
    assert words(said(table, "y")).startswith("-2 on razor/to-hit: Razor, hit with smg (entry 39: 6 6 5")


@pytest.mark.parametrize(
    "line", ["-2 dark alley", "modify -2 dark alley", "razor: -2 dark alley", "modify razor -2 dark alley"]
)
@pytest.mark.parametrize("answer", ["1", "razor/to-hit", "r1/razor/a4/attack/to-hit", "to-hit"])
def test_a_shorthand_answers_as_well(table: Table, line: str, answer: str) -> None:
    asks(table, line)
    report = asks(table, answer).done.report

    assert isinstance(report, RollReport)
    assert "r1/razor/a4/attack/to-hit" == report.key


def test_what_is_none_of_them_is_asked_again_and_no_leaves_it(table: Table) -> None:
    for answer in ("9", "0", "dregs", "sixes and sevens"):
        asks(table, "modify -2 dark alley")
        before = record(table)
        reply = table.submit(answer)
        assert reply.refused is None
        assert f"{answer!r} is not one of these rolls" in reply.done.lines[0]
        assert (before, reply.done.asks) == (record(table), table.asks)
        assert "nothing is changed" == words(said(table, "no"))


def test_where_one_roll_is_open_and_none_thrown_a_bare_modifier_means_it() -> None:
    table = Table(perform(read(find_script("street-fight")[1])), ANN)
    table.session.rewind(10)
    for line in ("-2 dark alley", "modify -2 dark alley"):
        reply = said(table, line)
        assert "-2 on razor/to-hit: Razor, hit with smg (open)" == words(reply)
        said(table, "undo")


def test_where_a_shot_lies_and_the_dodge_is_open_it_is_asked() -> None:
    table = Table(perform(read(find_script("street-fight")[1])), ANN)
    table.session.rewind(12)

    lines = asks(table, "-2 dark alley").done.lines
    assert 2 == len(lines)
    assert "entry 11: 5 6 5 2 3 4 2 3 4 1 2" in lines[0]
    assert lines[1].endswith("Dregs, defend (open)")
    reply = said(table, "2")
    if table.asks:
        reply = said(table, "y")
    assert "-2 on dregs/defend: Dregs, " in words(reply)


def test_somebody_s_own_roll_is_meant_before_a_roll_against_them() -> None:
    """``modify razor`` once meant the soak roll of the combatant that Razor shot."""
    table = Table(perform(read(find_script("street-fight")[1])), ANN)
    table.session.rewind(13)  # Dregs is to resist

    reply = said(table, "modify razor -1 dark alley")
    report = reply.done.report
    key = report.key if isinstance(report, RollReport) else reply.entries[0].command.key
    assert "r1/razor/a1/attack/to-hit" == key


def test_an_overruled_figure_of_several_rolls_is_asked_for_too(table: Table) -> None:
    lines = asks(table, "overrule razor outcome miss a warning").done.lines

    assert any("razor/to-hit" in line for line in lines)
    assert any("razor/attack" in line for line in lines)
    assert "nothing is changed" == words(said(table, "n"))


def test_a_player_is_refused_before_anything_is_told(table: Table) -> None:
    kira = Table(table.session, Who("kira", Seat.PLAYER))
    before = record(kira)
    for line in (
        "modify -2 please",
        "-2 please",
        "modify slim/to-hit -2 please",
        f"overrule {SHOT} outcome miss please",
    ):
        reply = kira.submit(line)
        assert reply.refused is not None
        assert "seat/not-allowed" == reply.refused.slug
        assert ((), None, "") == (reply.done.lines, reply.done.report, kira.asks)
    assert before == record(kira)


def test_where_nothing_was_rolled_a_modifier_is_refused() -> None:
    table = Table(Session.create("memory://", ruleset="shadowrun_4e"), ANN)
    for line in ("-2 dark", "modify -2 dark"):
        reply = table.submit(line)
        assert reply.refused is not None
        assert "roll/unknown" == reply.refused.slug


# ---------------------------------------------------------------------------------------- a preview in Python


def test_the_preview_of_an_open_roll_is_none_and_of_no_roll_is_refused(table: Table) -> None:
    session = table.session
    session.rewind(12)
    before = record(table)

    assert session.preview_roll(ApplyModifier("dregs/defend", -2, "x")) is None
    report = session.preview_roll(Overrule("razor/to-hit", "outcome", "failure", "x"))
    assert report is not None
    assert before == record(table)


# ---------------------------------------------------------------------------------------- outside of an exchange


def test_of_several_open_initiatives_it_is_asked_whose_and_a_name_answers() -> None:
    table = Table(perform(read(find_script("street-fight")[1])), ANN)
    table.session.rewind(5)

    lines = asks(table, "-2 dazed").done.lines
    assert ["razor/initiative", "slim/initiative", "dregs/initiative"] == [line.split()[1] for line in lines]
    assert "-2 on slim/initiative: Slim, initiative (open)" == words(said(table, "slim"))
    assert "-2 on dregs/initiative: Dregs, initiative (open)" == words(said(table, "modify Dregs -2 dazed"))
    assert "-2 on razor/initiative: Razor, initiative (open)" == words(said(table, "razor: -2 dazed"))
