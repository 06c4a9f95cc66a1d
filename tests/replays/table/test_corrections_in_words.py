"""The table understands corrections in people's words, previews each, and writes it after a yes."""

from typing import Any

import pytest
from nine_combatants import go_on, nine

from ledger.commands import Amend
from ledger.entry import Seat, Who
from ledger.events import DiceRolled
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import find_script, read
from replays.table.done import LineResult
from replays.table.table import Table

ANN, KIRA = Who("ann"), Who("kira", Seat.PLAYER)


@pytest.fixture
def session() -> Session:
    """The fight `street-fight` at its end."""
    return perform(read(find_script("street-fight")[1]))


def submitted(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


FACES = [1, 1, 2, 2, 3, 3, 4, 4, 1, 2, 3]


@pytest.mark.parametrize(
    ("line", "entry", "values"),
    [
        ("11 was 1 1 2 2 3 3 4 4 1 2 3 misread", 11, {"faces": FACES}),
        ("11 was 11223344123 misread", 11, {"faces": FACES}),
        ("r1/razor/a1/attack/to-hit was 1,1,2,2,3,3,4,4,1,2,3 misread", 11, {"faces": FACES}),
        ("reroll 11 = 11223344123 misread", 11, {"faces": FACES}),
        ("reroll 32 6 misread", 32, {"faces": [6]}),
        ("amend 32 was 6 misread", 32, {"faces": [6]}),
        ("amend 32 = 6 misread", 32, {"faces": [6]}),
        ('amend 32 6 "misread"', 32, {"faces": [6]}),
        ("amend 11 was 11223344123 misread", 11, {"faces": FACES}),
        ("amend target dreg misread", 37, {"terms.at": "dregs"}),
        ("missed: razor: add misread", 31, {"option": "add"}),
        ("missed: razor again misread", 31, {"option": "again"}),
        ('amend 37 dregs "misread"', 37, {"terms.at": "dregs"}),
        ('amend 37 target dregs "misread"', 37, {"terms.at": "dregs"}),
        ('amend 10 cover dregs partial "misread"', 10, {"terms.modifiers": ["target has partial cover"]}),
        ('amend 37 Dregs 12m "misread"', 37, {"terms.at": "dregs", "terms.distance": 12}),
        ("target dreg misread", 37, {"terms.at": "dregs"}),
        ("missed: again misread", 31, {"option": "again"}),
        ('amend 10 12m darkness "misread"', 10, {"terms.distance": 12, "terms.visibility": "full darkness"}),
        ('amend 10 cover partial "misread"', 10, {"terms.modifiers": ["target has partial cover"]}),
        ("amend 10 12m full darkness it was misread", 10, {"terms.distance": 12, "terms.visibility": "full darkness"}),
        ("amend 10 12m it was misread", 10, {"terms.distance": 12}),
        ("amend 12 again it was misread", 12, {"option": "again"}),
        ('amend 12 again "misread"', 12, {"option": "again"}),
    ],
)
def test_a_correction_in_words_is_previewed_and_written(
    session: Session, line: str, entry: int, values: dict[str, Any]
) -> None:
    table, last = Table(session, ANN), session.log.last
    asked = submitted(table, line)
    assert table.asks == "amend it? y/n"
    report = asked.done.report
    assert report is not None
    assert (report.entry, report.change["set"]) == (entry, values)
    assert session.log.last == last

    written = submitted(table, "y").entries[0].command
    assert isinstance(written, Amend)
    assert (written.entry, written.change["set"], written.why.removeprefix("it was ")) == (entry, values, "misread")


def test_a_reason_is_asked_for_where_none_is_typed(session: Session) -> None:
    table = Table(session, ANN)
    assert submitted(table, "32 was 6").done.asks == "why"
    assert submitted(table, "the die lay on its edge").done.asks == "amend it? y/n"
    command = submitted(table, "y").entries[0].command
    assert isinstance(command, Amend)
    assert command.why == "the die lay on its edge"


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("reroll", "table/not-understood"),
        ("reroll 11", "table/not-understood"),
        ("99 was 3", "entry/unknown"),
        ("11 was 3 misread", "dice/wrong-count"),
        ("target", "table/not-understood"),
        ("target moth", "table/not-understood"),
        ("missed: parry", "table/not-understood"),
        ("amend 44 louder", "table/not-understood"),
        ("amend 10 quickly", "table/not-understood"),
        ("amend 10 12m quickly", "table/not-understood"),
        ("amend 12 agian he said so", "table/not-understood"),
        ("amend 10 burst", "amend/change"),
        ("target slim as before", "amend/change"),
        ("amend 10", "table/not-understood"),
    ],
)
def test_what_names_no_correction_is_refused_and_changes_nothing(session: Session, line: str, slug: str) -> None:
    table, digest = Table(session, ANN), session.log.digest
    refused = table.submit(line).refused
    assert refused is not None
    assert (refused.slug, session.log.digest) == (slug, digest)


