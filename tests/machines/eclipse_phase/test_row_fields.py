"""Fields of sheets and declarations that name rows: invalid names are refused with their path, and the schema lists the rows."""

import msgspec
import pytest

from machines.contract.refusals import BadSheet
from machines.contract.row_fields import offered_words, unknown_rows
from machines.contract.ruleset import check_sheet, ruleset
from machines.contract.schemas import schemas

EDITIONS = ("eclipse_phase_1e", "eclipse_phase_2e")
SHEET = {"aptitudes": {"som": 15}, "durability": 30}
SWORD = {"kind": "melee", "skill": "blades", "damage": "1d10"}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("weapons", ["spoon"]),
        ("weapons.mine", {"mine": "spoon"}),
        ("weapons.mine.kind", {"mine": {**SWORD, "kind": "spoon"}}),
        ("weapons.mine.modes", {"mine": {**SWORD, "modes": ["spoon"]}}),
        ("armor.worn", {"worn": ["spoon"]}),
        ("traits", ["spoon"]),
    ],
)
def test_a_sheet_that_names_no_row_is_refused_with_the_path(edition: str, field: str, words: object) -> None:
    sheet = {**SHEET, field.partition(".")[0]: words}

    with pytest.raises(BadSheet) as refused:
        check_sheet(ruleset(edition), "ann", sheet)

    assert refused.value.where == f"combatants.ann.sheet.{field}"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("kind", "terms", "path"),
    [
        ("attack", {"at": "bob", "using": {**SWORD, "kind": "spoon"}}, "using.kind"),
        ("attack", {"at": "bob", "using": "knife", "mode": "spoon"}, "mode"),
        ("attack", {"at": "bob", "using": "knife", "range": "spoon"}, "range"),
        ("attack", {"at": "bob", "using": "knife", "called": "spoon"}, "called"),
        ("attack", {"at": "bob", "using": "knife", "modifiers": ["spoon"]}, "modifiers"),
        ("attack", {"at": "bob", "using": "knife", "ammunition": "spoon"}, "ammunition"),
        ("suppressed", {"at": "bob", "range": "spoon"}, "range"),
        ("explosion", {"caught": {"bob": 0}, "weapon": "spoon"}, "weapon"),
        ("rest", {"hours": 8, "means": "spoon"}, "means"),
        ("rest", {"hours": 8, "conditions": "spoon"}, "conditions"),
    ],
)
def test_a_declaration_that_names_no_row_is_refused_by_its_type(
    edition: str, kind: str, terms: dict[str, object], path: str
) -> None:
    game = ruleset(edition)
    declared = msgspec.convert(terms, game.kinds[kind].terms)

    assert [path] == [unknown.path for unknown in unknown_rows(declared, game.tables) if unknown.word == "spoon"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_rows_that_a_type_names_are_offered(edition: str) -> None:
    game = ruleset(edition)

    attack = offered_words(game.kinds["attack"].terms, game.tables)

    assert attack["range"] == tuple(row.name for row in game.tables["ranges"])
    assert attack["bonus"] == ("damage", "aim")
    assert attack["blind"] == ("true",)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_schema_of_a_sheet_lists_the_weapons_of_the_table(edition: str) -> None:
    weapons = [row.name for row in ruleset(edition).tables["weapons"]]

    named, listed = schemas(ruleset(edition))["$defs"]["Sheet"]["properties"]["weapons"]["anyOf"]

    assert [each.get("enum") for each in named["additionalProperties"]["anyOf"]] == [weapons, None]
    assert listed["items"]["enum"] == weapons
