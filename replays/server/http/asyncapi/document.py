"""Makes the AsyncAPI document from the OpenAPI document: the same schemas, but only those that a message refers to."""

from collections.abc import Iterable, Mapping
from typing import Any

from replays.server.http.asyncapi.draft_07 import in_draft_07
from replays.server.http.asyncapi.messages import messages
from replays.server.http.for_generators import reachable
from replays.server.routes.common import JSON
from replays.server.routes.live import CLOSES

VERSION = "3.0.0"
"""The version of AsyncAPI."""
_ABOUT = """\
The live feeds of a session: each entry of its log as the seat of the reader sees it, with what it changes.

A feed begins after the entry that the reader names, so it continues where a connection was lost: no entry is missed or
repeated. It is a WebSocket or Server-Sent Events, at the same address. `/schema/openapi.json` describes the requests.
"""
_SOCKET = """\
The client sends one message, the greeting; then each message is an entry.

A WebSocket that is refused is closed with a slug as the reason and a code by the status of the refusal
(`x-close-codes`; 4400 for others). Code 1013 without a slug: the reader was too slow. Code 1001: the server ends.
"""
_EVENTS = "Entries as Server-Sent Events with their numbers as ids, and comments as signs of life."
_FEED = "feed"
"""The id of the operation."""
_HOST = {"default": "127.0.0.1:8040", "description": "The address of a server, as `affray serve` states it."}
_IN_GREETING = {
    "type": "apiKey", "in": "password",
    "description": "The token of a seat, as `token` of the greeting: never in the address, never in a header.",
}  # fmt: skip
_SCHEMES = "components/securitySchemes"
_SENT = {"events": ("openingComment", "entryEvent", "refusedEvent", "keepAliveComment"), "socket": ("entry",)}
"""The messages that the server sends, by channel."""


def asyncapi(openapi: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the AsyncAPI document of the live feeds.

    Args:
        openapi: The finished OpenAPI document.
    """
    address, feed = _feed(openapi)
    components, found = openapi["components"], messages(feed)
    return {
        "asyncapi": VERSION,
        "info": {
            "title": f"{openapi['info']['title']}: the live feeds",
            "version": openapi["info"]["version"],
            "description": _ABOUT,
        },
        "defaultContentType": JSON,
        "servers": {name: _server(name) for name in ("ws", "http")},
        "channels": _channels(address, feed),
        "operations": _operations(feed),
        "components": {
            "schemas": {
                name: in_draft_07(components["schemas"][name])
                for name in sorted(reachable(found, components["schemas"]))
            },
            "messages": found,
            "securitySchemes": {**components["securitySchemes"], "greeting": _IN_GREETING},
        },
    }


def _feed(openapi: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Returns the path and the operation of the feed of Server-Sent Events; the WebSocket has the same path."""
    gets = ((path, methods.get("get", {})) for path, methods in openapi["paths"].items())
    return next((path, operation) for path, operation in gets if operation.get("operationId") == _FEED)


def _server(protocol: str) -> dict[str, Any]:
    secure = f"`{protocol}s` behind a proxy with TLS."
    return {"host": "{host}", "protocol": protocol, "description": secure, "variables": {"host": _HOST}}


# ------------------------------------------------------------------------------------------------ channels


def _channels(address: str, feed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns both channels, which have the same address."""
    place = {each["name"]: {"description": each["description"]} for each in feed["parameters"] if each["in"] == "path"}
    common = {"address": address, "parameters": place}
    return {
        "socket": {
            **common, "title": "WebSocket", "description": _SOCKET, "servers": _references("servers", ["ws"]),
            "messages": _messages_of_channel("greeting", *_SENT["socket"]),
            "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            "x-close-codes": {str(status): code for status, code in CLOSES.items()},
        },
        "events": {
            **common, "title": "Server-Sent Events", "description": _EVENTS,
            "servers": _references("servers", ["http"]), "messages": _messages_of_channel(*_SENT["events"]),
        },
    }  # fmt: skip


def _messages_of_channel(*names: str) -> dict[str, Any]:
    return {name: _reference("components/messages", name) for name in names}


def _reference(place: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/{place}/{name}"}


def _references(place: str, names: Iterable[str]) -> list[dict[str, str]]:
    return [_reference(place, name) for name in names]


# ------------------------------------------------------------------------------------------------ operations


def _operations(feed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what the server does: it receives the greeting, and sends entries over each feed."""
    return {
        "greet": {
            **_operation("receive", "socket", ("greeting",)), "title": "Greet",
            "summary": "Begins the feed of a WebSocket", "security": _references(_SCHEMES, ["greeting"]),
        },
        "follow": {
            **_operation("send", "socket", _SENT["socket"]), "title": "Follow over a WebSocket",
            "summary": "Sends the entries after the one of the greeting, then new ones as they are written",
        },
        feed["operationId"]: {
            **_operation("send", "events", _SENT["events"]), "title": "Follow as Server-Sent Events",
            "summary": feed["summary"], "description": feed["description"],
            "security": _references(_SCHEMES, [name for each in feed["security"] for name in each]),
            "bindings": {"http": {"method": "GET", "query": _query(feed), "bindingVersion": "0.3.0"}},
        },
    }  # fmt: skip


def _operation(action: str, channel: str, names: Iterable[str]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": _reference("channels", channel),
        "messages": _references(f"channels/{channel}/messages", names),
    }


def _query(feed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema of the parameters in the query."""
    found = {each["name"]: in_draft_07(each["schema"]) for each in feed["parameters"] if each["in"] == "query"}
    return {"type": "object", "properties": found}
