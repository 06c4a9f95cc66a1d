"""Examples of the OpenAPI document: the requests of one short fight, in order, with a server's responses."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class ExampleRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One request of the fight with its response."""

    operation: str
    name: str
    """The title of the example."""
    seat: str
    """The seat of the caller: ``host``, ``gm`` or a player's name; empty if no token is needed."""
    place: dict[str, str] = {}
    """The parameters of the path, except the session."""
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: Any = None
    status: int
    kind: str = ""
    """The media type of the response; empty if it has no body."""
    answer: Any = None


@cache
def steps() -> tuple[ExampleRequest, ...]:
    """Returns the requests of the fight in order."""
    text = files("replays.server").joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=tuple[ExampleRequest, ...])


def request_examples(operation: str) -> dict[str, Any]:
    """Returns examples of a route's request body, by name."""
    mine = [each for each in steps() if each.operation == operation and each.body is not None]
    return {_example_id(each.name): {"summary": each.name, "value": each.body} for each in mine}


def response_examples(operation: str, kind: str) -> dict[str, Any]:
    """Returns examples of a route's response body, by name."""
    mine = [each for each in steps() if (each.operation, each.kind) == (operation, kind)]
    return {_example_id(each.name): {"summary": each.name, "value": each.answer} for each in mine}


def _example_id(name: str) -> str:
    return name.lower().replace(" ", "-").replace("'", "")
