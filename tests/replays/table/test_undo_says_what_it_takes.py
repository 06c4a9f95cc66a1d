"""``undo``, ``redo`` and ``rewind`` state which entries no longer stand; whatever is more than one own line asks first."""

import re

import pytest

from ledger.commands import Note
from ledger.entry import Seat, Who
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import find_script, read
from replays.table.done import LineResult
from replays.table.table import Table

ANN, BEN, KIRA = Who("ann"), Who("ben"), Who("kira", Seat.PLAYER)


@pytest.fixture
def table() -> Table:
    """The fight `street-fight` at its end: Ann's table, which has typed nothing yet."""
    return Table(perform(read(find_script("street-fight")[1]), by=ANN), ANN)


def submitted(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def text(reply: LineResult) -> str:
    return "\n".join([*reply.done.lines, reply.done.asks])


def asked(table: Table, line: str) -> str:
    """Returns what a line that asks first shows; nothing is written."""
    digest = table.session.log.digest
    shown = text(submitted(table, line))
    assert table.asks.endswith("? y/n"), shown
    assert table.session.log.digest == digest
    return shown


def test_the_last_line_of_ones_own_is_taken_at_once_and_then_named(table: Table) -> None:
    submitted(table, "note the stall burns")
    shown = submitted(table, "undo")
    assert [entry.seq for entry in shown.entries] == [47]
    assert text(shown).strip() == "took back entry 46: Note: the stall burns"
    assert submitted(table, "redo").done.lines == ("brought back entry 46: Note: the stall burns",)


def test_several_lines_are_listed_before_they_are_taken(table: Table) -> None:
    for line in ("note one", "note two", "note three"):
        submitted(table, line)
    shown = asked(table, "undo 2 twice the same")
    assert shown.splitlines() == ["   47 Note: two", "   48 Note: three", "take back entries 47-48? y/n"]
    assert submitted(table, "y").done.lines == ("took back entries 47-48",)
    assert table.session.log.entry(table.session.log.last).command.why == "twice the same"
    assert table.session.log.head == 46


def test_undo_to_an_entry_is_a_rewind_and_no_reason(table: Table) -> None:
    for line in ("note one", "note two", "note three"):
        submitted(table, line)
    shown = asked(table, "undo to 46 twice the same")
    submitted(table, "n")
    assert shown == asked(table, "rewind 46 twice the same")
    submitted(table, "n")
    asked(table, "undo to 46 twice the same")
    submitted(table, "y")
    assert table.session.log.head == 46
    assert table.session.log.entry(table.session.log.last).command.why == "twice the same"
    refused = table.submit("undo To 99").refused
    assert refused is not None
    assert "there is no entry 99" in refused.message


def test_thrown_dice_are_asked_for_even_if_they_are_the_last_line(table: Table) -> None:
    table.session.rewind(10)
    submitted(table, "5 6 5 2 3 4 2 3 4 1 2")
    shown = asked(table, "undo")
    assert re.search(r"^ +47 Razor rolls 5 6 5 2 3 4 2 3 4 1 2 \(hit with smg; typed\)", shown, re.MULTILINE)
    assert shown.endswith("take back entry 47? y/n")


def test_another_persons_line_is_asked_for(table: Table) -> None:
    Session(table.session.log.store, table.session.id).perform(Note("mine"), by=BEN)
    table.news()
    assert "take back entry 46 (by ben)? y/n" in asked(table, "undo")


def test_an_undone_correction_says_what_comes_back(table: Table) -> None:
    submitted(table, "modify slim/to-hit -2 dark alley")
    submitted(table, "y")
    written = table.session.log.last
    shown = asked(table, "undo")
    assert shown.endswith(f"take back entries 46-{written} (some by kira), and bring back entries 21-45? y/n")
    submitted(table, "y")
    assert table.session.log.head == 45
    again = asked(table, "redo")
    assert again.endswith(f"take back entries 21-45 (some by kira), and bring back entries 46-{written}? y/n")


@pytest.mark.parametrize(
    ("line", "head"), [("undo exchange", 36), ("undo turn", 35), ("rewind 30 too late", 30), ("rewind to 30", 30)]
)
def test_a_span_is_asked_for(table: Table, line: str, head: int) -> None:
    shown = asked(table, line)
    assert f"take back entries {head + 1}-45 (some by kira)? y/n" in shown
    assert len(shown.splitlines()) < 9
    submitted(table, "n")
    assert table.session.log.head == 45
    submitted(table, line)
    submitted(table, "y")
    assert table.session.log.head == head


def test_a_redo_says_what_comes_back(table: Table) -> None:
    submitted(table, "undo exchange")
    submitted(table, "y")
    shown = submitted(table, "redo").done.lines
    assert shown[0].startswith("brought back entries 37-45: Razor declares: attack")
    assert shown[0].endswith(", and what followed")


def test_a_rewind_forwards_brings_back_what_was_undone(table: Table) -> None:
    table.session.rewind(30)
    submitted(table, "note here")
    assert asked(table, "rewind 40").endswith("take back entry 47, and bring back entries 31-40? y/n")


def test_a_question_that_is_out_of_date_is_asked_again(table: Table) -> None:
    asked(table, "undo exchange")
    Session(table.session.log.store, table.session.id).perform(Note("meanwhile"), by=BEN)
    assert table.submit("y").kept == "y"
    assert "entries 37-46 (some by kira and ben)" in asked(table, "y")


@pytest.mark.parametrize("line", ["undo", "undo 3", "undo exchange", "redo", "rewind 3"])
def test_a_player_is_refused_before_anything_is_listed(table: Table, line: str) -> None:
    reply = Table(table.session, KIRA).submit(line)
    assert reply.refused is not None
    assert (reply.refused.slug, reply.done.lines) == ("seat/not-allowed", ())


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("rewind", "table/not-understood"),
        ("rewind soon", "table/not-understood"),
        ("rewind 99", "entry/unknown"),
        ("rewind 45", "undo/nothing"),
        ("undo 99", "undo/nothing"),
        ("undo 0", "table/not-understood"),
        ("undo rnd", "table/not-understood"),
        ("redo", "redo/nothing"),
    ],
)
def test_what_leads_nowhere_is_refused(table: Table, line: str, slug: str) -> None:
    refused = table.submit(line).refused
    assert refused is not None
    assert refused.slug == slug
