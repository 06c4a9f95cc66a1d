"""Turns refusals and errors into problem+json responses (RFC 9457); internal errors disclose no details."""

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
from replays.campaigns.listing import NoSuchCampaign
from replays.corrections.amend import Drifted
from replays.server.callers import tokens
from replays.server.http.surrogates import BadText
from replays.server.http.wrong_values import WrongValue, extras_of, wrong_value
from replays.server.webhooks.refusals import NoSuchHook

MEDIA_TYPE = "application/problem+json"


class BadHeader(Refused):
    """A header has a value that cannot be read."""

    slug = "request/header"


class TooOften(Refused):
    """The caller makes more requests than one caller may make."""

    slug = "server/too-often"


class TooManyFeeds(Refused):
    """The token has more live feeds open than one token may have."""

    slug = "feed/too-many"


class TooLong(Refused):
    """The body is longer than this server accepts."""

    slug = "server/too-long"


class TooSlow(Refused):
    """The request took longer than a request may take."""

    slug = "server/too-slow"


class SlowBody(Refused):
    """The body was not complete in the time that a request may take; nothing was done."""

    slug = "request/too-slow"


class Ending(Refused):
    """The server is shutting down."""

    slug = "server/ending"


def ending() -> Ending:
    """Returns the refusal of requests that wait while the server shuts down."""
    return Ending("the server is shutting down", accepts="the same request a moment later")


class TooMuch(Refused):
    """The server is busy with other requests."""

    slug = "server/too-much"


_STATUS: Mapping[type[Refused], int] = {
    Refused: 422,
    errors.NoSuchSession: 404,
    errors.NoSuchEntry: 404,
    NoSuchCampaign: 404,
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
    tokens.Expired: 401,
    tokens.OtherSession: 403,
    tokens.NoSuchToken: 404,
    NoSuchHook: 404,
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
"""Refusals whose messages name files of the server; callers do not see these messages."""
_NO_TYPE = "missing required field `type`"
"""The decoder's message about a body without its type."""
_SLUGS = {404: "request/no-such-route", 405: "request/method", 413: TooLong.slug, 415: "request/media-type"}
_EXPECTED = (Refused, HTTPException, WebSocketException, RecursionError, ClientDisconnected)
"""Errors that are not faults of the server: the caller is informed, or has disconnected."""
_ROUTES = "a path of /schema/openapi.json"
_HEADERS: Mapping[type[Refused], str] = {
    errors.Stale: "If-Match",
    errors.KeyReused: "Idempotency-Key",
    errors.BadIdempotencyKey: "Idempotency-Key",
}
"""The headers that hold what these refusals are about."""
_NOTED = "affray.refusal"
"""The key of a refusal's slug in the state of a request."""
_RETRY_AFTER = {429: "1", 503: "1"}
"""Seconds after which a request may be repeated, by status."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The reason for a refusal (RFC 9457)."""

    type: str
    """``urn:affray:`` followed by the slug."""
    title: str
    status: int
    detail: str
    """The reason, in one sentence."""
    slug: str
    """The stable name of the reason, for programs."""
    where: str = ""
    """The field, key or header that is refused."""
    accepts: str = ""
    """What would have been accepted."""
    actual: int | None = None
    """After a conflict, the number of the last entry of the log."""


def status_of(refusal: Refused) -> int:
    """Returns the HTTP status of a refusal."""
    return status_of_kind(type(refusal))


def status_of_kind(kind: type[Refused]) -> int:
    """Returns the HTTP status of a class of refusals: its own, or that of the nearest base class that has one."""
    return next(_STATUS[each] for each in kind.__mro__ if each in _STATUS)


def problem(refusal: Refused) -> Problem:
    """Returns the problem document of a refusal."""
    status = status_of(refusal)
    if isinstance(refusal, _OF_THE_LEDGER):  # the message goes to the server's log only
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
    """Returns the headers of a problem: no caching, how to authenticate, when to retry."""
    headers = {"cache-control": "no-store"}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="affray"'
    if problem.status in _RETRY_AFTER:
        headers["retry-after"] = _RETRY_AFTER[problem.status]
    return headers


class TextRequest(Request[Any, Any, Any]):
    """A request whose body is refused if it is not UTF-8; the web framework would report an internal error."""

    decoded: Any = None
    """The body as a value of the type that the route accepts; None if it was not decoded strictly."""

    async def json(self) -> Any:
        """Returns the decoded body.

        Raises:
            ClientException: The body is not UTF-8.
        """
        if self.decoded is not None:
            return self.decoded
        try:
            return await super().json()
        except UnicodeDecodeError as error:
            raise ClientException("the body is not UTF-8 text") from error


def on_refusal(request: Request[Any, Any, Any], refusal: Refused) -> Response[Problem]:
    """Answers a refusal."""
    if isinstance(refusal, _OF_THE_LEDGER):
        structlog.get_logger().warning("the ledger refuses", slug=refusal.slug, detail=refusal.message)
    return _answer(request, problem(refusal))


def on_wrong_request(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Answers what the web framework refuses: an unknown route or method, or a malformed body."""
    status = error.status_code
    slug = _SLUGS.get(status, "request/invalid")
    found = wrong_value(request, error) or WrongValue(error.detail or HTTPStatus(status).phrase, "", "")
    accepts = _ROUTES if status == HTTPStatus.NOT_FOUND else _types(request, error) or found.accepts
    answer = _answer(request, _problem(status, slug, found.reason, found.where, accepts))
    answer.headers.update({name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"})
    return answer


def on_too_deep(request: Request[Any, Any, Any], _: RecursionError) -> Response[Problem]:
    """Answers a body that is nested too deeply."""
    return _answer(request, _problem(400, "request/invalid", "the body is nested too deeply"))


async def log_our_fault(error: Exception, _: Scope) -> None:
    """Logs an unexpected error."""
    if not isinstance(error, _EXPECTED):
        structlog.get_logger().error("internal error", exc_info=error)


def on_our_fault(request: Request[Any, Any, Any], _: Exception) -> Response[Problem]:
    """Answers an unexpected error without details, which are in the log."""
    return _answer(request, _problem(500, "internal", "an internal error of the server; its log has the details"))


def note_refusal(scope: Scope, slug: str) -> None:
    """Notes why a request is refused, for the line about it in the log."""
    scope.setdefault("state", {})[_NOTED] = slug


def noted_refusal(scope: Scope) -> str | None:
    """Returns the slug of the refusal of a request; None if it was not refused."""
    slug: str | None = (scope.get("state") or {}).get(_NOTED)
    return slug


def _answer(request: Request[Any, Any, Any], problem: Problem) -> Response[Problem]:
    note_refusal(request.scope, problem.slug)
    return Response(problem, status_code=problem.status, media_type=MEDIA_TYPE, headers=headers_of(problem))


def _types(request: Request[Any, Any, Any], error: HTTPException) -> str:
    """Returns the types that a body may have, if its type is missing or unknown; else an empty text."""
    field = getattr(request.scope.get("route_handler"), "parsed_data_field", None)
    is_of_none = any(each.get("key") == "type" or _NO_TYPE in str(each.get("message")) for each in extras_of(error))
    if field is None or not is_of_none:
        return ""
    kinds = (getattr(kind, "__struct_config__", None) for kind in get_args(field.annotation))
    return ", ".join(sorted(str(kind.tag) for kind in kinds if kind is not None and kind.tag is not None))
