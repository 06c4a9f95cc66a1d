"""What is asked as it is documented: a number is a number, and what nobody asked for is not passed over."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute

from ledger.errors import Refused
from replays.server.callers.callers import token_of
from replays.server.http.surrogates import check_text

_BLANK, _WORDS = re.compile(r"Expected `str` matching regex '\[\^.*\]'"), "Expected words, got none"
_PATH = re.compile(r" - at `\$\.?(.*)`$")


class _Known(msgspec.Struct, frozen=True):
    """What may be asked at an address by a method."""

    queries: frozenset[str]
    body: msgspec.json.Decoder[Any] | None
    """Reads it; None where there is none."""


async def strictly(connection: ASGIConnection, _: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Refuse wrong types, which the web framework would turn into the right ones: in a body "3" into 3.

    What is no JSON at all, and who may not ask, is refused elsewhere.

    Raises:
        ValidationException: Something is of a wrong type, or nobody asked for it; the key says where.
        BadText: A text has half of a character.
    """
    asked = connection.scope.get("path_template"), connection.scope.get("method")
    known = _known(connection.app).get(asked)
    if known is None:
        return
    _check_query(connection, known.queries)
    if known.body is None:
        return
    body = b""
    try:
        token_of(connection)  # type: ignore[arg-type]
        body = await connection.body()  # type: ignore[attr-defined]
        known.body.decode(body)
    except msgspec.ValidationError as error:
        message = str(error)
        if "got `float`" in message:  # 7.0 is a whole number in JSON
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


def _check_query(connection: ASGIConnection, known: frozenset[str]) -> None:  # type: ignore[type-arg]
    """Refuse what nobody asks for: `?att=3` is no `?at=3`."""
    if "null" in connection.query_params.getall("at", []):
        raise ValidationException("null is no number", extra=[{"message": "leave it out", "key": "at"}])
    unknown = [name for name in connection.query_params if name not in known]
    if unknown:
        accepted = ", ".join(sorted(known)) or "none"
        told = [{"message": f"unknown; there is {accepted}", "key": name} for name in unknown]
        raise ValidationException("the query has what is not asked for", extra=told)


@lru_cache(maxsize=8)
def _known(app: Litestar) -> Mapping[tuple[object, object], _Known]:
    """By address and method; a route itself is no key, for to hash it takes longer than all the rest."""
    return {
        (route.path_format, method): _Known(
            frozenset(each.field_alias for each in model.expected_query_params),
            None if handler.parsed_data_field is None else msgspec.json.Decoder(handler.parsed_data_field.raw),
        )
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path_format.startswith("/v1")  # probes may ask as they like
        for method, (handler, model) in route.route_handler_map.items()
    }
