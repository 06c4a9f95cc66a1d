"""One request as a value: method, path, body, and how its response is decoded. It does no IO."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

from replays.client.refusals import BadKey, NotAffray

T = TypeVar("T")

SESSIONS = "/v1/sessions"
"""The path of a server's sessions."""
RENEWAL = "/v1/me/token"
"""The path that renews the caller's token."""
CAMPAIGNS = "/v1/campaigns"
"""The path of a server's campaigns."""
CAMPAIGN = f"{CAMPAIGNS}/-"
"""The path of one campaign, whose name is the query parameter `name`: not every name can be a part of a path."""
_LONGEST = 255


class Call(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request, and how its response is decoded."""

    method: str
    path: str
    """The path after the server's address."""
    read: Callable[[bytes], T]
    """Decodes the body of the response."""
    query: Mapping[str, str | int] = {}
    body: bytes | None = None
    headers: Mapping[str, str] = {}
    repeatable: bool = False
    """Whether it is idempotent without a key."""
    expected: int | None = None
    """The number of the last entry that the caller knew."""
    key: str | None = None
    """The idempotency key, if it writes."""

    @property
    def may_be_repeated(self) -> bool:
        """Whether it may be sent once more if it is unknown whether the server received it."""
        return self.key is not None or self.repeatable

    def all_headers(self, token: str) -> dict[str, str]:
        """Returns the headers of the request."""
        headers = {"authorization": f"Bearer {token}", "accept": "application/json", **self.headers}
        if self.body is not None:
            headers.setdefault("content-type", "application/json")
        if self.expected is not None:
            headers["if-match"] = f'"{self.expected}"'
        if self.key is not None:
            headers["idempotency-key"] = self.key
        return headers


def get(path: str, read: Callable[[bytes], T], **query: str | int | None) -> Call[T]:
    """Builds a GET request; query parameters that are None are omitted."""
    given = {name: value for name, value in query.items() if value is not None}
    return Call(method="GET", path=path, read=read, query=given, repeatable=True)


def post(path: str, body: Any, read: Callable[[bytes], T]) -> Call[T]:
    """Builds a POST request that may be repeated, because it writes nothing, or the same."""
    return Call(method="POST", path=path, read=read, body=msgspec.json.encode(body), repeatable=True)


def write(path: str, body: Any, read: Callable[[bytes], T], expected: int | None, batch: str | None) -> Call[T]:
    """Builds a POST request that writes; without an idempotency key of the caller it gets a random one.

    Raises:
        BadKey: The caller's key cannot be sent in a header.
    """
    key = secrets.token_hex(16) if batch is None else _checked(batch)
    return Call(method="POST", path=path, read=read, body=msgspec.json.encode(body), expected=expected, key=key)


def _checked(key: str) -> str:
    if key.isascii() and key.isprintable() and key == key.strip() and 0 < len(key) <= _LONGEST:
        return key
    raise BadKey(
        f"{key!r} is not an idempotency key", where="batch", accepts=f"1 to {_LONGEST} printable ASCII characters"
    )


def part(name: str) -> str:
    """Returns a name escaped as a part of a path."""
    return quote(name, safe="")


def typed(kind: type[T]) -> Callable[[bytes], T]:
    """Returns a function that decodes JSON of a type."""
    return lambda body: decoded(kind, body)


def decoded(kind: type[T], body: bytes) -> T:
    """Decodes JSON of a type.

    Raises:
        NotAffray: The body is not JSON of this type.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAffray(
            f"the server's answer cannot be decoded: {error}", accepts="a server of this version"
        ) from error
