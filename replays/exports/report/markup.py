"""Builds HTML and SVG; escapes everything that is not markup."""

import unicodedata
from collections.abc import Iterable
from html import escape

_UNWANTED = {"Cc", "Cs"}
"""Categories of control characters and lone surrogates, which HTML must not contain."""
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them."""


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def text(said: object) -> Markup:
    """Returns a value as text on the page.

    >>> text("<b> & 'you'")
    '&lt;b&gt; &amp; &#x27;you&#x27;'
    """
    if isinstance(said, Markup):
        return said
    return Markup(escape("".join(map(_letter, str(said)))))


def _letter(letter: str) -> str:
    if letter in "\n\t":
        return " "
    is_bad = letter in _TURNING or unicodedata.category(letter) in _UNWANTED
    return "\N{REPLACEMENT CHARACTER}" if is_bad else letter


def tag(name: str, *inside: object, **attributes: object) -> Markup:
    """Returns an element. Attributes lose a trailing underscore, other underscores become hyphens; None is omitted.

    >>> tag("td", "1 < 2", class_="number")
    '<td class="number">1 &lt; 2</td>'
    """
    said = "".join(
        f' {attribute.rstrip("_").replace("_", "-")}="{text(value)}"'
        for attribute, value in attributes.items()
        if value is not None
    )
    body = "".join(map(text, inside))
    return Markup(f"<{name}{said}>{body}</{name}>" if body or name not in _EMPTY else f"<{name}{said}/>")


_EMPTY = {"line", "path", "rect", "circle", "polygon", "polyline"}


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Returns parts, joined.

    Args:
        parts: Text or markup.
        between: The separator.
    """
    return Markup(text(between).join(map(text, parts)))
