"""Tables: strict files, rows with citations, rulings that exist."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from ruleset_packages import folder_of

from ledger.source import parse
from machines.contract.refusals import BadTable
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.tables import Book, Row, Ruling, load
from machines.registry import installed

GAMES = [ruleset(name) for name in sorted(installed())]


def name_of(game: Ruleset) -> str:
    return game.name


class Band(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row for this test."""

    name: str
    modifier: int = 0


GOOD = """
[[row]]
name = "near"
modifier = 10
source = "X 1 Bands"
"""

BAD = {
    "an unknown column": GOOD + "banana = 1\n",
    "a missing column": GOOD.replace('name = "near"\n', ""),
    "a missing source": GOOD.replace('source = "X 1 Bands"\n', ""),
    "a source that is no citation": GOOD.replace("X 1 Bands", "somewhere"),
    "a source that names a book and no place in it": GOOD.replace("X 1 Bands", "X"),
    "a number where a word should be": GOOD.replace('"near"', "7"),
    "a word where a number should be": GOOD.replace("10", '"ten"'),
    "a fraction where a number should be": GOOD.replace("10", "1.5"),
    "another array": GOOD.replace("[[row]]", "[[line]]"),
    "two arrays": GOOD + GOOD.replace("[[row]]", "[[line]]"),
    "no array": "",
    "a table in place of an array": GOOD.replace("[[row]]", "[row]"),
    "no TOML": GOOD + "]]",
    "bytes that are no text": "\udcff",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that contains only a table."""
    made = tmp_path / "made_up_game"
    made.mkdir()
    (made / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield made
    sys.modules.pop("made_up_game", None)


def loaded(package: Path, text: str) -> tuple[Band, ...]:
    (package / "bands.toml").write_text(text, errors="surrogateescape")
    return load("made_up_game", "bands.toml", Band)


def test_a_table_is_read_as_rows_in_printed_order(package: Path) -> None:
    expected = [("near", 10), ("far", -10)]

    rows = loaded(package, GOOD + GOOD.replace("near", "far").replace("10", "-10"))

    assert expected == [(row.name, row.modifier) for row in rows]


def test_a_row_is_sure_of_itself_and_as_printed_unless_it_says_otherwise(package: Path) -> None:
    expected = 100, ""

    row = loaded(package, GOOD)[0]

    assert expected == (row.confidence, row.ruling)


@pytest.mark.parametrize("why", BAD)
def test_a_table_that_is_not_as_it_should_be_is_refused_with_its_name(package: Path, why: str) -> None:
    expected = "table/malformed", "made_up_game/bands.toml"

    with pytest.raises(BadTable) as refusal:
        loaded(package, BAD[why])

    assert expected == (refusal.value.slug, refusal.value.where)


@pytest.mark.parametrize(
    ("why", "field"),
    [
        ("an unknown column", "banana"),
        ("a missing source", "source"),
        ("a word where a number should be", "modifier"),
    ],
)
def test_the_refusal_names_the_column(package: Path, why: str, field: str) -> None:
    expected = field

    with pytest.raises(BadTable) as refusal:
        loaded(package, BAD[why])

    assert expected in refusal.value.message


# ------------------------------------------------------------------------------------------------ what ships


def rows(game: Ruleset) -> Iterator[msgspec.Struct]:
    """Yields every shipped row with a citation: of tables, profiles and rulings."""
    for table in game.tables.values():
        yield from table
    yield from game.profiles
    yield from game.rulings


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_shipped_row_cites_a_declared_book(game: Ruleset) -> None:
    expected = {book.code for book in game.books}

    cited = {parse(row.source).book for row in rows(game)}  # type: ignore[attr-defined]

    assert cited <= expected


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_shipped_row_of_a_book_whose_pages_are_known_names_one(game: Ruleset) -> None:
    expected: list[msgspec.Struct] = []
    paged = {book.code for book in game.books if book.paged}

    sources = [(row, parse(row.source)) for row in rows(game)]  # type: ignore[attr-defined]
    without = [row for row, source in sources if source.book in paged and not source.page]

    assert expected == without


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_row_that_differs_from_the_page_names_a_ruling_that_is_there(game: Ruleset) -> None:
    expected = {ruling.id for ruling in game.rulings}

    named = {row.ruling for table in game.tables.values() for row in table if isinstance(row, Row) and row.ruling}

    assert named <= expected


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_confidence_is_in_percent(game: Ruleset) -> None:
    expected = range(1, 101)

    found = {row.confidence for row in rows(game) if isinstance(row, Row)}

    assert found <= set(expected)


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_the_names_of_a_tables_rows_are_its_own(game: Ruleset) -> None:
    expected: dict[str, list[str]] = {}

    twice = {
        name: names
        for name, table in game.tables.items()
        if len(set(names := [getattr(row, "name", str(row)) for row in table])) != len(table)
    }

    assert expected == twice


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_the_names_of_profiles_and_the_codes_of_books_are_their_own(game: Ruleset) -> None:
    names = [row.name for row in game.profiles]
    codes = [book.code for book in game.books]
    expected = sorted(set(names)), sorted(set(codes))

    assert expected == (sorted(names), sorted(codes))
    assert all(isinstance(book, Book) for book in game.books)


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_ruling_has_an_id_of_its_own_that_is_well_formed(game: Ruleset) -> None:
    ids = [ruling.id for ruling in game.rulings]
    expected = sorted(set(ids))

    malformed = [each for each in ids if not re.fullmatch(r"[A-Z][A-Z0-9]*-[A-Z][0-9]+", each)]

    assert expected == sorted(ids)
    assert [] == malformed


def test_rulings_of_different_games_have_different_ids() -> None:
    ids = [ruling.id for game in GAMES for ruling in game.rulings]
    expected = len(ids)

    assert expected == len(set(ids))


@pytest.mark.parametrize(
    ("game", "ruling"),
    [(game, ruling) for game in GAMES for ruling in game.rulings],
    ids=[ruling.id for game in GAMES for ruling in game.rulings],
)
def test_a_ruling_asks_answers_and_says_why_and_its_field_is_in_the_profile(game: Ruleset, ruling: Ruling) -> None:
    expected = {field.name for field in msgspec.structs.fields(game.profile)} - {
        "name",
        "source",
        "confidence",
        "ruling",
    }

    assert ruling.question
    assert ruling.answer.endswith(".")
    assert ruling.because.endswith(".")
    assert not ruling.field or ruling.field in expected


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_ruling_that_the_code_names_is_there(game: Ruleset) -> None:
    expected = {ruling.id for ruling in game.rulings}
    prefixes = {each.split("-")[0] for each in expected}

    text = "\n".join(path.read_text() for path in folder_of(game.name).rglob("*.py"))
    named = {each for each in re.findall(r"\b[A-Z][A-Z0-9]*-[A-Z][0-9]+\b", text) if each.split("-")[0] in prefixes}

    assert named <= expected
