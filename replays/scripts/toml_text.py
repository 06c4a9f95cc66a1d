"""Writes values and keys as TOML."""

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(value: Any) -> str:
    """Returns plain data as a TOML value in one line.

    >>> toml_text({"of": "sword", "levels": [1, True], "a b": ""})
    '{ of = "sword", levels = [1, true], "a b" = "" }'
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml_text(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _quoted(value)


def toml_key(key: str) -> str:
    """Returns a key as TOML, with quotes if it needs them."""
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    """Returns a text in quotes: TOML has the escapes of JSON, and escapes the character DEL as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
