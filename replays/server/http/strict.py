"""Rejects requests with values of a wrong type or with unknown query parameters."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Litestar
from litestar.exceptions import ValidationException
from litestar.routes import HTTPRoute
from msgspec import inspect as types

from ledger.errors import Refused
from replays.server.callers.callers import token_of
from replays.server.http.problems import TextRequest
from replays.server.http.surrogates import check_text

_BLANK, _WORDS = re.compile(r"Expected `str` matching regex '\[\^.*\]'"), "Expected words, got none"
_PATH = re.compile(r" - at `\$\.?(.*)`$")


class _Documented(msgspec.Struct, frozen=True):
    """The parameters and the body that a route accepts for one HTTP method."""

    queries: frozenset[str]
    body: msgspec.json.Decoder[Any] | None
    """Decodes the body strictly; None if the route takes no body."""
    tagged: Mapping[str, str]
    """Fields of the body with a struct that has a tag, such as `type`: the decoder requires it only in unions."""


async def check_request(request: TextRequest) -> None:
    """Rejects wrong types and unknown query parameters; called before the request is parsed any further.

    Without this check the web framework would convert values: the text "3" in a body would become the number 3.
    Malformed JSON and missing rights are refused elsewhere.

    Raises:
        ValidationException: A value has a wrong type, or a query parameter is unknown; `key` locates it.
        BadText: A text contains a lone surrogate.
    """
    documented = _documented(request.app).get((request.scope["path_template"], request.scope["method"]))
    if documented is None:
        return
    _check_query(request, documented.queries)
    if documented.body is None:
        return
    body = b""
    try:
        token_of(request)
        body = await request.body()
        decoded = documented.body.decode(body)
        _check_tags(body, documented.tagged)
        request.decoded = decoded
    except msgspec.ValidationError as error:
        message = str(error)
        if "got `float`" in message:  # JSON has one type of number: 7.0 is a whole number
            return
        found = _PATH.search(message)
        where = {"key": found[1]} if found else {}
        raise ValidationException(
            "the body is of a wrong type", extra=[{"message": _BLANK.sub(_WORDS, _PATH.sub("", message)), **where}]
        ) from error
    except msgspec.DecodeError:
        check_text(body)
    except (Refused, UnicodeDecodeError, RecursionError):
        return


def _check_tags(body: bytes, tagged: Mapping[str, str]) -> None:
    """Rejects a body in which a struct lacks its tag, as the schema does.

    Raises:
        ValidationError: A tag is missing.
    """
    given = msgspec.json.decode(body) if tagged else {}
    for field, tag in tagged.items():
        if isinstance(given.get(field), dict) and tag not in given[field]:
            raise msgspec.ValidationError(f"Object missing required field `{tag}` - at `$.{field}`")


def _check_query(request: TextRequest, accepted: frozenset[str]) -> None:
    """Rejects unknown query parameters, so that `?att=3` is not silently read as no `?at=3`."""
    if not request.scope["query_string"]:
        return
    if "null" in request.query_params.getall("at", []):
        raise ValidationException("null is not a number", extra=[{"message": "omit the parameter", "key": "at"}])
    unknown = [name for name in request.query_params if name not in accepted]
    if unknown:
        names = ", ".join(sorted(accepted)) or "none"
        problems = [{"message": f"unknown parameter; accepted: {names}", "key": name} for name in unknown]
        raise ValidationException("the query has unknown parameters", extra=problems)


@lru_cache(maxsize=8)
def _documented(app: Litestar) -> Mapping[tuple[str, str], _Documented]:
    """Returns what each route accepts, by path and method: hashing a route object would be slow."""
    return {
        (route.path_format, method): _Documented(
            frozenset(each.field_alias for each in model.expected_query_params),
            None if handler.parsed_data_field is None else msgspec.json.Decoder(handler.parsed_data_field.raw),
            {} if handler.parsed_data_field is None else _tagged(handler.parsed_data_field.raw),
        )
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path_format.startswith("/v1")  # health probes may send anything
        for method, (handler, model) in route.route_handler_map.items()
    }


def _tagged(body: Any) -> Mapping[str, str]:
    """Returns the fields of a body whose type is one struct with a tag, each with the name of the tag's field."""
    info = types.type_info(body)
    found: dict[str, str] = {}
    for field in info.fields if isinstance(info, types.StructType) else ():
        inside = field.type.types if isinstance(field.type, types.UnionType) else (field.type,)
        structs = [each for each in inside if isinstance(each, types.StructType)]
        if len(structs) == 1 and structs[0].tag_field is not None:
            found[field.encode_name] = structs[0].tag_field
    return found
