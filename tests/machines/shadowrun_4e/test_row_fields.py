"""Words of sheets, declarations and the beginning of a fight that name rows: what is refused, listed and offered."""

import msgspec
import pytest

from machines.contract.refusals import BadSheet, BadSituation
from machines.contract.row_fields import offered_words, unknown_rows
from machines.contract.ruleset import check_sheet, check_situation, ruleset
from machines.contract.schemas import schemas
from machines.shadowrun_4e.tables.tables import WEAPONS

GAME = ruleset("shadowrun_4e")
PISTOL = {"skill": "pistols", "damage": "5P"}
SHOT = {"at": "bob", "using": "pistol"}
SPELL = {"spell": "manabolt", "force": 3}


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("weapons", ["spoon"]),
        ("weapons.mine", {"mine": "spoon"}),
        ("weapons.mine.range", {"mine": {**PISTOL, "range": "spoon"}}),
        ("weapons.mine.grenade", {"mine": {**PISTOL, "grenade": "spoon"}}),
        ("weapons.mine.scatter", {"mine": {**PISTOL, "scatter": "spoon"}}),
        ("weapons.mine.load", {"mine": {**PISTOL, "load": "spoon"}}),
        ("weapons.mine.barrier", {"mine": {**PISTOL, "barrier": "spoon"}}),
        ("spells", ["spoon"]),
        ("spells.mine", {"mine": "spoon"}),
        ("plane", "spoon"),
        ("tradition", "spoon"),
        ("material", "spoon"),
    ],
)
def test_a_sheet_that_names_no_row_is_refused_with_the_path(field: str, words: object) -> None:
    with pytest.raises(BadSheet) as refused:
        check_sheet(GAME, "ann", {field.partition(".")[0]: words})

    assert refused.value.where == f"combatants.ann.sheet.{field}"


@pytest.mark.parametrize(
    ("kind", "terms", "path"),
    [
        ("attack", {"at": "bob", "using": {**PISTOL, "load": "spoon"}}, "using.load"),
        ("attack", {**SHOT, "mode": "spoon"}, "mode"),
        ("attack", {**SHOT, "modifiers": ["spoon"]}, "modifiers"),
        ("attack", {**SHOT, "theirs": ["defender prone"]}, "theirs"),
        ("attack", {**SHOT, "visibility": "spoon"}, "visibility"),
        ("attack", {**SHOT, "called": "spoon"}, "called"),
        ("attack", {**SHOT, "ammunition": "spoon"}, "ammunition"),
        ("attack", {**SHOT, "grenade": "spoon"}, "grenade"),
        ("cast", {**SPELL, "object_resistance": "spoon"}, "object_resistance"),
        ("cast", {**SPELL, "visibility": "spoon"}, "visibility"),
        ("cast", {**SPELL, "modifiers": ["spoon"]}, "modifiers"),
        ("shift", {"plane": "spoon"}, "plane"),
        ("explosion", {"caught": {}, "grenade": "spoon"}, "grenade"),
        ("test", {"difficulty": "spoon"}, "difficulty"),
        ("extended", {"skill": "hardware", "difficulty": "spoon"}, "difficulty"),
        ("extended", {"skill": "hardware", "interval": "spoon"}, "interval"),
        ("perception", {"noticing": "spoon"}, "noticing"),
        ("perception", {"modifiers": ["spoon"]}, "modifiers"),
        ("perception", {"visibility": "spoon"}, "visibility"),
        ("social", {"at": "bob", "test": "spoon"}, "test"),
        ("search", {"difficulty": "spoon"}, "difficulty"),
        ("search", {"area": "spoon"}, "area"),
        ("build", {"skill": "hardware", "item": "spoon"}, "item"),
        ("build", {"skill": "hardware", "item": "simple", "interval": "spoon"}, "interval"),
        ("build", {"skill": "hardware", "item": "simple", "modifiers": ["spoon"]}, "modifiers"),
        ("knowledge", {"skill": "history", "knowledge": "spoon"}, "knowledge"),
        ("sensor", {"sensor": 3, "signature": "spoon"}, "signature"),
        ("device", {"device": "spoon"}, "device"),
        ("device", {"device": "average", "difficulty": "spoon"}, "difficulty"),
        ("drive", {"skill": "pilot ground craft", "difficulty": "spoon"}, "difficulty"),
        ("drive", {"skill": "pilot ground craft", "terrain": "spoon"}, "terrain"),
        ("drive", {"skill": "pilot ground craft", "vehicle": "spoon"}, "vehicle"),
        ("track", {"spirit": "spoon"}, "spirit"),
    ],
)
def test_a_declaration_that_names_no_row_is_refused_by_its_type(kind: str, terms: dict[str, object], path: str) -> None:
    declared = msgspec.convert(terms, GAME.kinds[kind].terms)

    assert path in [unknown.path for unknown in unknown_rows(declared, GAME.tables)]


def test_a_fight_that_begins_with_a_word_that_is_no_row_is_refused_with_its_path() -> None:
    with pytest.raises(BadSituation) as refused:
        check_situation(GAME, {"visibility": "spoon"})

    assert refused.value.where == "begin.visibility"
    assert "full darkness" in refused.value.accepts


def test_a_row_is_offered_where_the_type_names_its_table() -> None:
    attack = offered_words(GAME.kinds["attack"].terms, GAME.tables)

    assert attack["visibility"] == tuple(row.name for row in GAME.tables["visibility"])
    assert "character using off-hand weapon" in attack["modifiers"]
    assert "character wounded" not in attack["modifiers"]
    assert attack["harms"] == ("physical", "stun")
    assert attack["unaware"] == ("true",)


def test_the_schema_of_a_sheet_lists_the_weapons_of_all_tables() -> None:
    named, listed = schemas(GAME)["$defs"]["Sheet"]["properties"]["weapons"]["anyOf"]

    assert [each.get("enum") for each in named["additionalProperties"]["anyOf"]] == [list(WEAPONS), None]
    assert listed["items"]["enum"] == list(WEAPONS)
