"""`affray rules` prints everything of a ruleset: every table, every chart, every kind of declaration."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from ruleset_packages import folder_of

from machines.contract.ruleset import ruleset
from machines.registry import installed
from replays.cli.app import run

Affray = Callable[..., str]
GAMES = sorted(installed())


def files(game: str) -> list[Path]:
    """Returns the table files of a ruleset."""
    return sorted((folder_of(game) / "tables").glob("*.toml"))


FILES = [pytest.param(game, path, id=f"{game}-{path.stem}") for game in GAMES for path in files(game)]
CHARTS = [(game, name) for game in GAMES for name in ruleset(game).charts]


@pytest.fixture
def affray(capsys, monkeypatch, tmp_path) -> Affray:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")

    def call(*arguments: str) -> str:
        capsys.readouterr()

        assert 0 == run(arguments)
        return capsys.readouterr().out

    return call


@pytest.mark.parametrize("game", GAMES)
def test_every_table_file_is_a_table_that_is_printed_and_there_are_no_others(affray: Affray, game: str) -> None:
    expected = {path.stem for path in files(game)} | {"profiles", "rulings", "books"}

    assert expected == json.loads(affray("rules", game, "--json")).keys()


@pytest.mark.parametrize(("game", "path"), FILES)
def test_every_row_of_a_table_file_is_printed(affray: Affray, game: str, path: Path) -> None:
    rows = tomllib.loads(path.read_text())["row"]
    expected = [row["name"] for row in rows]

    printed = affray("rules", game, path.stem)
    plain = json.loads(affray("rules", game, "--json"))[path.stem]

    assert expected == [row["name"] for row in plain]
    assert [] == [name for name in expected if name not in printed]


@pytest.mark.parametrize(("game", "path"), FILES)
def test_every_figure_of_a_table_file_is_in_the_document(affray: Affray, game: str, path: Path) -> None:
    expected = tomllib.loads(path.read_text())["row"]

    plain = json.loads(affray("rules", game, "--json"))[path.stem]

    assert expected == [
        {field: row[field] for field in said} for said, row in zip(expected, plain, strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize(("game", "name"), CHARTS)
def test_every_chart_is_printed_as_mermaid_with_all_its_boxes(affray: Affray, game: str, name: str) -> None:
    chart = ruleset(game).charts[name]
    expected = [box.title for box in chart.boxes.values()]

    parts = affray("rules", game, "--chart").split("flowchart TD")
    mine = [part for part in parts if all(title in part for title in expected)]

    assert mine


@pytest.mark.parametrize("game", GAMES)
def test_as_many_charts_are_printed_as_there_are(affray: Affray, game: str) -> None:
    expected = len(ruleset(game).charts)

    assert expected == affray("rules", game, "--chart").count("flowchart TD")


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_has_every_kind_of_declaration_and_every_field(affray: Affray, game: str) -> None:
    rules = ruleset(game)
    kinds = {name: kind.terms for name, kind in rules.kinds.items()}
    expected = {name: {field.encode_name for field in msgspec.structs.fields(terms)} for name, terms in kinds.items()}

    schema = json.loads(affray("rules", game, "--schema", "--json"))
    found = {name: fields(schema, reference) for name, reference in schema["declare"].items()}

    assert expected == found
    assert {field.encode_name for field in msgspec.structs.fields(rules.sheet)} == fields(schema, schema["sheet"])


def fields(schema: dict, reference: dict) -> set[str]:
    """Returns the fields of an object in the schema."""
    return set(schema["$defs"][reference["$ref"].rpartition("/")[2]].get("properties", {}))
