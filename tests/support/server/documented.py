"""The documents of the interface, made in this process, and validators of their schemas."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import jsonschema_rs

from replays.server.app import create
from replays.server.http.asyncapi import document as feeds
from replays.server.runtime.settings import Settings

Described = Mapping[str, Any]
"""A document, or a part of one."""


@cache
def openapi() -> Described:
    """Returns the OpenAPI document."""
    settings = Settings(ledger="memory://", keys=("k" * 48,))
    document = create(cast(Any, SimpleNamespace(settings=settings))).openapi_schema.to_schema()
    return cast(Described, document)


@cache
def validator(name: str) -> Any:
    """Returns a validator of one of the document's schemas."""
    schemas = openapi()["components"]["schemas"]
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return jsonschema_rs.Draft202012Validator(whole)


def wrong(name: str, value: Any) -> list[str]:
    """Returns what is wrong with a value according to one of the document's schemas."""
    return [f"{each.instance_path}: {each.message[:300]}" for each in validator(name).iter_errors(value)]


# ------------------------------------------------------------------------------------------------ messages of feeds


@cache
def asyncapi() -> Described:
    """Returns the AsyncAPI document."""
    return feeds.asyncapi(openapi())


def wrong_message(channel: str, text: str | bytes) -> list[str]:
    """Returns what is wrong with a message that a feed sent; nothing if it is as one of the channel's messages.

    Args:
        channel: `socket` or `events`.
        text: The message of a WebSocket; or a Server-Sent Event or comment, without the empty line after it.
    """
    try:
        message = {"payload": json.loads(text)} if channel == "socket" else _parsed(str(text))
    except ValueError as error:
        return [f"not JSON: {error}"]
    found = [_differences(channel, name, message) for name in _candidates(channel, message.get("headers"))]
    return min(found, key=len, default=["/headers/event: there is no such event"])


def wrong_greeting(greeting: Any) -> list[str]:
    """Returns what is wrong with the first message of a client."""
    (name,) = messages_of("socket", "receive")
    return _differences("socket", name, {"payload": greeting})


def _candidates(channel: str, fields: Described | None) -> list[str]:
    """Returns the names of the messages that one with some fields may be: the event of that name, or all without fields."""
    messages = {name: _message(channel, name) for name in messages_of(channel, "send")}
    if fields is None:
        return [name for name, each in messages.items() if "headers" not in each]
    return [name for name, each in messages.items() if "headers" in each and each["name"] == fields.get("event")]


def _message(channel: str, name: str) -> Described:
    reference = asyncapi()["channels"][channel]["messages"][name]["$ref"]
    return cast(Described, asyncapi()["components"]["messages"][reference.rpartition("/")[2]])


@cache
def messages_of(channel: str, action: str) -> Sequence[str]:
    """Returns the names of the messages of a channel that the server sends (`send`) or receives (`receive`)."""
    operations = [each for each in asyncapi()["operations"].values() if each["action"] == action]
    mine = [each for each in operations if each["channel"]["$ref"] == f"#/channels/{channel}"]
    return tuple(message["$ref"].rpartition("/")[2] for each in mine for message in each["messages"])


def _parsed(event: str) -> Described:
    """Returns a comment as a payload; an event as its data as a payload, and its other fields as headers."""
    lines = event.split("\n")
    if len(lines) == 1 and event.startswith(": "):
        return {"payload": event.removeprefix(": ")}
    fields = dict(line.split(": ", 1) for line in lines)
    return {"payload": json.loads(fields.pop("data", "null")), "headers": fields}


def _differences(channel: str, name: str, message: Described) -> list[str]:
    errors = message_validator(channel, name).iter_errors(message)
    return [f"{name} /{'/'.join(map(str, each.instance_path))}: {each.message[:300]}" for each in errors]


@cache
def message_validator(channel: str, name: str) -> Any:
    """Returns a plain validator of JSON Schema for the payload of a message, and for its headers if it has any."""
    message = _message(channel, name)
    parts = {part: message[part] for part in ("payload", "headers") if part in message}
    schema = {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}
    return jsonschema_rs.Draft7Validator({**schema, "components": asyncapi()["components"]})
