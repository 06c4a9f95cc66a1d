"""Generates JSON Schemas of a ruleset's documents: sheets, situations, profiles, and all kinds of declaration."""

from typing import Any

import msgspec

from machines.contract.documents.meanings import meanings
from machines.contract.row_fields import add_rows, structs_within
from machines.contract.ruleset import Ruleset

_SHARED = "#/$defs/"


def schemas(game: Ruleset) -> dict[str, Any]:
    """Returns all schemas, with common parts in ``$defs``.

    A field that names a row of a table lists the rows. A field has its docstring as description.

    Args:
        game: The ruleset.
    """
    typed = [game.sheet, *filter(None, [game.situation]), *(kind.terms for kind in game.kinds.values())]
    structs = tuple(dict.fromkeys(inner for each in typed for inner in structs_within(each)))
    begin = game.situation or dict[str, Any]
    made, definitions = msgspec.json.schema_components(
        [game.sheet, begin, game.profile, *(kind.terms for kind in game.kinds.values()), *structs],
        ref_template=_SHARED + "{name}",
    )
    sheet, situation, options, *others = made
    for struct, reference in zip(structs, others[len(game.kinds) :], strict=True):
        definition = definitions[reference["$ref"].removeprefix(_SHARED)]
        add_rows(definition, struct, game.tables)
        for field, meaning in meanings(struct).items():
            definition["properties"][field].setdefault("description", meaning)
    definitions[sheet["$ref"].removeprefix(_SHARED)].update(game.sheet_also)
    declare = dict(zip(game.kinds, others, strict=False))
    return {"sheet": sheet, "begin": situation, "profile": options, "declare": declare, "$defs": definitions}
