"""Translates schemas of OpenAPI (JSON Schema 2020-12) to those of AsyncAPI (draft-07); they accept the same."""

from typing import Any

_VALUES = ("const", "default", "enum", "examples")
"""Keywords with values, which contain no schemas."""
_BY_NAME = ("properties", "patternProperties")
"""Keywords with schemas by names that are data."""


def in_draft_07(schema: Any) -> Any:
    """Returns a schema, or the value of one of its keywords, in the words of draft-07.

    >>> in_draft_07({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}})
    {'type': 'array', 'items': [{'type': 'integer'}], 'additionalItems': {'type': 'string'}}
    >>> in_draft_07({"$ref": "#/components/schemas/Speaker", "description": "Who wrote it."})
    {'description': 'Who wrote it.', 'allOf': [{'$ref': '#/components/schemas/Speaker'}]}
    """
    if isinstance(schema, list):
        return [in_draft_07(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return _renamed({keyword: _value(keyword, value) for keyword, value in schema.items()})


def _value(keyword: str, value: Any) -> Any:
    if keyword in _VALUES:
        return value
    if keyword in _BY_NAME:
        return {name: in_draft_07(schema) for name, schema in value.items()}
    if keyword == "discriminator":
        return value["propertyName"]
    return in_draft_07(value)


def _renamed(schema: dict[str, Any]) -> dict[str, Any]:
    """Replaces the keywords that draft-07 has not, and those that it ignores beside a reference."""
    if "prefixItems" in schema:
        further = {"additionalItems": schema.pop("items")} if "items" in schema else {}
        schema |= {"items": schema.pop("prefixItems"), **further}
    if "$ref" in schema and len(schema) > 1:
        reference = {"$ref": schema.pop("$ref")}
        schema["allOf"] = [reference, *schema.get("allOf", ())]
    return schema
