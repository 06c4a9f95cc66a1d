"""What is asked as it is documented: a number is a number, not a text that looks like one."""

import re

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

from ledger.errors import Refused
from replays.server.sitting import token_of

_PATH = re.compile(r" - at `\$\.?(.*)`$")


async def strictly(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Refuse wrong types, which the web framework would turn into the right ones: in a body "3" into 3.

    What is no JSON at all, and who may not ask, is refused elsewhere.

    Raises:
        ValidationException: Something is of a wrong type; the key says where.
    """
    if "null" in connection.query_params.getall("at", []):
        raise ValidationException("null is no number", extra=[{"message": "leave it out", "key": "at"}])
    field = handler.parsed_data_field if isinstance(handler, HTTPRouteHandler) else None
    if field is None:
        return
    try:
        token_of(connection)  # type: ignore[arg-type]
        msgspec.json.decode(await connection.body(), type=field.raw)  # type: ignore[attr-defined]
    except msgspec.ValidationError as error:
        message = str(error)
        if "got `float`" in message:  # 7.0 is a whole number in JSON
            return
        found = _PATH.search(message)
        where = {"key": found[1]} if found else {}
        raise ValidationException(
            "the body is of a wrong type", extra=[{"message": _PATH.sub("", message), **where}]
        ) from error
    except (Refused, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
