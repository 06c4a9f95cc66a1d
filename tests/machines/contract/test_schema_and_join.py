"""The JSON Schema of a sheet and joining agree: for each field of each game, omitted or with a wrong value."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, cast

import jsonschema_rs
import msgspec
import pytest

from ledger.commands import Join
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset, ruleset
from machines.contract.schemas import schemas
from machines.registry import installed
from replays.api.session import Session

Document = dict[str, Any]
Path = tuple[str, ...]

OMITTED = object()
VALUES = (OMITTED, None, "x", "", "exotic: whip", -1, 0, 1, 10**6, 1.5, True, [], ["x"], [1], {}, {"x": 1}, {"x": "x"})
DEEPEST = 5

WEAPONS: dict[str, Document] = {
    "eclipse_phase_1e": {"kind": "ranged", "skill": "kinetic weapons", "damage": "2d10", "modes": ["semi"], "ammo": 5},
    "eclipse_phase_2e": {"kind": "ranged", "skill": "guns", "damage": "2d10", "modes": ["semi"], "traits": ["long"]},
    "gurps_3e": {"kind": "firearm", "skill": "guns", "damage": "2d", "type": "bullet", "parries": True},
    "shadowrun_4e": {"kind": "ranged", "skill": "pistols", "damage": "5P", "modes": ["SA"], "load": "gel"},
}
MORE: dict[str, Document] = {
    "eclipse_phase_1e": {"specializations": {"fray": "blades"}, "init": None},
    "eclipse_phase_2e": {"specializations": {"guns": "pistols"}, "movement": {"walker": [4, 20]}, "checks": {"som": 9}},
    "gurps_3e": {"armor": {"torso": {"dr": 2}}, "vulnerable": {"cutting": 1}},
    "shadowrun_4e": {"specializations": {"pistols": "semi-automatics"}, "metatype": "ork", "matrix": {"rating": 3}},
}
"""Fields that no ready sheet has."""
BEYOND_SCHEMAS = {("shadowrun_4e", "specializations.*")}
"""Fields that joining compares with other fields: a specialization names a weapon or spell of the sheet, or a category."""


def sheets(game: Ruleset) -> Iterator[Document]:
    """Yields two ready sheets, and one with a custom weapon and further fields."""
    ready = [dict(msgspec.json.decode(msgspec.json.encode(sheet))) for sheet in list(game.sheets.values())[:2]]
    yield from ready
    yield ready[0] | MORE.get(game.name, {}) | {"weapons": {"it": WEAPONS[game.name]}}


def fields(schema: Document, definitions: Document, path: Path = ()) -> Iterator[Path]:
    """Yields the path of each field; ``*`` stands for any key."""
    while "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    for each in schema.get("anyOf", ()):
        yield from fields(each, definitions, path)
    inside = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        inside["*"] = schema["additionalProperties"]
    for name, each in inside.items() if len(path) < DEEPEST else ():
        yield (*path, name)
        yield from fields(each, definitions, (*path, name))


def changed(sheet: Document, path: Path, value: object) -> Document | None:
    """Returns the sheet with another value at a path; None if it has nothing there."""
    found = deepcopy(sheet)
    inside: Any = found
    for step in path[:-1]:
        key = next(iter(inside), None) if step == "*" and isinstance(inside, dict) else step
        if not isinstance(inside, dict) or key is None:
            return None
        inside = inside.setdefault(key, {})
    if not isinstance(inside, dict):
        return None
    last = next(iter(inside), "x") if path[-1] == "*" else path[-1]
    if value is not OMITTED:
        inside[last] = value
    elif inside.pop(last, OMITTED) is OMITTED:
        return None
    return found


def joins(game: Ruleset, sheet: Document) -> bool:
    try:
        Session.create("memory://", ruleset=game.name).perform(Join("ann", sheet))
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", [name for name in sorted(installed()) if name in WEAPONS])
def test_the_schema_and_joining_give_the_same_verdict_on_each_field(name: str) -> None:
    game = ruleset(name)
    made = cast("Document", schemas(game))
    valid = jsonschema_rs.validator_for({**made["sheet"], "$defs": made["$defs"]}).is_valid
    differs, verdicts = [], set()

    for sheet in sheets(game):
        assert (valid(sheet), joins(game, sheet)) == (True, True)
        for path in dict.fromkeys(fields(made["sheet"], made["$defs"])):
            for value in VALUES:
                one = changed(sheet, path, value)
                if one is not None and valid(one) != joins(game, one):
                    differs.append((".".join(path), "omitted" if value is OMITTED else value))
                verdicts.add(one is not None and valid(one))

    assert [each for each in differs if (name, each[0]) not in BEYOND_SCHEMAS] == []
    assert verdicts == {True, False}
