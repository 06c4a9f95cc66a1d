"""One request as a value: what is asked and how its answer is read. Who sends it, and how, is not said here."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

from replays.client.refusals import BadKey, NotAffray

T = TypeVar("T")

SESSIONS = "/v1/sessions"
"""Where a server has its sessions."""
_LONGEST = 255


class Call(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request, and what its answer comes to."""

    method: str
    path: str
    """Below the server's address."""
    read: Callable[[bytes], T]
    """Makes of the answer's body what was asked for."""
    query: Mapping[str, str | int] = {}
    body: bytes | None = None
    headers: Mapping[str, str] = {}
    repeatable: bool = False
    """Is it the same, asked twice?"""
    expected: int | None = None
    """The number of the last entry that the caller knew."""
    key: str | None = None
    """Under which it is performed once, however often it is asked."""

    @property
    def may_be_repeated(self) -> bool:
        """May it be sent again when nobody knows whether it was heard?"""
        return self.key is not None or self.repeatable

    def all_headers(self, token: str) -> dict[str, str]:
        """The headers that it is sent with."""
        headers = {"authorization": f"Bearer {token}", "accept": "application/json", **self.headers}
        if self.body is not None:
            headers.setdefault("content-type", "application/json")
        if self.expected is not None:
            headers["if-match"] = f'"{self.expected}"'
        if self.key is not None:
            headers["idempotency-key"] = self.key
        return headers


def get(path: str, read: Callable[[bytes], T], **query: str | int | None) -> Call[T]:
    """Something to read; what is None is not asked for."""
    asked = {name: value for name, value in query.items() if value is not None}
    return Call(method="GET", path=path, read=read, query=asked, repeatable=True)


def post(path: str, body: Any, read: Callable[[bytes], T]) -> Call[T]:
    """Something to be reckoned, and not written."""
    return Call(method="POST", path=path, read=read, body=msgspec.json.encode(body), repeatable=True)


def write(path: str, body: Any, read: Callable[[bytes], T], expected: int | None, batch: str | None) -> Call[T]:
    """Something to be written, once: without a key of the caller's it gets a fresh one.

    Raises:
        BadKey: No header can carry the caller's.
    """
    key = secrets.token_hex(16) if batch is None else _checked(batch)
    return Call(method="POST", path=path, read=read, body=msgspec.json.encode(body), expected=expected, key=key)


def _checked(key: str) -> str:
    if key.isascii() and key.isprintable() and key == key.strip() and 0 < len(key) <= _LONGEST:
        return key
    raise BadKey(f"{key!r} is no key", where="batch", accepts=f"1 to {_LONGEST} printable ASCII characters")


def part(name: str) -> str:
    """Something that a caller names, as a part of a path."""
    return quote(name, safe="")


def typed(kind: type[T]) -> Callable[[bytes], T]:
    """Reads JSON of a type."""
    return lambda body: as_(kind, body)


def as_(kind: type[T], body: bytes) -> T:
    """JSON of a type.

    Raises:
        NotAffray: It is none.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotAffray(f"the answer cannot be read: {error}", accepts="a server of this version") from error
