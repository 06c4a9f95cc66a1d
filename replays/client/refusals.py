"""What can go wrong between here and a server; and a server's refusals as the exceptions that they are there.

Refused
└── ClientRefused
    ├── Unreachable          client/unreachable      nobody answers, or the answer broke off
    ├── NotAffray            client/not-affray       somebody answers, but not as Affray does
    ├── BadAddress           client/address
    ├── BadToken             client/token
    ├── BadKey               client/key
    ├── Closed               client/closed
    ├── NoSuchSeat           client/no-such-seat
    └── ServerRefused        whatever slug the server gave
"""

import re
from collections.abc import Iterator

import msgspec

from ledger import errors
from ledger.errors import Refused
from machines.contract import refusals as _rules  # noqa: F401  a refusal is known by its slug once its module is loaded
from replays.api import session as _session  # noqa: F401  so are those of everything that a session does

_OF_THE_SERVER = "replays.server."


class ClientRefused(Refused):
    """What was asked of a server did not come to pass."""

    slug = "client/refused"


class Unreachable(ClientRefused):
    """Nobody answers. What was asked may have been done; asked again under its key it is done once."""

    slug = "client/unreachable"


class NotAffray(ClientRefused):
    """Somebody answers, but not as this Affray's server does."""

    slug = "client/not-affray"


class BadAddress(ClientRefused):
    """Not the address of a server."""

    slug = "client/address"


class BadToken(ClientRefused):
    """Nothing that could be a token."""

    slug = "client/token"


class BadKey(ClientRefused):
    """An idempotency key that no header can carry."""

    slug = "client/key"


class Closed(ClientRefused):
    """The session was closed on this side."""

    slug = "client/closed"


class NoSuchSeat(ClientRefused):
    """No token was handed out for that seat."""

    slug = "client/no-such-seat"


class ServerRefused(ClientRefused):
    """The server refused it for a reason that only servers have, or that this Affray does not know.

    Attributes:
        slug: The server's.
        status: The HTTP status that it came with.
    """

    def __init__(self, slug: str, status: int, message: str, *, where: str = "", accepts: str = "") -> None:
        super().__init__(message, where=where, accepts=accepts)
        vars(self)["slug"] = slug
        self.status = status


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a server refused something (RFC 9457), as far as it matters here."""

    slug: str
    status: int
    detail: str
    where: str = ""
    accepts: str = ""
    actual: int | None = None


def refusal_of(problem: Problem, expected: int | None = None) -> Refused:
    """The refusal that a server told: the exception that a session on this side would have raised.

    Args:
        problem: As the server told it.
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
    """The refusal of that slug; the server's own are told the same whether or not its modules are loaded here."""
    for kind in _below(Refused):
        if kind.slug == slug and not kind.__module__.startswith(_OF_THE_SERVER) and not issubclass(kind, ClientRefused):
            return kind
    return None


def _below(kind: type[Refused]) -> Iterator[type[Refused]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
