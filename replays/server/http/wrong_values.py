"""Describes what the web framework refuses in a request: the reason, where, and what would be accepted there."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from litestar import Request
from litestar.exceptions import HTTPException
from msgspec import inspect as types

_MISSING = re.compile(r"Missing required (\w+) parameter '([^']+)' for path")
_NO_BODY = "'data'"
_OF_BODY = "data"


class WrongValue(NamedTuple):
    """What is wrong with a request."""

    reason: str
    where: str
    accepts: str


def wrong_value(request: Request[Any, Any, Any], error: HTTPException) -> WrongValue | None:
    """Returns what is wrong with a value of the query, a header or the body; None for other errors.

    Args:
        request: The request.
        error: What the web framework raised.
    """
    missing = _MISSING.match(error.detail or "")
    if missing:
        kind, name = missing.groups()
        what = "header" if kind == "header" else f"{kind} parameter"
        return WrongValue(f"the {what} {name} is missing", name, _description(request, name))
    extras = extras_of(error)
    if not extras:
        return None
    if [each.get("message") for each in extras] == [_NO_BODY]:
        return WrongValue("the request has no body", "body", "a JSON object")
    reasons = "; ".join(str(each.get("message", "")) for each in extras)
    places = [_place(request, each) for each in extras if each.get("key")]
    names, accepts = (
        (dict.fromkeys(filter(None, column)) for column in zip(*places, strict=True)) if places else ((), ())
    )
    return WrongValue(_reason(request, error, reasons), ", ".join(names), "; ".join(accepts))


def extras_of(error: HTTPException) -> list[dict[str, Any]]:
    """Returns the single errors that the web framework found."""
    return [each for each in error.extra if isinstance(each, dict)] if isinstance(error.extra, list) else []


def _place(request: Request[Any, Any, Any], extra: dict[str, Any]) -> tuple[str, str]:
    """Returns the name of what is wrong, and what is accepted there."""
    key = str(extra["key"])
    if extra.get("source", "body") == "body":
        return key, _accepted_in_body(request, key)
    name = _name(request, key)
    return name, _accepted_by_parameter(request, name)


def _reason(request: Request[Any, Any, Any], error: HTTPException, reasons: str) -> str:
    """Returns the reason without the address of the request, which the caller knows."""
    if (error.detail or "").startswith(f"Validation failed for {request.method}"):
        return "a text that is not blank is expected" if "matching regex" in reasons else reasons
    return f"{error.detail}: {reasons}"


# ------------------------------------------------------------------------------------------------ parameters


def _parameters(request: Request[Any, Any, Any]) -> dict[str, Any]:
    handler = request.scope.get("route_handler")
    return dict(handler.parsed_fn_signature.parameters) if hasattr(handler, "parsed_fn_signature") else {}


def _name(request: Request[Any, Any, Any], key: str) -> str:
    """Returns the name that a parameter has in a request."""
    field = _parameters(request).get(key)
    return getattr(field.kwarg_definition, "name", None) or key if field is not None else key


def _limits(request: Request[Any, Any, Any], name: str) -> Iterator[tuple[Any, Any]]:
    """Yields the field and the limits of the parameter of that name, if there is one."""
    for key, field in _parameters(request).items():
        if field.kwarg_definition is not None and _name(request, key) == name and key != _OF_BODY:
            yield field, field.kwarg_definition


def _description(request: Request[Any, Any, Any], name: str) -> str:
    return next((limits.description or "" for _, limits in _limits(request, name)), "")


def _accepted_by_parameter(request: Request[Any, Any, Any], name: str) -> str:
    for field, limits in _limits(request, name):
        return _within(limits) or _accepted(types.type_info(field.annotation))
    return ""


def _within(limits: Any) -> str:
    """Returns the bounds of a number or of the length of a text."""
    low, high = getattr(limits, "ge", None), getattr(limits, "le", None)
    if low is not None or high is not None:
        return _span(low, high)
    longest = getattr(limits, "max_length", None)
    return "" if longest is None else f"{limits.min_length or 0} to {longest} characters"


# ------------------------------------------------------------------------------------------------ bodies


def _accepted_in_body(request: Request[Any, Any, Any], path: str) -> str:
    handler = request.scope.get("route_handler")
    body = getattr(handler, "parsed_data_field", None)
    info = None if body is None else types.type_info(body.raw)
    for name in path.split("."):
        info = next(
            (field.type for each in _inside(info) for field in _fields(each) if field.encode_name == name), None
        )
    return "" if info is None else _accepted(info)


def _inside(info: types.Type | None) -> Iterator[types.Type]:
    """Yields the types that a value may have."""
    if isinstance(info, types.UnionType):
        yield from info.types
    elif info is not None:
        yield info


def _fields(info: types.Type) -> tuple[types.Field, ...]:
    return info.fields if isinstance(info, types.StructType) else ()


def _accepted(info: types.Type) -> str:
    """Returns what a type accepts, where that is a short list or a span; else an empty text."""
    found = []
    for each in _inside(info):
        match each:
            case types.LiteralType(values):
                found.append(", ".join(map(str, values)))
            case types.EnumType(kind):
                found.append(", ".join(str(member.value) for member in kind))
            case types.IntType() | types.FloatType() if each.ge is not None or each.le is not None:
                found.append(_span(each.ge, each.le))
            case _:
                pass
    return "; ".join(found)


def _span(low: float | None, high: float | None) -> str:
    if high is None:
        return f"{low} or more"
    return f"{high} or less" if low is None else f"{low} to {high}"
