"""The schemas of the lines of an export: the header, an entry, and events as the log has them, as lists."""

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.entry import StoredRequest, Who
from ledger.events import EVENTS, Event
from replays.exports.export_lines import ExportedEntry
from replays.exports.jsonl import Header
from replays.server.http.examples import steps
from replays.server.http.glossary import GLOSSARY
from replays.server.http.schemas.renaming import REFERENCE, Schemas, reference, renamed

LINE = "ExportLine"
"""The name of the schema that is any line of an export."""
HEADER = "ExportHeader"
SUFFIX = "InLog"
"""The end of the names of events as lists: without it they are the names of other schemas."""
_SEEN_BY = "Null if everybody may see it, else the combatants whose players may see it, beside the gamemaster."
_TAG = "The type of the event."
_EVENT_OR_DIGEST = {
    "if": {"type": "array"},
    "then": {"oneOf": [reference(kind.__name__) for kind in EVENTS]},
    "else": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}
"""An event, or the digest of a hidden one; a condition, because generators of clients mistake a union of lists."""


def exported_lines(docstrings: Mapping[type, Mapping[str, str]]) -> Schemas:
    """Returns the schemas of the lines of an export and of what is in them, by name.

    Args:
        docstrings: The descriptions of the fields of each class.
    """
    _, found = msgspec.json.schema_components((Header, ExportedEntry, *EVENTS), ref_template=REFERENCE)
    lists: tuple[type[msgspec.Struct], ...] = (*EVENTS, Who, StoredRequest)
    for kind in lists:
        _describe_list(found[kind.__name__], kind, docstrings[kind])
    for of in (Header, ExportedEntry):
        for name, text in docstrings[of].items():
            found[of.__name__]["properties"][name].setdefault("description", " ".join(text.split()))
    header, entry = _recorded()
    found[Header.__name__]["examples"] = [header]
    found[ExportedEntry.__name__]["examples"] = [entry]
    found[ExportedEntry.__name__]["description"] = (
        "A further line of an export: an entry as it is stored, with what its verification needs. It has either the "
        "secret of its salts, or the salts of the parts that are visible."
    )
    found[ExportedEntry.__name__]["properties"]["events"]["items"] = _EVENT_OR_DIGEST
    found[LINE] = {
        "title": LINE,
        "description": "A line of an export: the header first, then the entries in order.",
        "oneOf": [reference(Header.__name__), reference(ExportedEntry.__name__)],
    }
    names = {kind.__name__: kind.__name__ + SUFFIX for kind in EVENTS}
    return renamed(found, names | {Header.__name__: HEADER})


def _describe_list(schema: dict[str, Any], kind: type[msgspec.Struct], docstrings: Mapping[str, str]) -> None:
    """Describes the members of a list by the fields that they are."""
    is_event = issubclass(kind, Event)
    schema["description"] = inspect.getdoc(kind) or ""
    members = schema["prefixItems"][1:] if is_event else schema["prefixItems"]
    if is_event:
        schema["prefixItems"][0]["description"] = _TAG
    for field, member in zip(msgspec.structs.fields(kind), members, strict=True):
        text = docstrings.get(field.name) or GLOSSARY.get(field.name, "")
        text = _SEEN_BY if is_event and field.name == "seen_by" else " ".join(text.split())
        member["title"] = field.encode_name
        if text and "$ref" not in member:
            member.setdefault("description", text)


def _recorded() -> tuple[Any, Any]:
    """Returns the header and the first entry of the recorded export."""
    text = next(step.answer for step in steps() if step.operation == "export")
    header, entry, *_ = map(msgspec.json.decode, text.splitlines())
    return header, entry
