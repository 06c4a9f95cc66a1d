"""Refusals as problem+json, with the same slugs as everywhere. What is our own fault says so and no more."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, get_args

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import ClientException, HTTPException, WebSocketException
from litestar.types import Scope
from uvicorn.protocols.utils import ClientDisconnected

from ledger import errors
from ledger.errors import Refused
from machines.contract import refusals
from replays.audit.why import NothingThere
from replays.corrections.amend import Drifted
from replays.server.callers import tokens
from replays.server.http.surrogates import BadText

MEDIA_TYPE = "application/problem+json"


class BadHeader(Refused):
    """A header that cannot be read."""

    slug = "request/header"


class TooOften(Refused):
    """More requests than one caller may make."""

    slug = "server/too-often"


class TooManyFeeds(Refused):
    """More live feeds than one token may have open."""

    slug = "feed/too-many"


class TooLong(Refused):
    """A body that is longer than is taken."""

    slug = "server/too-long"


class TooSlow(Refused):
    """What was asked for took longer than a request may."""

    slug = "server/too-slow"


class SlowBody(Refused):
    """A body that was not there in the time that a request may take; nothing was done."""

    slug = "request/too-slow"


class Ending(Refused):
    """The server has been told to end."""

    slug = "server/ending"


def ending() -> Ending:
    """Returns what is told to all who wait when the server ends."""
    return Ending("the server ends", accepts="the same a moment later")


class TooMuch(Refused):
    """Others have asked for so much that this one has to wait."""

    slug = "server/too-much"


_STATUS: Mapping[type[Refused], int] = {
    Refused: 422,
    errors.NoSuchSession: 404,
    errors.NoSuchEntry: 404,
    errors.Cut: 500,
    errors.HeadsBroken: 503,
    errors.SessionExists: 409,
    errors.Stale: 409,
    errors.StoreRefused: 503,
    errors.Damaged: 500,
    errors.Full: 507,
    refusals.NotAllowed: 403,
    refusals.NoSuchRoll: 404,
    refusals.NoSuchDispute: 404,
    refusals.UnknownRuleset: 404,
    refusals.BadTable: 404,
    Drifted: 409,
    NothingThere: 404,
    tokens.NoToken: 401,
    tokens.BadToken: 401,
    tokens.Revoked: 401,
    tokens.OtherSession: 403,
    tokens.NoSuchToken: 404,
    BadHeader: 400,
    BadText: 400,
    TooOften: 429,
    TooManyFeeds: 429,
    TooLong: 413,
    TooSlow: 503,
    SlowBody: 408,
    TooMuch: 503,
    Ending: 503,
}
_OF_THE_LEDGER = (errors.StoreRefused, errors.HeadsBroken)
"""Of these the message names files."""
_NO_TYPE = "missing required field `type`"
"""What the decoder says of a body without its type."""
_SLUGS = {404: "request/no-such-route", 405: "request/method", 413: TooLong.slug, 415: "request/media-type"}
_TOLD = (Refused, HTTPException, WebSocketException, RecursionError, ClientDisconnected)
"""Of these the caller is told, or is gone."""
_ROUTES = "what /schema/openapi.json has"
_HEADERS: Mapping[type[Refused], str] = {
    errors.Stale: "If-Match",
    errors.KeyReused: "Idempotency-Key",
    errors.BadIdempotencyKey: "Idempotency-Key",
}
"""What the arguments of a session's methods are over HTTP."""
_AGAIN = {429: "1", 503: "1"}
"""Seconds after which it may be tried again."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Why something was refused (RFC 9457)."""

    type: str
    """``urn:affray:`` and the slug."""
    title: str
    status: int
    detail: str
    """One plain sentence."""
    slug: str
    """The stable name of the reason."""
    where: str = ""
    """The field, key or header it is about."""
    accepts: str = ""
    """What would have been accepted."""
    actual: int | None = None
    """Of a conflict: the number of the last entry that is really there."""


def status_of(refusal: Refused) -> int:
    """The HTTP status of a refusal: that of the nearest kind of it that has one."""
    return next(_STATUS[kind] for kind in type(refusal).__mro__ if kind in _STATUS)


