"""Values as people type them in one line: TOML, or a word without quotes."""

import tomllib
from typing import Any


def value_of(text: str) -> Any:
    """Returns the TOML value that a text is; the text itself where it is none, such as a word without quotes.

    >>> value_of("3"), value_of("[3, 4]"), value_of("short")
    (3, [3, 4], 'short')
    """
    return table_of(f"value = {text}").get("value", text)


def table_of(text: str) -> dict[str, Any]:
    """Returns the TOML table that a text is; an empty one where it is none.

    >>> table_of("range = 'short'"), table_of("short")
    ({'range': 'short'}, {})
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # no TOML, a number without end, or brackets without end
        return {}
