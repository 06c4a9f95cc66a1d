"""Checks a command and an idempotency key before they are decided.

Each field of a command must have its type and be within the bounds that `ledger.bounds` states for it. The bounds
apply to new commands, not to stored ones.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from ledger.bounds import BYTES, DEPTH, VISIBLE, LongText, Number, Title
from ledger.commands import COMMANDS, Command
from ledger.entry import Seat, Who
from ledger.errors import BadCommand, BadIdempotencyKey

_encoder = msgspec.json.Encoder(order="deterministic")
_SETS = {
    "maxLength": "max_length",
    "maxItems": "max_length",
    "maxProperties": "max_length",
    "minimum": "ge",
    "maximum": "le",
    "pattern": "pattern",
}
"""The msgspec constraint that enforces each JSON Schema keyword."""
_PATH = r"`key` in |^`\$\.?|`\$\.?|`$"
"""The text around the path in a msgspec message: ``- at `key` in `$.policies` ``."""
_HIDES = "it has a control character, or one that changes the direction of the text around it"
_VISIBLE_TEXT = "text without such characters"
LONGEST_KEY = 255
"""Characters of an idempotency key."""


class _Requester(msgspec.Struct):
    """The person who asks."""

    name: Title
    seat: Seat


def check_command(by: Who, command: Command) -> None:
    """Rejects a command that could not be read back, or that is longer, larger or deeper than its bounds.

    Args:
        by: The person and the seat that ask.
        command: The command to check.

    Raises:
        BadCommand: `where` is the path of the first bad field, `accepts` its bound.
    """
    kind = type(command)
    if kind not in COMMANDS:
        raise BadCommand(f"{kind.__name__} is not a command", where="command", accepts=", ".join(_NAMES))
    if not isinstance(by, Who) or not isinstance(by.seat, Seat):
        raise BadCommand(f"{by!r:.60} is not a person with a seat", where="by", accepts="a name and a seat")
    _check_types(by, _enforced_struct(_Requester), "by.")
    _check_letters(by, "by.")
    _check_types(command, _enforced_struct(kind), "")
    for field, bounds in _objects(kind).items():
        _check_object(getattr(command, field), bounds, f"{kind.__name__}.", field)
    _check_letters(command, "")


def check_key(key: object) -> None:
    """Rejects a malformed idempotency key, from a program, from HTTP or from an imported session.

    Raises:
        BadIdempotencyKey: The key is not text, is empty or too long, or has control characters or a lone surrogate.
    """
    is_key = isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and re.fullmatch(VISIBLE, key) is not None
    if not is_key or not has_utf8(key):
        shown = repr(key[:60] if isinstance(key, str | bytes) else key)[:80]
        accepts = f"1 to {LONGEST_KEY} visible characters"
        raise BadIdempotencyKey(f"{shown} is not an idempotency key", where="batch", accepts=accepts)


def has_utf8(text: object) -> bool:
    """Returns whether a value is text that UTF-8 can encode: text with a lone surrogate is not."""
    try:
        return isinstance(text, str) and (text.isascii() or bool(text.encode()))
    except UnicodeEncodeError:
        return False


def _check_types(value: msgspec.Struct, enforced: Any, root: str) -> None:
    try:
        msgspec.convert(value, enforced, from_attributes=True)
    except UnicodeEncodeError:  # msgspec encodes a text before it checks its type
        texts = [name for name in value.__struct_fields__ if isinstance(getattr(value, name), str)]
        _check_letters(value, root, texts)
        raise
    except msgspec.ValidationError as error:
        problem, _, tail = str(error).partition(" - at ")
        where = root + re.sub(_PATH, "", tail)
        wanted = problem.removeprefix("Expected ").partition(", got ")[0].replace("`", "").replace("array", "list")
        name = f"{type(value).__name__}.{where.removeprefix(root)}"
        if "matching regex" in problem:
            problem, wanted = _HIDES, _VISIBLE_TEXT
        raise BadCommand(f"{name}: {problem.replace('`', '')}", where=where, accepts=wanted) from error


def _check_letters(value: msgspec.Struct, root: str, fields: Iterable[str] | None = None) -> None:
    """Rejects lone surrogates, which UTF-8 cannot encode."""
    if fields is None:
        try:
            _encoder.encode(value)
        except UnicodeEncodeError:
            pass
        else:
            return
    for field in value.__struct_fields__ if fields is None else fields:
        try:
            _encoder.encode(getattr(value, field))
        except UnicodeEncodeError as error:
            problem = f"{type(value).__name__}.{field} has a character that cannot be stored: {error.reason}"
            raise BadCommand(problem, where=root + field, accepts="text that UTF-8 can hold") from error


# ------------------------------------------------------------------------------------------------ objects


def _check_object(value: Mapping[str, Any], bounds: Mapping[str, int], root: str, field: str) -> None:
    """Rejects an object that is not plain JSON, has a text or number out of bounds, or is too deep or too large."""
    problem = next(_problems(value, field, bounds[DEPTH]), None)
    if problem is not None:
        where, what, accepts = problem
        raise BadCommand(f"{root}{where} {what}", where=where, accepts=accepts)
    try:
        size = len(_encoder.encode(value))
    except UnicodeEncodeError:
        return  # `_check_letters` reports the field
    if size > bounds[BYTES]:
        accepts = f"up to {bounds[BYTES]:,} bytes"
        raise BadCommand(f"{root}{field} is too large: {size:,} bytes", where=field, accepts=accepts)


def _problems(value: object, where: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """Yields the problems inside an object: where, what, and what would be accepted."""
    if isinstance(value, str):
        if len(value) > _TEXT["maxLength"]:
            yield where, f"is too long: {len(value):,} characters", f"up to {_TEXT['maxLength']:,} characters"
    elif isinstance(value, int):
        if not _NUMBER["minimum"] <= value <= _NUMBER["maximum"]:
            yield where, "is out of bounds", f"{_NUMBER['minimum']:,} to {_NUMBER['maximum']:,}"
    elif isinstance(value, dict | list | tuple):
        if depth:
            yield from _inside(value, where, depth - 1)
        else:
            yield where, "is nested too deeply", "fewer levels"
    elif value is not None:
        what = "a fraction" if isinstance(value, float) else f"of type {type(value).__name__}"
        yield where, f"is {what}", "whole numbers, text, true, false"


def _inside(
    value: dict[Any, Any] | list[Any] | tuple[Any, ...], where: str, depth: int
) -> Iterator[tuple[str, str, str]]:
    if not isinstance(value, dict):
        for place, each in enumerate(value):
            yield from _problems(each, f"{where}[{place}]", depth)
        return
    for name, each in value.items():
        if not isinstance(name, str) or len(name) > _NAME["maxLength"] or not re.fullmatch(VISIBLE, name):
            accepts = f"up to {_NAME['maxLength']} visible characters"
            yield where, f"has a malformed key: {name!r:.60}", accepts
        yield from _problems(each, f"{where}.{name}", depth)


# ------------------------------------------------------------------------------------------------ bounds of types


def _bounds(kind: Any) -> Mapping[str, Any]:
    """Returns the bounds that an annotated type states, as JSON Schema keywords; empty if it states none."""
    stated = [each.extra_json_schema for each in getattr(kind, "__metadata__", ()) if isinstance(each, msgspec.Meta)]
    return stated[0] or {} if stated else {}


def _enforced(kind: Any) -> Any:
    """Returns the type with its bounds turned into constraints that decoding enforces."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        sets = {_SETS[word]: bound for word, bound in _bounds(kind).items() if word in _SETS}
        if "pattern" in sets:
            sets["pattern"] = (
                sets["pattern"].removesuffix("$") + r"\Z"
            )  # in Python, $ also matches before a final line end
        return Annotated[_enforced(inner[0]), msgspec.Meta(**sets)]
    if origin in (Union, UnionType):
        return Union[tuple(map(_enforced, inner))]  # noqa: UP007  of as many as there are
    if origin in (tuple, dict):
        return origin[tuple(each if each is Ellipsis else _enforced(each) for each in inner)]
    return kind


@cache  # made when a command of its kind is checked: reading a record needs none
def _enforced_struct(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Returns a struct with the same fields, whose bounds decoding enforces."""
    hints = get_type_hints(kind, include_extras=True)
    return msgspec.defstruct(kind.__name__, [(name, _enforced(hints[name])) for name in kind.__struct_fields__])


@cache
def _objects(kind: type[Command]) -> Mapping[str, Mapping[str, int]]:
    """Returns the bounds of the fields that hold plain objects."""
    stated = {name: _bounds(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
    return {name: bounds for name, bounds in stated.items() if BYTES in bounds}


_TEXT, _NAME, _NUMBER = _bounds(LongText), _bounds(Title), _bounds(Number)
_NAMES = tuple(kind.__name__ for kind in COMMANDS)
