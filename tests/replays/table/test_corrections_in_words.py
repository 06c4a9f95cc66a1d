"""The table understands corrections in people's words, previews each, and writes it after a yes."""

from typing import Any

import pytest

from ledger.commands import Amend
from ledger.entry import Seat, Who
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
        ("target dreg misread", 37, {"terms.at": "dregs"}),
        ("missed: again misread", 31, {"option": "again"}),
        ('amend 10 12m darkness "misread"', 10, {"terms.distance": 12, "terms.visibility": "full darkness"}),
        ('amend 10 cover partial "misread"', 10, {"terms.modifiers": ["target has partial cover"]}),
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
    assert (written.entry, written.change["set"], written.why) == (entry, values, "misread")


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
