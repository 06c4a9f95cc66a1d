"""The client's refusals; turns a server's problem documents into the exceptions that `Session` raises.

Refused
└── ClientRefused
    ├── Unreachable          client/unreachable      the server does not answer, or the answer was cut off
    ├── NotAffray            client/not-affray       the answer is not that of an Affray server
    ├── BadAddress           client/address
    ├── BadToken             client/token
    ├── BadKey               client/key
    ├── Closed               client/closed
    ├── NoSuchSeat           client/no-such-seat
    └── ServerRefused        the slug of the server
"""

import re
from collections.abc import Iterator

import msgspec

from ledger import errors
from ledger.errors import Refused
from machines.contract import refusals as _rules  # noqa: F401  loads refusals, which are found by slug
from replays.api import session as _session  # noqa: F401  loads the refusals of sessions

_OF_THE_SERVER = "replays.server."


class ClientRefused(Refused):
    """A call to a server failed."""

    slug = "client/refused"


class Unreachable(ClientRefused):
    """The server does not answer. The command may have been performed; repeat it with the same idempotency key."""

    slug = "client/unreachable"


class NotAffray(ClientRefused):
    """The answer is not that of an Affray server of this version."""

    slug = "client/not-affray"


class BadAddress(ClientRefused):
    """The text is not the address of a server."""

    slug = "client/address"


class BadToken(ClientRefused):
    """The text cannot be a token."""

    slug = "client/token"


class BadKey(ClientRefused):
    """The idempotency key cannot be sent in a header."""

    slug = "client/key"


class Closed(ClientRefused):
    """The session was closed by this client."""

    slug = "client/closed"


class NoSuchSeat(ClientRefused):
    """No token was issued for that seat."""

    slug = "client/no-such-seat"


class ServerRefused(ClientRefused):
    """The server refused the call for a reason that only servers have, or that this version does not know.

    Attributes:
        slug: The slug of the server's refusal.
        status: The HTTP status of the response.
    """

    def __init__(self, slug: str, status: int, message: str, *, where: str = "", accepts: str = "") -> None:
        super().__init__(message, where=where, accepts=accepts)
        vars(self)["slug"] = slug
        self.status = status


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A server's problem document (RFC 9457), with the fields that the client uses."""

    slug: str
    status: int
    detail: str
    where: str = ""
    accepts: str = ""
    actual: int | None = None


def refusal_of(problem: Problem, expected: int | None = None) -> Refused:
    """Returns the exception of a server's refusal: the same that an embedded session would raise.

    Args:
        problem: The server's problem document.
        expected: The number of the last entry that the caller knew.
    """
    kind = _known(problem.slug)
    if kind is errors.Stale and problem.actual is not None and expected is not None:
        return errors.Stale(expected, problem.actual)
    if kind is not None and issubclass(kind, errors.Broken):
        return kind(problem.detail, seq=_number(problem.where))
    if kind is None or kind.__init__ is not Refused.__init__:
        return ServerRefused(problem.slug, problem.status, problem.detail, where=problem.where, accepts=problem.accepts)
    return kind(problem.detail, where=problem.where, accepts=problem.accepts)


def _number(where: str) -> int:
    found = re.search(r"\d+", where)
    return int(found[0]) if found else 0


def _known(slug: str) -> type[Refused] | None:
    """Returns the class of refusals with this slug; ignores those of the server and of the client."""
    for kind in _below(Refused):
        if kind.slug == slug and not kind.__module__.startswith(_OF_THE_SERVER) and not issubclass(kind, ClientRefused):
            return kind
    return None


def _below(kind: type[Refused]) -> Iterator[type[Refused]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
