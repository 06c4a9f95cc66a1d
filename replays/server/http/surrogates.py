r"""Finds lone surrogates in JSON: ``"\ud800"`` is half of a character, which no text can hold.

The decoder reports them as a truncated document. A client that reads that looks for a lost packet; so the path is found
here, and told.
"""

import json
import re
from typing import Any

from ledger.errors import Refused

_HALF = re.compile("[\ud800-\udfff]")
MEANING = "a lone surrogate such as \\ud800 is half of a character"


class BadText(Refused):
    """JSON with half of a character in it."""

    slug = "request/invalid"


def check_text(body: bytes) -> None:
    """Rejects JSON with a lone surrogate; what is no JSON at all passes, for others refuse it.

    Args:
        body: Of which the decoder has said that it cannot be read.

    Raises:
        BadText: `where` is the path of the text, or of the object that has such a name.
    """
    try:
        found = _path(json.loads(body), "")
    except (ValueError, RecursionError):
        return
    if found is not None:
        raise BadText(MEANING, where=found, accepts="whole characters: both surrogates, or the character itself")


def _path(value: Any, within: str) -> str | None:
    """The path of the first text with half a character; None where there is none."""
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
