"""Makes the OpenAPI document: that of the web framework, with exact schemas, descriptions and examples."""

import ast
import asyncio
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, is_typeddict

import msgspec
from litestar import Router
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import OpenAPI
from msgspec import inspect as types

from ledger.commands import AnyCommand
from ledger.entry import Seat
from ledger.events import EVENTS
from machines.engine.options import Possibility
from projections.views.document import State
from replays.api.batches import MOST
from replays.audit.audit import Audit, DiceAudit
from replays.audit.dice import ProvenanceCount
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.explain import ExplanationStep
from replays.audit.why import Why
from replays.corrections.diff import Report
from replays.exports.documents import EntryDocument
from replays.exports.listing import Summary
from replays.server.callers.callers import app_state_of
from replays.server.callers.changes import LiveEntry
from replays.server.callers.tokens import Issued
from replays.server.http import examples
from replays.server.http.event_schemas import ANY, event_schemas
from replays.server.http.for_generators import adapt
from replays.server.http.glossary import GLOSSARY
from replays.server.http.problems import Problem
from replays.server.http.refusal_slugs import list_refusals
from replays.server.routes.common import JSONL
from replays.server.routes.correcting import AmendRequest, Considered, Written
from replays.server.routes.games import ChartDiagram, Game, WholeGame
from replays.server.routes.health import ServerHealth
from replays.server.routes.me import Me
from replays.server.routes.performing import Performed
from replays.server.routes.playing import Redo, Undo
from replays.server.routes.reading import OddsAsked
from replays.server.routes.sessions import Founded, Known, NewSession, NewToken
from replays.server.routes.webhooks import IssuedHook, KnownHook, NewHook, Pinged
from replays.server.runtime.uncancelled import await_uncancelled
from replays.server.webhooks.messages import HookMessage

DOCUMENTED_TYPES: tuple[Any, ...] = (
    AnyCommand, NewSession, NewToken, Founded, Known, Issued, Summary, State, Performed, Possibility, Undo, Redo,
    Considered, AmendRequest, Written, Report, EntryDocument, LiveEntry, OddsAsked, Why, Audit, Disputed, Dispute, Game,
    WholeGame, ChartDiagram, ServerHealth, Problem, Me, NewHook, IssuedHook, KnownHook, Pinged, HookMessage,
)  # fmt: skip
"""The types of requests and responses; their schemas, and those of the types in them, are in the document."""

_RELEASED_NAMES = {
    AmendRequest.__name__: "Amended",
    ChartDiagram.__name__: "Drawn",
    DiceAudit.__name__: "Dice",
    EntryDocument.__name__: "Told",
    ExplanationStep.__name__: "Part",
    ProvenanceCount.__name__: "Provenance",
    ServerHealth.__name__: "Health",
}
"""The names of schemas that generated clients know, where the classes are named otherwise."""
_REFERENCE = "#/components/schemas/{name}"
_RELEASED_REFERENCES = {
    _REFERENCE.format(name=name): _REFERENCE.format(name=released) for name, released in _RELEASED_NAMES.items()
}
_PLACES = {
    "session": "The session's id.",
    "hook": "The id of a webhook, as in the list of webhooks.",
    "token": "The id of a token, as in the list of tokens; not the token itself.",
    "dispute": "The dispute's id, such as `d1`.",
    "name": "The ruleset's name, such as `eclipse_phase_1e`.",
    "table": "The table's name.",
    "chart": "The chart's name.",
    "sheet": "The sheet's name.",
}
_HEADERS = {
    "If-Match": {"pattern": r'^(\*|(W/)?("[0-9]{1,11}"|[0-9]{1,11}))$'},
    "Last-Event-ID": {"pattern": "^[0-9]{1,18}$", "description": "The last entry that the reader has."},
}
_SEAT = "The seat that the token is for."
_ENTRIES = {"type": "array", "items": {"$ref": _REFERENCE.format(name=EntryDocument.__name__)}}
_LINES = {"type": "string", "description": "JSON lines: one document on each line."}
_STREAM = {"description": "Server-Sent Events; the data of each `entry` is a `LiveEntry` as JSON."}
_TAG = {"schema": {"type": "string", "pattern": r'^"[0-9]+"$'}, "description": "The number of the log's last entry."}


class Documentation(OpenAPIConfig):
    """The configuration of the web framework's OpenAPI support, which creates a `_Document`."""

    def to_openapi_schema(self) -> OpenAPI:
        """Returns the document; the web framework then adds the routes."""
        made = super().to_openapi_schema()
        return _Document(**{field: getattr(made, field) for field in made.__dataclass_fields__})


class _Document(OpenAPI):
    _made: dict[str, Any] | None = None

    def to_schema(self) -> dict[str, Any]:
        if self._made is None:
            self._made = described(super().to_schema())
        return self._made


def router() -> Router:
    """Returns the router of the document; a thread makes the document at the first request."""
    return Router("/schema", route_handlers=[], include_in_schema=False, guards=[make_document])


