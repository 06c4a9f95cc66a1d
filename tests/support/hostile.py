"""Invalid arguments: values of wrong types, and values that are longer, larger or deeper than allowed."""

import datetime
import decimal
import enum
import types
import uuid
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from ledger.bounds import BYTES, DEPTH
from ledger.commands import COMMANDS, Command

WRONG: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 1.5, float("nan"), float("inf"), 2**31, 2**63, -(2**64), 10**30, "", "x", "x" * 100_001, "\ud800",
    "a\u202eb", "a\x00b", "a\n", b"bytes", bytearray(b"b"), (), [], {}, ["ann"], ("ann",), {"ann": 1}, {1: 2}, {"a": {"b": [1.5]}}, {"x" * 300: 1},
    {"a\u202e": 1}, {"big": 10**30}, {"text": "x" * 30_000}, {"set": {1, 2}}, {1, 2}, object(), datetime.datetime(2024, 11, 3),
    datetime.date(2024, 11, 3), datetime.time(1), uuid.UUID(int=1), decimal.Decimal(1), enum.Enum("Odd", "a").a, [["deep"]], [None], [1, "a"],
)  # fmt: skip
"""Values of many types; any field accepts few of them."""


def nested(levels: int) -> dict[str, Any]:
    """Returns an object with a number of nested levels."""
    found: dict[str, Any] = {}
    for _ in range(levels - 1):
        found = {"in": found}
    return found


def stated(kind: Any) -> dict[str, Any]:
    """Returns the bounds that a type states."""
    return next((each.extra_json_schema or {} for each in getattr(kind, "__metadata__", ())), {})


def hints(kind: type[Any]) -> dict[str, Any]:
    """Returns the fields of a struct with their types."""
    return get_type_hints(kind, include_extras=True)


def parts(kind: Any) -> Iterator[Any]:
    """Yields a type and the types that it consists of: elements of a tuple, members of a union."""
    yield kind
    base = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if BYTES not in stated(kind) and get_origin(base) in (Union, types.UnionType, tuple, dict):
        for each in get_args(base):
            if each not in (Ellipsis, type(None)):
                yield from parts(each)


def fitting(kind: Any) -> Any:
    """Returns a valid value of a type."""
    if get_origin(kind) is Annotated:
        return {} if BYTES in stated(kind) else fitting(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return fitting(get_args(kind)[0])
    if get_origin(kind) in (tuple, dict):
        return get_origin(kind)()
    return {str: "x", int: 1, bool: True}[kind]


def plain_command(kind: type[Command]) -> Command:
    """Returns a command with a short value in every field."""
    return kind(**{name: fitting(hint) for name, hint in hints(kind).items()})


def at_the_bound(kind: Any) -> Iterator[tuple[Any, Any]]:
    """Yields, for each bound that a type states, a value at the bound and a value just beyond it."""
    yield from _own_bounds(kind)
    base = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    inner = [each for each in get_args(base) if each not in (Ellipsis, type(None), Any)]
    if BYTES in stated(kind):
        return
    if get_origin(base) in (Union, types.UnionType):
        for each in inner:
            yield from at_the_bound(each)
    if get_origin(base) is tuple:
        yield from (((kept,), (broken,)) for kept, broken in at_the_bound(inner[0]))
    if get_origin(base) is dict:
        value = fitting(inner[1])
        yield from (({kept: value}, {broken: value}) for kept, broken in at_the_bound(inner[0]))
        yield from (({"x": kept}, {"x": broken}) for kept, broken in at_the_bound(inner[1]))


def _own_bounds(kind: Any) -> Iterator[tuple[Any, Any]]:
    said = stated(kind)
    if "maxLength" in said:
        yield "x" * said["maxLength"], "x" * (said["maxLength"] + 1)
    if "minimum" in said:
        yield said["minimum"], said["minimum"] - 1
        yield said["maximum"], said["maximum"] + 1
    if "maxItems" in said:
        one = fitting(get_args(get_args(kind)[0])[0])
        yield (one,) * said["maxItems"], (one,) * (said["maxItems"] + 1)
    if "maxProperties" in said:
        names = [f"n{nth}" for nth in range(said["maxProperties"] + 1)]
        value = fitting(get_args(get_args(kind)[0])[1])
        yield dict.fromkeys(names[1:], value), dict.fromkeys(names, value)
    if BYTES in said:
        yield filled(said[BYTES]), filled(said[BYTES] + 1)
        yield nested(said[DEPTH]), nested(said[DEPTH] + 1)


def filled(size: int) -> dict[str, Any]:
    """Returns an object whose canonical JSON has a number of bytes."""
    found = {f"n{nth:04}": "x" * 5_000 for nth in range(size // 5_012)}
    found["rest"] = ""
    missing = size - len(msgspec.json.encode(found))
    return {**found, "rest": "x" * missing}


FIELDS = [(kind, name) for kind in COMMANDS for name in hints(kind)]
"""Every field of every command."""
