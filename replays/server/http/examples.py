"""Examples for the documentation: one short fight, in order, as a server answered it."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One call of the fight."""

    operation: str
    name: str
    """What it is an example of."""
    seat: str
    """Who called: ``host``, ``gm``, a player by name; empty for anybody."""
    place: dict[str, str] = {}
    """Parameters of the path, beside the session."""
    query: dict[str, str] = {}
    body: Any = None
    status: int
    kind: str = ""
    """The answer's media type; empty where there is none."""
    answer: Any = None


@cache
def steps() -> tuple[Step, ...]:
    """The fight."""
    text = files("replays.server").joinpath("examples.json").read_bytes()
    return msgspec.json.decode(text, type=tuple[Step, ...])


def asked(operation: str) -> dict[str, Any]:
    """Bodies that a route accepts, by name."""
    mine = [each for each in steps() if each.operation == operation and each.body is not None]
    return {_word(each.name): {"summary": each.name, "value": each.body} for each in mine}


def answered(operation: str, kind: str) -> dict[str, Any]:
    """What a route answers, by name."""
    mine = [each for each in steps() if (each.operation, each.kind) == (operation, kind)]
    return {_word(each.name): {"summary": each.name, "value": each.answer} for each in mine}


def _word(name: str) -> str:
    return name.lower().replace(" ", "-").replace("'", "")
