"""Makes the OpenAPI document: that of the web framework, with exact schemas, descriptions and examples."""

import ast
import asyncio
import inspect
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeVar, is_typeddict

import msgspec
from litestar import Litestar, Router
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import OpenAPI
from msgspec import inspect as types

from ledger.commands import AnyCommand
from ledger.entry import Seat, StoredRequest, Who
from ledger.events import EVENTS
from ledger.tombstone import Tombstone
from machines.engine.options import Possibility
from projections.views.document import State
from replays.api.batches import MOST
from replays.audit.audit import Audit, DiceAudit
from replays.audit.dice import ProvenanceCount
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.explain import ExplanationStep
from replays.audit.why import Why
from replays.campaigns.campaign import CampaignPage, CampaignRulings
from replays.campaigns.listing import CampaignList
from replays.campaigns.luck import SessionsLuck
from replays.corrections.diff import Report
from replays.exports.documents import ChanceDocument, EntryDocument, OddsDocument
from replays.exports.export_lines import ExportedEntry
from replays.exports.jsonl import Header
from replays.exports.listing import Summary
from replays.exports.recap.model import Recap
from replays.exports.theatre.branch import BranchLine
from replays.exports.theatre.model import Outline, ReplaySteps
from replays.odds.fight.chances import FightChances
from replays.odds.luck import Luck
from replays.server.callers.callers import app_state_of
from replays.server.callers.changes import LiveEntry
from replays.server.callers.tokens import Issued
from replays.server.http import examples
from replays.server.http.event_schemas import ANY, event_schemas
from replays.server.http.for_generators import adapt
from replays.server.http.glossary import GLOSSARY
from replays.server.http.problems import Problem
from replays.server.http.refusal_slugs import list_refusals
from replays.server.http.schemas.exported_lines import LINE, exported_lines
from replays.server.http.schemas.renaming import REFERENCE, Schemas, reference, with_references
from replays.server.http.schemas.rulesets import ROW, SHEET, ruleset_schemas
from replays.server.reference.qr_codes import QrCode
from replays.server.routes.common import HTML, JSON, JSONL
from replays.server.routes.correcting import AmendRequest, BranchRequest, Considered, Written
from replays.server.routes.games import ChartDiagram, Game, RulesetSchemas, WholeGame
from replays.server.routes.health import ServerHealth
from replays.server.routes.host.lifecycle import Archiving
from replays.server.routes.host.sessions import Founded, NewSession
from replays.server.routes.lines import LineSent, LineToSend, LineTyped
from replays.server.routes.live import Greeting
from replays.server.routes.me import Me
from replays.server.routes.performing import Performed
from replays.server.routes.playing import Redo, Undo
from replays.server.routes.reading import OddsAsked
from replays.server.routes.setting_up import FileCombatants, QrText, SheetText
from replays.server.routes.tokens import Known, NewToken
from replays.server.routes.webhooks import IssuedHook, KnownHook, NewHook, Pinged
from replays.server.runtime.uncancelled import await_uncancelled
from replays.server.webhooks.messages import HookMessage
from replays.sessions.archive import Archived
from replays.table.online.documents import TableQuestion, Understood

T = TypeVar("T")

DOCUMENTED_TYPES: tuple[Any, ...] = (
    AnyCommand, NewSession, NewToken, Founded, Known, Issued, Summary, State, Performed, Possibility, Undo, Redo,
    Considered, AmendRequest, Written, Report, EntryDocument, LiveEntry, OddsAsked, Why, Audit, Disputed, Dispute, Game,
    WholeGame, ChartDiagram, RulesetSchemas, ServerHealth, Problem, Me, OddsDocument, ChanceDocument, Luck, Recap,
    Outline, ReplaySteps, TableQuestion, Understood, LineToSend, LineTyped, LineSent, FightChances,
    BranchRequest, BranchLine,
    Greeting, NewHook, IssuedHook, KnownHook, Pinged, HookMessage, Archiving, Archived, Tombstone,
    CampaignList, CampaignPage, SessionsLuck, CampaignRulings, QrText, QrCode, SheetText, FileCombatants,
)  # fmt: skip
"""The types of requests and responses; their schemas, and those of the types in them, are in the document."""

