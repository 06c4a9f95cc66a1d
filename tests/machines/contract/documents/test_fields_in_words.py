"""Every field of a sheet has a meaning, words for what it accepts, and an example that is accepted."""

from typing import Annotated, Literal

import msgspec
import pytest

from machines.contract.documents.accepted import Catalog, accepted
from machines.contract.documents.examples import example
from machines.contract.documents.meanings import meanings
from machines.contract.documents.nearest import did_you_mean, nearest, same_name
from machines.contract.documents.spelling import spelled
from machines.contract.row_fields import structs_within, typed_fields
from machines.contract.ruleset import ruleset
from machines.contract.schemas import schemas
from machines.registry import installed

GAMES = installed()
NOTHING = Catalog("", {})


class Documented(msgspec.Struct, frozen=True):
    """A struct."""

    one: int
    """The first,
    in ``two`` lines."""
    two: int
    three: int = 3
    """The third."""


class Inherited(Documented, frozen=True):
    """A struct with fields of another."""

    four: int = 4
    """The fourth."""


def test_meanings_are_the_docstrings_below_fields() -> None:
    assert meanings(Documented) == {"one": "The first, in two lines.", "three": "The third."}
    assert list(meanings(Inherited)) == ["one", "three", "four"]


def test_a_struct_without_source_has_no_meanings() -> None:
    assert meanings(msgspec.defstruct("Unwritten", [("st", int)])) == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_a_sheet_has_a_meaning_and_an_example(game: str) -> None:
    rules = ruleset(game)
    catalog = Catalog(rules.name, rules.tables)

    for struct in structs_within(rules.sheet):
        for field in typed_fields(struct):
            assert meanings(struct).get(field.encoded), f"{struct.__name__}.{field.encoded}"
            assert accepted(field.hint, catalog)
            msgspec.convert(example(field.hint, catalog), field.hint)


@pytest.mark.parametrize("game", GAMES)
def test_schemas_have_the_meanings(game: str) -> None:
    definitions = schemas(ruleset(game))["$defs"]

    for struct in structs_within(ruleset(game).sheet):
        for field, meaning in meanings(struct).items():
            assert definitions[struct.__name__]["properties"][field]["description"], meaning


def test_what_is_accepted_in_words() -> None:
    number = Annotated[int, msgspec.Meta(le=0)]

    assert accepted(number, NOTHING) == "a whole number, 0 or less"
    assert accepted(int | None, NOTHING) == "a whole number"
    assert accepted(Literal["", "slow", "fast"], NOTHING) == "slow, fast"
    assert accepted(dict[str, int] | tuple[str, ...], NOTHING) == "a table of NAME = a whole number, or a list of: text"
    assert accepted(Documented, NOTHING) == "a table with one, two, three?"


def test_the_nearest_name() -> None:
    assert nearest("ak-97", ["AK 97", "ak-98"]) == "AK 97"
    assert did_you_mean("spoon", ["katana"]) == ""
    assert nearest("", ["a"]) == nearest("a" * 10_000, ["a" * 10_000]) == ""
    assert same_name("Ares_Predator-IV", ["ares predator iv"]) == "ares predator iv"
    assert same_name("a b", ["a-b", "a_b"]) == ""


def test_a_field_that_is_there_in_two_spellings_is_not_overwritten() -> None:
    rules = ruleset("gurps_3e")

    assert {"ST": 12, "st": 10} == spelled({"ST": 12, "st": 10}, rules.sheet, Catalog(rules.name, rules.tables))


def test_names_are_recognized_in_any_case() -> None:
    rules = ruleset("shadowrun_4e")
    sheet = {
        "Body": 3,
        "Metatype": "ORK",
        "skills": {"Pistols": 3},
        "weapons": {"Mine": "Ares Predator IV", "own": {"skill": "PISTOLS", "modes": ["sa"]}},
        "spells": ["Stunbolt", "unknown"],
    }

    assert spelled(sheet, rules.sheet, Catalog(rules.name, rules.tables)) == {
        "body": 3,
        "metatype": "ork",
        "skills": {"pistols": 3},
        "weapons": {"Mine": "ares predator iv", "own": {"skill": "pistols", "modes": ["SA"]}},
        "spells": ["stunbolt", "unknown"],
    }
