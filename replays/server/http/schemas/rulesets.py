"""The schemas of the tables and sheets of the installed rulesets: rows as their tables have them, sheets as in files.

The names begin with that of the ruleset, because rulesets have classes of the same name. The rows of rulings, books
and other tables that are the same in every ruleset have one schema each.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from machines.contract.documents.meanings import about, meanings
from machines.contract.row_fields import structs_within
from machines.contract.ruleset import Ruleset, ruleset
from machines.registry import installed
from replays.server.http.schemas.renaming import REFERENCE, Schemas, reference, renamed
from replays.server.routes.games import tables_of

ROW, SHEET = "AnyRow", "AnySheet"
"""The names of the schemas that are any row, and any sheet."""
_SHARED = "machines.contract."
"""The package of classes that all rulesets use."""
_COLUMN = "The column of this name in the table."


class _DocumentSchemas(NamedTuple):
    """Schemas with the names of those that are documents, not parts of one."""

    schemas: Schemas
    names: tuple[str, ...]


def ruleset_schemas() -> Schemas:
    """Returns the schemas of all rows and sheets of the installed rulesets, by name."""
    games = [ruleset(name) for name in installed()]
    rows, sheets = [_rows(game) for game in games], [_sheet(game) for game in games]
    found: Schemas = {}
    for each in (*rows, *sheets):
        found |= each.schemas
    found[ROW] = _any_of(ROW, "A row of a table of a ruleset, with its source.", rows)
    found[SHEET] = _any_of(SHEET, "A sheet of a ruleset, ready to join a fight with.", sheets)
    return found


def _any_of(name: str, description: str, parts: Iterable[_DocumentSchemas]) -> dict[str, Any]:
    """Returns a schema that is any of some; a condition, because generated clients would decode the first that fits."""
    names = dict.fromkeys(name for part in parts for name in part.names)
    one_of_them = {"anyOf": [reference(each) for each in names]}
    return {
        "title": name, "description": description, "type": "object", "additionalProperties": True,
        "if": {}, "then": one_of_them,
    }  # fmt: skip


def _rows(game: Ruleset) -> _DocumentSchemas:
    """Returns the schemas of the rows of a ruleset's tables, each with its first row as an example."""
    firsts: dict[type[msgspec.Struct], msgspec.Struct] = {}
    for rows in tables_of(game).values():
        for row in rows:
            firsts.setdefault(type(row), row)
    references, schemas = msgspec.json.schema_components(tuple(firsts), ref_template=REFERENCE)
    _describe(schemas, firsts, _COLUMN)
    for each, row in zip(references, firsts.values(), strict=True):
        schemas[_name(each)]["examples"] = [msgspec.to_builtins(row)]
    shared = {kind.__name__ for kind in firsts if kind.__module__.startswith(_SHARED)}
    names = {name: f"{'' if name in shared else _prefix(game)}{_last(name)}Row" for name in schemas}
    return _DocumentSchemas(renamed(schemas, names), tuple(names[_name(each)] for each in references))


def _sheet(game: Ruleset) -> _DocumentSchemas:
    """Returns the schemas of a ruleset's sheet and of its parts; the first shipped sheet is its example."""
    (own,), schemas = msgspec.json.schema_components((game.sheet,), ref_template=REFERENCE)
    _describe(schemas, structs_within(game.sheet), "")
    schemas[_name(own)]["examples"] = list(game.sheets.values())[:1]
    names = {name: _prefix(game) + _last(name) for name in schemas}
    return _DocumentSchemas(renamed(schemas, names), (names[_name(own)],))


def _describe(schemas: Mapping[str, dict[str, Any]], structs: Iterable[type[msgspec.Struct]], otherwise: str) -> None:
    """Adds the docstrings of structs and of their fields.

    Args:
        schemas: The schemas of the structs, and of others.
        structs: The structs, each with those in it.
        otherwise: The description of a field without a docstring; empty for none.
    """
    for struct in {inner for each in structs for inner in structs_within(each)}:
        schema = schemas.get(struct.__name__) or schemas[f"{struct.__module__}.{struct.__qualname__}"]
        schema["description"] = about(struct)
        texts = meanings(struct)
        for name, each in schema["properties"].items():
            if text := texts.get(name, otherwise):
                each.setdefault("description", text)


def _name(schema: Mapping[str, Any]) -> str:
    """Returns the name of the schema that a schema refers to."""
    return str(schema["$ref"]).removeprefix(REFERENCE.format(name=""))


def _last(name: str) -> str:
    """Returns the last part of a name: a class that shares its name with another one is named with its module."""
    return name.rpartition(".")[2]


def _prefix(game: Ruleset) -> str:
    """Returns the beginning of the names of a ruleset's schemas, such as `Gurps3e`."""
    return "".join(part[:1].upper() + part[1:] for part in game.name.split("_"))
