"""Dice as people read them: hits and ones, totals, runs of digits; what reads both ways is asked."""

import msgspec
import pytest
from duels import met

from ledger.commands import Command, Declare, Join, TellDice, TypeDice
from ledger.entry import Who
from ledger.errors import Refused
from ledger.events import DiceTold
from replays.api.session import Session
from replays.table.language.dice_words import counts_in, thrown
from replays.table.language.grammar import Ambiguous
from replays.table.language.questions import OpenRoll
from replays.table.table import Table

HITS, DAMAGE, TOTAL = ("hits", "ones", "sixes"), ("total", "sixes"), ("total",)


def roll(dice: str, *counts: str) -> OpenRoll:
    return OpenRoll("k", "ann", "ann", "Ann", "to hit", dice, None, counts=counts)


def meant(dice: str, counts: tuple[str, ...], text: str) -> Command | tuple[str, ...] | str | None:
    """The command that a text means; the candidates if it is ambiguous; the slug of a refusal."""
    try:
        return thrown(roll(dice, *counts), text)
    except Ambiguous as ambiguous:
        return ambiguous.candidates
    except Refused as refused:
        return refused.slug


@pytest.mark.parametrize(
    ("dice", "counts", "text", "means"),
    [
        ("12d6", HITS, "4h", {"hits": 4}),
        ("12d6", HITS, "4H", {"hits": 4}),
        ("12d6", HITS, "h4", {"hits": 4}),
        ("12d6", HITS, "4h2", {"hits": 4, "ones": 2}),
        ("12d6", HITS, "h4 2", {"hits": 4, "ones": 2}),
        ("12d6", HITS, "4 hits, 2 ones", {"hits": 4, "ones": 2}),
        ("12d6", HITS, "4h 2o 1s", {"hits": 4, "ones": 2, "sixes": 1}),
        ("12d6", HITS, "4h2 1s", {"hits": 4, "ones": 2, "sixes": 1}),
        ("12d6", HITS, "4h1s", {"hits": 4, "sixes": 1}),
        ("12d6", HITS, "0h", {"hits": 0}),
        ("12d6", HITS, "555511112222", (5, 5, 5, 5, 1, 1, 1, 1, 2, 2, 2, 2)),
        ("12d6", HITS, "4x", None),
        ("12d6", HITS, "4h4h", None),
        ("12d6", HITS, "4h 1 2 3", None),
        ("12d6", HITS, "h", None),
        ("12d6", HITS, "4", {"hits": 4}),
        ("12d6", HITS, "12", {"hits": 12}),
        ("12d6", HITS, "13", "dice/wrong-count"),
        ("2d6", HITS, "2", {"hits": 2}),
        ("2d6", HITS, "12", (1, 2)),
        ("1d6", HITS, "1", (1,)),
        ("1d100", (), "4h", None),
        ("1d100", (), "00", (0,)),
        ("1d100", (), "100", "dice/impossible-face"),
        ("3d6", TOTAL, "11", {"total": 11}),
        ("3d6", TOTAL, "3", {"total": 3}),
        ("3d6", TOTAL, "111", (1, 1, 1)),
        ("3d6", TOTAL, "4 4 3", (4, 4, 3)),
        ("3d6", TOTAL, "19", "dice/impossible-count"),
        ("3d6", TOTAL, "11 on the dice", {"total": 11}),
        ("3d6", TOTAL, "total 11", {"total": 11}),
        ("2d6", TOTAL, "12", ("1 2", "12 on the dice")),
        ("2d6", TOTAL, "17", "dice/impossible-face"),
        ("2d6", TOTAL, "35", (3, 5)),
        ("2d10+5", TOTAL, "16", ("1 6", "16 on the dice", "16 in all")),
        ("2d10+5", TOTAL, "5", {"total": 5}),
        ("2d10+5", TOTAL, "20", ("20 on the dice", "20 in all")),
        ("2d10+5", TOTAL, "25", ("2 5", "25 in all")),
        ("2d10+5", TOTAL, "25 in all", {"total": 20}),
        ("1d10/2", (), "7", (7,)),
        ("2d6+1", DAMAGE, "11 2s", {"total": 11, "sixes": 2}),
        ("2d6+1", DAMAGE, "9", ("9 on the dice", "9 in all")),
    ],
)
def test_what_a_line_of_dice_means(
    dice: str, counts: tuple[str, ...], text: str, means: dict[str, int] | tuple[int | str, ...] | str | None
) -> None:
    found = meant(dice, counts, text)

    if isinstance(means, dict):
        assert found == TellDice("k", means)
    elif isinstance(means, tuple) and isinstance(means[0], int):
        assert isinstance(found, TypeDice)
        assert found.faces == means
    else:
        assert found == means


