"""Describes JSON Schemas in a few words, with links to the schemas that they refer to."""

from collections.abc import Mapping
from typing import Any

from replays.exports.report.markup import Markup, join, tag, text

_REFERENCE = "#/components/schemas/"
_BOUNDS = {"minimum": "at least", "maximum": "at most", "minLength": "at least", "maxLength": "at most"}


def schema_links(schema: Mapping[str, Any]) -> Markup:
    """Returns a schema in words; names of schemas are links."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        return tag("a", name, href=f"#schema-{name}")
    if "then" in schema:
        return join((schema_links(schema[word]) for word in ("then", "else") if word in schema), " or ")
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return join(map(schema_links, schema[word]), " or ")
    if "prefixItems" in schema:
        return join(["[", join(map(schema_links, schema["prefixItems"]), ", "), "]"])
    if schema.get("type") == "array":
        return join(["list of ", schema_links(schema.get("items", {}))])
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return join(["object of ", schema_links(schema["additionalProperties"])])
    return text(type_in_words(schema))


def type_in_words(schema: Mapping[str, Any]) -> str:
    """Returns a schema without references in words.

    >>> type_in_words({"type": "integer", "minimum": 1}), type_in_words({"enum": ["a", "b"]})
    ('integer, at least 1', '"a" or "b"')
    """
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " or ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in schema["enum"])
    kind = str(schema.get("type", "any value"))
    bounds = [f"{words} {schema[name]}" for name, words in _BOUNDS.items() if name in schema]
    letters = " characters" if kind == "string" and bounds else ""
    return ", ".join([kind, " and ".join(bounds) + letters]) if bounds else kind
