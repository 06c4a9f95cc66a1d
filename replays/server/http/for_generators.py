"""Adapts schemas to what generators of clients understand; their meaning stays the same.

* A tuple has no schema that is false for further items: some generators know no such schema.
* An object of any fields is marked as one, because otherwise TypeScript gets an object without fields.
* A field with one possible text has it as a constant.
* A member of the state that may be absent is never null.
* Schemas under a condition (`if`, `then`) are for validators: a generated client leaves such values as they are.
* In requests only what is required is required: some generators require what has a default. The default is described.
"""

import json
from collections.abc import Iterator
from typing import Any

_REFERENCE = "#/components/schemas/"


def adapt(document: dict[str, Any]) -> None:
    """Adapts the schemas of an OpenAPI document, in place."""
    schemas = document["components"]["schemas"]
    for schema in _inside(schemas):
        if schema.get("items") is False:
            del schema["items"]
        if schema.get("type") == "object" and "properties" not in schema:
            schema.setdefault("additionalProperties", True)
        if len(schema.get("enum", ())) == 1 and isinstance(schema["enum"][0], str):
            schema |= {"type": "string", "const": schema.pop("enum")[0]}
    for name in ("State", "ConditionView"):
        for schema in schemas[name]["properties"].values():
            _without_null(schema)
    bodies = [operation.get("requestBody", {}) for path in document["paths"].values() for operation in path.values()]
    for name in reachable(bodies, schemas):
        for schema in schemas[name].get("properties", {}).values():
            _without_default(schema)


def _without_null(schema: dict[str, Any]) -> None:
    """Removes null from what a field may be, where it is absent instead."""
    kept = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if "default" in schema and schema["default"] is None and len(kept) == 1:
        del schema["anyOf"], schema["default"]
        schema |= kept[0]


def _inside(value: Any) -> Iterator[dict[str, Any]]:
    """Yields the dictionaries within a value, and the value itself, except examples."""
    if isinstance(value, dict):
        yield value
        for name, each in value.items():
            if name not in ("example", "examples"):
                yield from _inside(each)
    elif isinstance(value, list):
        for each in value:
            yield from _inside(each)


def reachable(value: Any, schemas: dict[str, Any]) -> set[str]:
    """Returns the names of the schemas that a part of the document refers to, also by way of others."""
    found: set[str] = set()
    left = [value]
    while left:
        for each in _inside(left.pop()):
            name = str(each.get("$ref", "")).removeprefix(_REFERENCE)
            if name in schemas and name not in found:
                found.add(name)
                left.append(schemas[name])
    return found


def _without_default(schema: dict[str, Any]) -> None:
    """Moves the default of a field into its description."""
    if "default" not in schema:
        return
    default = schema.pop("default")
    if default not in ("", None, [], {}) and "description" in schema:
        schema["description"] = f"{schema['description'].rstrip('.')}. By default `{json.dumps(default)}`."
