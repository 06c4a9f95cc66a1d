"""The JSON Schemas of events, as entries of the log have them over HTTP: objects with a `type`.

In the log an event is an array; its class describes that form. Here each class gets a twin with named fields.
"""

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.events import EVENTS, Event
from replays.server.http.examples import steps

ANY = "AnyEvent"
"""The name of the schema that is any of the events."""
SUFFIX = "Event"
"""The end of the names of these schemas: the class name alone may be that of another schema."""
_TYPE = "The type of the event."
_SEEN_BY = "The combatants whose players may see it, beside the gamemaster; absent where everybody may."

Schemas = dict[str, dict[str, Any]]


def event_schemas(reference: str, docstrings: Mapping[type, Mapping[str, str]]) -> Schemas:
    """Returns the schema of each event, of the structs in them, and of any event, by name.

    Args:
        reference: The template of a reference to a schema, with ``{name}``.
        docstrings: The descriptions of each event's fields.
    """
    twins = [_twin(kind) for kind in EVENTS]
    _, components = msgspec.json.schema_components(twins, ref_template=reference)
    recorded = _recorded()
    for kind in EVENTS:
        schema = components[kind.__name__ + SUFFIX]
        schema["description"] = inspect.getdoc(kind) or ""
        for name, each in schema["properties"].items():
            text = {"type": _TYPE, "seen_by": _SEEN_BY}.get(name) or docstrings[kind].get(name)
            if text:
                each.setdefault("description", text)
        schema["examples"] = [recorded.get(kind.__name__) or _sample(schema, components, reference)]
    names = [kind.__name__ for kind in EVENTS]
    mapping = {name: reference.format(name=name + SUFFIX) for name in names}
    components[ANY] = {
        "title": ANY,
        "description": "An event: a fact that an entry recorded. Its `type` names its schema.",
        "oneOf": [{"$ref": mapping[name]} for name in names],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return components


def _twin(kind: type[Event]) -> type[msgspec.Struct]:
    """Returns a struct that is encoded as an object with the fields of an event."""
    fields: list[Any] = [
        (field.encode_name, field.type) for field in msgspec.structs.fields(kind) if field.encode_name != "seen_by"
    ]
    fields.append(("seen_by", tuple[str, ...] | msgspec.UnsetType, msgspec.UNSET))
    name = kind.__name__
    return msgspec.defstruct(name + SUFFIX, fields, tag_field="type", tag=name, kw_only=True)


def _recorded() -> dict[str, Any]:
    """Returns an event of each type that occurs in the recorded examples."""
    found: dict[str, Any] = {}

    def look(value: Any) -> None:
        if isinstance(value, list):
            for each in value:
                look(each)
        elif isinstance(value, dict):
            for event in value.get("events") or ():
                found.setdefault(event["type"], event)
            look([each for name, each in value.items() if name != "events"])

    look([step.answer for step in steps()])
    return found


def _sample(schema: Mapping[str, Any], components: Mapping[str, Any], reference: str) -> Any:
    """Returns a value that a schema accepts."""
    if "$ref" in schema:
        return _sample(components[schema["$ref"].removeprefix(reference.format(name=""))], components, reference)
    if "enum" in schema:
        return schema["enum"][0]
    for each in schema.get("anyOf", ()):
        return _sample(each, components, reference)
    match schema.get("type"):
        case "object":
            needed = {name: schema["properties"][name] for name in schema.get("required", ())}
            return {name: _sample(each, components, reference) for name, each in needed.items()}
        case "array":
            parts = schema.get("prefixItems") or [schema["items"]] * bool(schema.get("items"))
            return [_sample(each, components, reference) for each in parts]
        case "integer":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case "string":
            return "ann"
        case _:
            return {}