def problem(refusal: Refused) -> Problem:
    """A refusal as a problem."""
    status = status_of(refusal)
    if isinstance(refusal, _OF_THE_LEDGER):  # where it is kept is nobody's business; the log has it
        accepts = refusal.accepts if isinstance(refusal, errors.HeadsBroken) else ""
        return _problem(status, refusal.slug, (type(refusal).__doc__ or "").rstrip("."), accepts=accepts)
    actual = refusal.actual if isinstance(refusal, errors.Stale) else None
    where = _HEADERS.get(type(refusal), refusal.where)
    return _problem(status, refusal.slug, refusal.message, where, refusal.accepts, actual)


def _problem(  # noqa: PLR0917
    status: int, slug: str, detail: str, where: str = "", accepts: str = "", actual: int | None = None
) -> Problem:
    title = HTTPStatus(status).phrase
    return Problem(
        type=f"urn:affray:{slug}", title=title, status=status, detail=detail, slug=slug, where=where, accepts=accepts,
        actual=actual,
    )  # fmt: skip


def headers_of(problem: Problem) -> dict[str, str]:
    """What goes before it: how to say who one is, when to try again."""
    headers = {"cache-control": "no-store"}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="affray"'
    if problem.status in _AGAIN:
        headers["retry-after"] = _AGAIN[problem.status]
    return headers


class Asking(Request[Any, Any, Any]):
    """A request, of which letters that are none are not our fault."""

    async def json(self) -> Any:
        """The body, read."""
        try:
            return await super().json()
        except UnicodeDecodeError as error:
            raise ClientException("the body is no text") from error


def on_refusal(_: Request[Any, Any, Any], refusal: Refused) -> Response[Problem]:
    """Answer a refusal."""
    if isinstance(refusal, _OF_THE_LEDGER):
        structlog.get_logger().warning("the ledger refuses", slug=refusal.slug, detail=refusal.message)
    return _answer(problem(refusal))


def on_wrong_request(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Answer what the web framework refuses: a route, a method, a body that cannot be read."""
    status = error.status_code
    slug = _SLUGS.get(status, "request/invalid")
    accepts = _ROUTES if status == HTTPStatus.NOT_FOUND else _types(request, error)
    answer = _answer(_problem(status, slug, _detail(error), _where(error), accepts))
    answer.headers.update({name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"})
    return answer


def on_too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Problem]:
    """Answer a body of things within things within things."""
    return _answer(_problem(400, "request/invalid", "the body is nested too deeply"))


async def log_our_fault(error: Exception, _: Scope) -> None:
    """Tell of what should not have happened."""
    if not isinstance(error, _TOLD):
        structlog.get_logger().error("our fault", exc_info=error)


def on_our_fault(_: Request[Any, Any, Any], __: Exception) -> Response[Problem]:
    """Answer what should not have happened; the log has the rest."""
    return _answer(_problem(500, "internal", "this is our fault, and it is in the server's log"))


def _answer(problem: Problem) -> Response[Problem]:
    return Response(problem, status_code=problem.status, media_type=MEDIA_TYPE, headers=headers_of(problem))


def _types(request: Request[Any, Any, Any], error: HTTPException) -> str:
    """The types that a body may have, where it has none of them."""
    field = getattr(request.scope.get("route_handler"), "parsed_data_field", None)
    is_of_none = any(each.get("key") == "type" or _NO_TYPE in str(each.get("message")) for each in _told(error))
    if field is None or not is_of_none:
        return ""
    kinds = (getattr(kind, "__struct_config__", None) for kind in get_args(field.annotation))
    return ", ".join(sorted(str(kind.tag) for kind in kinds if kind is not None and kind.tag is not None))


def _told(error: HTTPException) -> list[dict[str, Any]]:
    return [each for each in error.extra if isinstance(each, dict)] if isinstance(error.extra, list) else []


def _detail(error: HTTPException) -> str:
    told = "; ".join(str(each.get("message", "")) for each in _told(error))
    return f"{error.detail}: {told}" if told else error.detail or HTTPStatus(error.status_code).phrase


def _where(error: HTTPException) -> str:
    return ", ".join(str(each["key"]) for each in _told(error) if each.get("key"))
