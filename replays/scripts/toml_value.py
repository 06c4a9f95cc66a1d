"""Parses values typed in one line: TOML, or a word without quotes."""

from typing import Any


def value_of(text: str) -> Any:
    """Returns a text as a TOML value; the text itself where it is not TOML, such as a word without quotes.

    >>> value_of("3"), value_of("[3, 4]"), value_of("short")
    (3, [3, 4], 'short')
    """
    return table_of(f"value = {text}").get("value", text)


def table_of(text: str) -> dict[str, Any]:
    """Returns a text as a TOML table; an empty one where it is not TOML.

    >>> table_of("range = 'short'"), table_of("short")
    ({'range': 'short'}, {})
    """
    import tomllib  # noqa: PLC0415  most lines have no such value

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # not TOML, a huge number, or deep nesting
        return {}
