"""Removes what may differ between a seat's responses from two logs that are released alike: one function for each row.

`projections.views.released.SET_ASIDE` has the rows; `ROWS` binds each to its function. Nothing else is normalized away.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

_RECORD = re.compile(r'"record":"[A-Za-z0-9+/=]*"')
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{8,63}(…|\.\.\.)")

DONE = object()
"""Stands for the response to a command that was performed."""


def digest(text: str) -> str:
    """Returns a text without the digests in it, whole or cut."""
    return _DIGEST.sub("#", text)


def salts(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns an exported entry without its salts."""
    return {name: each for name, each in entry.items() if name != "salts"}


def number_of_leaves(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns an exported entry without the leaves of hidden events."""
    return entry | {"events": [each for each in entry.get("events", ()) if not isinstance(each, str)]}


def whether(one: object, other: object) -> bool:
    """Returns whether two responses are equal, or a command was performed."""
    return one == other or DONE in (one, other)


def size(headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the headers of a response without its length."""
    return {name: each for name, each in headers.items() if name != "content-length"}


def moment(headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the headers of a response without the moment at which it was sent."""
    return {name: each for name, each in headers.items() if name != "date"}


ROWS: Mapping[str, Callable[..., Any]] = {
    "digest": digest, "salts": salts, "number of leaves": number_of_leaves, "whether": whether, "size": size,
    "moment": moment,
}  # fmt: skip
"""The function of each row."""


def of_export(lines: Iterable[bytes]) -> str:
    """Returns an export as text, without what may differ."""
    return digest(repr([number_of_leaves(salts(msgspec.json.decode(line))) for line in lines]))


def of_page(page: bytes) -> str:
    """Returns a saved replay as text, without what may differ; the record in it is an export, which is compared by itself."""
    return digest(_RECORD.sub("", page.decode()))


def of_headers(headers: Mapping[str, str]) -> str:
    """Returns the headers of a response as text, without what may differ."""
    return digest(repr(size(moment(headers))))