async def make_document(connection: ASGIConnection, _: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Makes the document in a thread: it takes a second or more, and would block the event loop."""
    app = connection.app

    def make() -> None:
        app.openapi_schema.to_schema()

    making = app.state.get("documentation")
    if making is None or (making.done() and making.exception() is not None):
        making = app.state["documentation"] = asyncio.ensure_future(app_state_of(app.state).run(make))
    await await_uncancelled(making)


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Adds exact schemas, descriptions and examples to the web framework's document."""
    (command, *_), components = msgspec.json.schema_components(DOCUMENTED_TYPES, ref_template=_REFERENCE)
    for info in types.multi_type_info(DOCUMENTED_TYPES):
        for struct in _structs(info, set()):
            _describe_fields(components[struct.cls.__name__].get("properties", {}), struct)
    components |= event_schemas(_REFERENCE, {kind: _all_docstrings(kind) for kind in EVENTS})
    for component in components.values():
        for name, schema in component.get("properties", {}).items():
            if name in GLOSSARY:
                schema.setdefault("description", GLOSSARY[name])
    components["NewToken"]["properties"]["seat"] = {"enum": [seat.value for seat in Seat], "description": _SEAT}
    components[EntryDocument.__name__]["properties"]["events"]["items"] = {"$ref": _REFERENCE.format(name=ANY)}
    components[LiveEntry.__name__]["properties"]["events"]["items"] = {"$ref": _REFERENCE.format(name=ANY)}
    for name, released_name in _RELEASED_NAMES.items():
        components[released_name] = components.pop(name) | {"title": released_name}
    document["components"]["schemas"] = components
    for path, operations in document["paths"].items():
        for operation in operations.values():
            _describe(operation, command)
            list_refusals(operation, path)
    adapt(document)
    renamed: dict[str, Any] = _with_released_names(document)
    return renamed


# ------------------------------------------------------------------------------------------------ schemas


def _structs(info: types.Type, known: set[type]) -> Iterator[types.StructType | types.TypedDictType]:
    """Yields the structs and typed dictionaries within a type, each once."""
    if isinstance(info, types.StructType | types.TypedDictType):
        if info.cls in known:
            return
        known.add(info.cls)
        yield info
    inside = [getattr(info, name) for name in ("type", "item_type", "key_type", "value_type") if hasattr(info, name)]
    inside += [*getattr(info, "types", ()), *getattr(info, "item_types", ())]
    inside += [field.type for field in getattr(info, "fields", ())]
    for each in inside:
        yield from _structs(each, known)


def _with_released_names(value: Any) -> Any:
    """Returns a part of the document in which references have the released names of schemas."""
    if isinstance(value, dict):
        return {name: _with_released_names(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_released_names(each) for each in value]
    return _RELEASED_REFERENCES.get(value, value) if isinstance(value, str) else value


def _describe_fields(properties: dict[str, Any], struct: types.StructType | types.TypedDictType) -> None:
    docstrings = _all_docstrings(struct.cls)
    for field in struct.fields:
        if field.name in docstrings and field.encode_name in properties:
            properties[field.encode_name].setdefault("description", docstrings[field.name])


def _all_docstrings(of: type) -> dict[str, str]:
    """Returns the docstrings of the fields of a class and of those that it extends."""
    classes = (of,) if is_typeddict(of) else reversed(of.__mro__)
    return {name: text for each in classes for name, text in _docstrings(each).items()}


def _docstrings(of: type) -> dict[str, str]:
    """Returns the docstrings of the fields of a Struct or a typed dictionary, read from its source."""
    if not is_typeddict(of) and (not issubclass(of, msgspec.Struct) or of is msgspec.Struct):
        return {}
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(of))).body
    assert isinstance(made, ast.ClassDef), "the source of a class is a class definition"
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in zip(made.body, made.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ routes


def _describe(operation: dict[str, Any], command: dict[str, Any]) -> None:
    name = operation["operationId"]
    operation["summary"] = operation["description"].splitlines()[0].rstrip(".")
    for parameter in operation.get("parameters", ()):
        _describe_parameter(parameter)
    if name == "perform":
        operation["requestBody"]["content"]["application/json"]["schema"] = {
            "oneOf": [command, {"type": "array", "items": command, "minItems": 1, "maxItems": MOST}]
        }
    if name == "importSession":
        operation["requestBody"] = {"required": True, "content": {JSONL: {"schema": _LINES}}}
    for kind in operation.get("requestBody", {"content": {}})["content"].values():
        kind["examples"] = examples.request_examples(name)
    _describe_success(operation, name)


def _describe_parameter(parameter: dict[str, Any]) -> None:
    """Describes a parameter and removes null from its types: a parameter is omitted, never null."""
    schema = parameter["schema"]
    for each in schema.pop("oneOf", ()):
        if each != {"type": "null"}:
            schema |= each
    if parameter["in"] == "path":
        parameter["description"] = _PLACES[parameter["name"]]
    if parameter["in"] == "header":
        schema |= _HEADERS.get(parameter["name"], {})
    if "description" in schema:
        parameter["description"] = schema["description"]


def _describe_success(operation: dict[str, Any], name: str) -> None:
    answer = next(each for status, each in operation["responses"].items() if status < "3")
    content = answer.get("content", {})
    if name == "getEntries":
        content |= {"application/json": {"schema": _ENTRIES}, JSONL: {"schema": _LINES}}
    if name == "feed":
        content["text/event-stream"]["schema"] = _STREAM
    if any(f"{_REFERENCE.format(name=kind)}" in str(content) for kind in ("Performed", "State", "Written")):
        answer["headers"]["ETag"] = _TAG
    for kind, each in content.items():
        each["examples"] = examples.response_examples(name, kind)
