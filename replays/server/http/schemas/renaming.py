"""Renames schemas, also where other schemas refer to them."""

from collections.abc import Mapping
from typing import Any

REFERENCE = "#/components/schemas/{name}"
"""The template of a reference to a schema of the document."""

Schemas = dict[str, dict[str, Any]]


def renamed(schemas: Mapping[str, dict[str, Any]], names: Mapping[str, str]) -> Schemas:
    """Returns schemas under other names; their titles and the references to them follow.

    Args:
        schemas: The schemas by name.
        names: The new name of each schema that gets one, by its old name.
    """
    references = {REFERENCE.format(name=old): REFERENCE.format(name=new) for old, new in names.items()}
    found = {names.get(name, name): with_references(schema, references) for name, schema in schemas.items()}
    for name in names.values():
        found[name]["title"] = name
    return found


def with_references(value: Any, references: Mapping[str, str]) -> Any:
    """Returns a part of a document in which some references are replaced by others."""
    if isinstance(value, dict):
        return {name: with_references(each, references) for name, each in value.items()}
    if isinstance(value, list):
        return [with_references(each, references) for each in value]
    return references.get(value, value) if isinstance(value, str) else value


def reference(name: str) -> dict[str, Any]:
    """Returns a schema that refers to another one."""
    return {"$ref": REFERENCE.format(name=name)}
