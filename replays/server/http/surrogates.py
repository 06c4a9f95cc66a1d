r"""Finds lone surrogates in JSON: ``"\ud800"`` is half of a character, which no text can hold.

The decoder reports them as a truncated document, which would make a client search for a lost packet. So this module
finds the path of the text.
"""

import json
import re
from typing import Any

from ledger.errors import Refused

_HALF = re.compile("[\ud800-\udfff]")
MEANING = "a lone surrogate such as \\ud800 is half of a character"


class BadText(Refused):
    """The JSON has a text with a lone surrogate."""

    slug = "request/invalid"


def check_text(body: bytes) -> None:
    """Rejects JSON with a lone surrogate; malformed JSON passes, because it is refused elsewhere.

    Args:
        body: A body that the decoder cannot read.

    Raises:
        BadText: A text has a lone surrogate; `where` is its path, or that of the object with such a field name.
    """
    try:
        found = _path(json.loads(body), "")
    except (ValueError, RecursionError):
        return
    if found is not None:
        raise BadText(MEANING, where=found, accepts="whole characters: both surrogates, or the character itself")


def _path(value: Any, within: str) -> str | None:
    """Returns the path of the first text with a lone surrogate, or None."""
    if isinstance(value, str):
        return within if _HALF.search(value) else None
    if isinstance(value, list):
        inside = [(f"{within}[{number}]", each) for number, each in enumerate(value)]
    elif isinstance(value, dict):
        if any(map(_HALF.search, value)):
            return within
        inside = [(f"{within}.{name}".lstrip("."), each) for name, each in value.items()]
    else:
        return None
    return next((found for path, each in inside if (found := _path(each, path)) is not None), None)