@pytest.mark.parametrize(
    "line", ["11 was 3", "reroll 11 = 3", "target slim", "missed: end", "amend 10 burst", "99 was 3"]
)
def test_a_player_is_refused_before_anything_is_read(session: Session, line: str) -> None:
    refused = Table(session, KIRA).submit(line).refused
    assert refused is not None
    assert refused.slug == "seat/not-allowed"


@pytest.mark.parametrize(
    ("line", "entry", "change"),
    [
        ("amend 38 drop misread", 38, {"drop": True}),
        ("remove 38 misread", 38, {"drop": True}),
        ('insert 21 dreg: full_defense "misread"', 21, {"insert": [{"declare": {"kind": "full_defense", "by": "dregs"}}]}),
        ('insert 21 note a shot "misread"', 21, {"insert": [{"note": "a shot"}]}),
    ],
)  # fmt: skip
def test_what_never_was_or_was_forgotten_is_previewed_and_written(
    session: Session, line: str, entry: int, change: dict[str, Any]
) -> None:
    table, digest = Table(session, ANN), session.log.digest
    report = submitted(table, line).done.report
    assert report is not None
    assert (report.entry, report.change, report.why) == (entry, change, "misread")
    assert session.log.digest == digest

    assert isinstance(submitted(table, "y").entries[0].command, Amend)


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("whatif 11 was 11223344123", "whatif 11 faces=1,1,2,2,3,3,4,4,1,2,3"),
        ("whatif target dregs", "whatif 37 at=dregs"),
        ("whatif missed: again", "whatif 31 option=again"),
        ("whatif remove 38", "whatif 38 drop"),
        ("whatif reroll 32 = 6", "whatif 32 faces=6,"),
    ],
)
def test_a_what_if_takes_the_words_of_every_correction(session: Session, line: str, same: str) -> None:
    table = Table(session, ANN)
    done = submitted(table, line).done
    assert done.report is not None
    assert (done.asks, done.report.kind) == ("", "what if")
    assert done.report.flips == submitted(table, same.replace("=6,", "=[6]")).done.report.flips  # type: ignore[union-attr]


def test_an_option_that_was_never_offered_is_refused_with_those_that_were(session: Session) -> None:
    refused = Table(session, ANN).submit("missed: parry misread").refused
    assert refused is not None
    assert "again" in refused.accepts


def test_an_entry_without_dice_is_refused_with_the_latest_rolls(session: Session) -> None:
    refused = Table(session, ANN).submit("37 was 5 misread").refused
    assert refused is not None
    assert "entry 37 is not a roll" in str(refused)
    assert "43 (r1/razor/a4/attack/resist)" in refused.accepts


def test_an_entry_that_was_performed_again_is_still_meant_by_its_old_number(session: Session) -> None:
    table = Table(session, ANN)
    for line in ("32 was 6 misread", "y", "10 was 3"):
        table.submit(line)
    again = next(entry.seq for entry in session.log.newest_first() if entry.origin == 37)

    report = submitted(table, "amend 37 dregs as he meant").done.report
    assert report is not None
    assert (report.entry, report.change["set"]) == (again, {"terms.at": "dregs"})


def test_drop_within_a_reason_removes_nothing(session: Session) -> None:
    report = submitted(Table(session, ANN), "amend 37 at=dregs he let it drop").done.report
    assert report is not None
    assert (report.change, report.why) == ({"set": {"at": "dregs"}}, "he let it drop")


@pytest.mark.parametrize("line", ["remove 1", "amend 1 drop", "amend 37 at=moth", "32 was 9", "insert 99 note x"])
def test_what_cannot_be_amended_is_refused_before_the_reason_is_asked_for(session: Session, line: str) -> None:
    table = Table(session, ANN)
    assert table.submit(line).refused is not None
    assert table.asks == ""


def test_another_cover_takes_the_place_of_the_one_that_was_declared(session: Session) -> None:
    table = Table(session, ANN)
    for line in ('amend 10 cover partial "it was"', "y"):
        submitted(table, line)
    report = submitted(table, 'amend 10 cover good "it was"').done.report

    assert report is not None
    assert report.change == {"set": {"terms.modifiers": ["target has good cover"]}}


def test_a_face_in_the_place_of_an_entry_is_refused_with_the_entry_that_shows_it() -> None:
    at = nine("eclipse_phase_1e")
    go_on(at)
    thrown = next(entry for entry in at.session.log.newest_first() if isinstance(entry.events[0], DiceRolled))
    face = next(each for each in range(100) if each > at.session.log.last)
    submitted(at, f"amend {thrown.seq} was {face} misread")
    submitted(at, "y")
    refused = at.submit(f"{face} was 60").refused

    assert refused is not None
    assert f"shows {face}" in str(refused)
    assert refused.accepts.endswith("was …")