def test_every_candidate_can_be_typed_and_means_one_thing() -> None:
    for dice in ("2d6", "2d6+1", "3d6", "2d10+5", "4d10", "2d6-1"):
        for number in range(1, 120):
            found = meant(dice, TOTAL, str(number))
            if isinstance(found, tuple):
                answers = [meant(dice, TOTAL, each) for each in found]
                assert all(isinstance(each, TypeDice | TellDice) for each in answers)
                assert len({msgspec.json.encode(each) for each in answers}) == len(answers)


def test_a_long_line_that_counts_nothing_is_left_quickly() -> None:
    assert counts_in("4 " * 2000 + "!", HITS) is None
    assert counts_in("1" * 59 + "h", HITS) == {"hits": int("1" * 59)}


# ------------------------------------------------------------------------------------------------ at the table

ANN = {"body": 3, "agility": 3, "reaction": 4, "strength": 3, "charisma": 3, "intuition": 3, "logic": 3, "willpower": 3}
TEST = Declare("test", "ann", {"skill": "pistols", "threshold": 2})


@pytest.fixture
def table() -> Table:
    """A table at which Ann's test with six dice waits."""
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("ann", {**ANN, "skills": {"pistols": 3}}))
    session.perform(TEST)
    return Table(session, Who("gm"))


def test_hits_are_recorded_as_counts_and_read(table: Table) -> None:
    assert table.submit("ann 2h1").refused is None

    (event,) = [
        event for event in table.session.log.entry(table.session.log.last).events if isinstance(event, DiceTold)
    ]
    assert event == DiceTold("r0/ann/a1/test/test", "6d6", {"hits": 2, "ones": 1}, "told")
    assert table.session.state().outcome == "success"


def test_what_a_die_cannot_show_is_refused_with_what_it_can(table: Table) -> None:
    refused = table.submit("7h").refused
    assert refused is not None
    assert (refused.slug, refused.accepts) == ("dice/impossible-count", "0 to 6")
    refused = table.submit("ann 4x").refused
    assert refused is not None
    assert refused.accepts == "the faces of 6d6, 4h (hits), 4h2 (hits, ones), or draw"


def test_a_number_that_reads_several_ways_is_asked() -> None:
    session = met("gurps_3e")
    table = Table(session, Who("gm"))
    rest = session.rests[0]
    while not rest.dice:
        assert table.submit("1").refused is None
        rest = session.rests[0]
    assert table.submit("11").refused is None
    assert session.combat.rolls[rest.key].total == 11


def test_counted_dice_are_not_taken_back_without_a_question() -> None:
    session = met("gurps_3e")
    table = Table(session, Who("gm"))
    while not session.rests[0].dice:
        assert table.submit("1").refused is None
    head = session.log.head
    assert table.submit("11").refused is None
    assert table.submit("undo").done.asks
    assert session.log.head > head


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("3 was 1h2 misread", {"hits": 1, "ones": 2}),
        ("reroll 3 = 1h misread", {"hits": 1}),
        ('amend 3 1h2 "misread"', {"hits": 1, "ones": 2}),
        ("3 was 5 1 1 2 3 4 misread", (5, 1, 1, 2, 3, 4)),
        ("3 was 511234 misread", (5, 1, 1, 2, 3, 4)),
    ],
)
def test_counts_and_faces_correct_counts(table: Table, line: str, after: dict[str, int] | tuple[int, ...]) -> None:
    assert table.submit("4h2").refused is None
    assert table.session.log.last == 4

    shown = table.submit(line.replace("3", "4", 1))
    assert shown.refused is None
    assert shown.done.report is not None
    assert [each.after for each in shown.done.report.misread] == [after]
    assert table.submit("y").refused is None
    roll = table.session.combat.rolls["r0/ann/a1/test/test"]
    assert (roll.counts or roll.faces) == after or not roll.is_rolled  # the test is over


def test_what_is_no_reading_of_the_dice_is_refused_in_a_correction(table: Table) -> None:
    assert table.submit("4h2").refused is None

    refused = table.submit("4 was 3x misread").refused
    assert refused is not None
    assert refused.accepts == "the faces of 6d6, 4h (hits), 4h2 (hits, ones)"