_RELEASED_NAMES = {
    AmendRequest.__name__: "Amended",
    ChanceDocument.__name__: "Chance",
    ChartDiagram.__name__: "Drawn",
    DiceAudit.__name__: "Dice",
    EntryDocument.__name__: "Told",
    ExplanationStep.__name__: "Part",
    OddsDocument.__name__: "Odds",
    ProvenanceCount.__name__: "Provenance",
    ServerHealth.__name__: "Health",
}
"""The names of schemas that generated clients know, where the classes are named otherwise."""
_RELEASED_REFERENCES = {
    REFERENCE.format(name=name): REFERENCE.format(name=released) for name, released in _RELEASED_NAMES.items()
}
_PLACES = {
    "session": "The session's id.",
    "campaign": "The campaign's name, percent-encoded; `-` if the query has it.",
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
_ENTRIES = {"type": "array", "items": reference(EntryDocument.__name__)}
_STREAM = {
    "description": "Server-Sent Events; the data of an `entry` is a `LiveEntry` as JSON, of `refused` a `Problem`.",
    "x-events": {"entry": reference(LiveEntry.__name__), "refused": reference(Problem.__name__)},
}
_TAG = {"schema": {"type": "string", "pattern": r'^"[0-9]+"$'}, "description": "The number of the log's last entry."}


def _lines_of(name: str) -> dict[str, Any]:
    """Returns the schema of JSON lines that each have a schema."""
    lines = {"type": "array", "items": reference(name), "description": "The lines, in order."}
    text = f"JSON lines: one document on each line, as `{_RELEASED_NAMES.get(name, name)}` describes it."
    return {"type": "string", "description": text, "contentMediaType": JSONL, "contentSchema": lines}


_LINES = _lines_of(LINE)
_CONTENT: dict[tuple[str, str], dict[str, Any]] = {
    ("getEntries", JSON): _ENTRIES,
    ("getEntries", JSONL): _lines_of(EntryDocument.__name__),
    ("export", JSONL): _LINES,
    ("feed", "text/event-stream"): _STREAM,
    ("getReplay", HTML): {"type": "string", "description": "An HTML document.", "contentMediaType": HTML},
    ("getTable", JSON): {"type": "array", "items": reference(ROW)},
    ("getSheet", JSON): reference(SHEET),
}
"""The schemas of answers whose form is not that of one class, by operation and media type."""


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

    def make() -> dict[str, Any]:
        return app.openapi_schema.to_schema()

    await made_once(app, "documentation", make)


async def made_once(app: Litestar, name: str, make: Callable[[], T]) -> T:
    """Returns what a thread makes at the first request for it; it is kept in the state of the application.

    Args:
        app: The application.
        name: The name in its state.
        make: Makes it.
    """
    making = app.state.get(name)
    if making is None or (making.done() and making.exception() is not None):
        making = app.state[name] = asyncio.ensure_future(app_state_of(app.state).run(make))
    made: T = await await_uncancelled(making)
    return made


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Adds exact schemas, descriptions and examples to the web framework's document."""
    command, components = _components()
    document["components"]["schemas"] = components
    for path, operations in document["paths"].items():
        for operation in operations.values():
            _describe(operation, command)
            list_refusals(operation, path)
    adapt(document)
    changed: dict[str, Any] = with_references(document, _RELEASED_REFERENCES)
    return changed


# ------------------------------------------------------------------------------------------------ schemas


def _components() -> tuple[dict[str, Any], Schemas]:
    """Returns the schema of a command, and all schemas by name; those in them have their names of the classes."""
    (command, *_), components = msgspec.json.schema_components(
        DOCUMENTED_TYPES, ref_template=REFERENCE, schema_hook=_schema_of_fraction
    )
    for info in types.multi_type_info(DOCUMENTED_TYPES):
        for struct in _structs(info, set()):
            _describe_fields(components[struct.cls.__name__].get("properties", {}), struct)
    components |= event_schemas(REFERENCE, {kind: _all_docstrings(kind) for kind in EVENTS})
    lines: tuple[type, ...] = (Header, ExportedEntry, Who, StoredRequest, *EVENTS)
    components = exported_lines({kind: _all_docstrings(kind) for kind in lines}) | components
    for component in components.values():
        for name, schema in component.get("properties", {}).items():
            if name in GLOSSARY:
                schema.setdefault("description", GLOSSARY[name])
    components["NewToken"]["properties"]["seat"] = {"enum": [seat.value for seat in Seat], "description": _SEAT}
    for kind in (EntryDocument, LiveEntry):
        components[kind.__name__]["properties"]["events"]["items"] = reference(ANY)
    for name, released_name in _RELEASED_NAMES.items():
        components[released_name] = components.pop(name) | {"title": released_name}
    return command, components | ruleset_schemas()


def _schema_of_fraction(kind: type) -> dict[str, Any]:
    """Returns the schema of a fraction, which documents have as a number."""
    if kind is Fraction:
        return {"type": "number"}
    raise NotImplementedError


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
    content |= {kind: {"schema": schema} for (operation, kind), schema in _CONTENT.items() if operation == name}
    if any(f"{REFERENCE.format(name=kind)}" in str(content) for kind in ("Performed", "State", "Written")):
        answer["headers"]["ETag"] = _TAG
    for kind, each in content.items():
        each["examples"] = examples.response_examples(name, kind)
