"""The messages of the live feeds, with the examples of the OpenAPI document."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from replays.server.callers.changes import LiveEntry
from replays.server.callers.tokens import revoked_token
from replays.server.http.problems import problem
from replays.server.http.schemas.renaming import reference
from replays.server.routes.live import NOTHING_NEW, OPENING, Greeting

EVENT_STREAM = "text/event-stream"
_ID = {"type": "string", "pattern": "^[0-9]+$", "description": "The number of the entry."}


def messages(feed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the messages of both feeds, by their names in the document.

    Args:
        feed: The operation of the OpenAPI document that streams Server-Sent Events.
    """
    stream = feed["responses"]["200"]["content"][EVENT_STREAM]
    entry, refused = (stream["schema"]["x-events"][event] for event in ("entry", "refused"))
    recorded = [each for example in stream["examples"].values() for each in _recorded(example)]
    return {
        "greeting": _greeting(),
        "entry": {
            "name": "entry", "title": "Entry", "summary": _first_line(LiveEntry), "payload": entry,
            "examples": [{"summary": each["summary"], "payload": each["payload"]} for each in recorded],
        },
        "entryEvent": {
            "name": "entry", "title": "Entry, as an event", "summary": _first_line(LiveEntry),
            "headers": _fields("entry", id=_ID), "payload": entry, "examples": recorded,
        },
        "refusedEvent": {
            "name": "refused", "title": "Refusal", "summary": "Why the feed ends, such as a token that was revoked.",
            "headers": _fields("refused"), "payload": refused, "examples": [_revoked()],
        },
        "openingComment": _comment("opening", "Opening", "The first line: the feed is open.", OPENING),
        "keepAliveComment": _comment("keepAlive", "Sign of life", "There are no new entries.", NOTHING_NEW),
    }  # fmt: skip


def _greeting() -> dict[str, Any]:
    example = msgspec.to_builtins(Greeting(token="the token of a seat", after=13))  # noqa: S106
    return {
        "name": "greeting", "title": "Greeting",
        "summary": "The first message: the token of a seat, and the last entry that the reader has.",
        "description": "Nothing is sent before it. What a client sends after it is ignored.",
        "payload": reference(Greeting.__name__), "examples": [{"summary": "All after entry 13", "payload": example}],
    }  # fmt: skip


def _fields(event: str, **others: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of the fields of a Server-Sent Event beside its data, all of which it has."""
    fields = {"event": {"type": "string", "const": event, "description": "The name of the event."}, **others}
    return {"type": "object", "properties": fields, "required": list(fields)}


def _comment(name: str, title: str, summary: str, text: str) -> dict[str, Any]:
    return {
        "name": name, "title": title, "summary": summary, "contentType": "text/plain",
        "description": f"A comment, the line `: {text}`, which is no event; readers of events ignore it.",
        "payload": {"type": "string", "const": text}, "examples": [{"summary": title, "payload": text}],
    }  # fmt: skip


def _recorded(example: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the events of a recorded stream as examples of messages."""
    blocks = [block.split("\n") for block in example["value"].split("\n\n") if block.startswith("id: ")]
    events = [dict(line.split(": ", 1) for line in lines) for lines in blocks]
    return [
        {"summary": example["summary"], "payload": json.loads(event.pop("data")), "headers": event}
        for event in events
    ]  # fmt: skip


def _revoked() -> dict[str, Any]:
    refused = msgspec.to_builtins(problem(revoked_token()))
    return {"summary": "The token was revoked", "headers": {"event": "refused"}, "payload": refused}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n")[0]
