"""Parses citations: ``EP1 193 Combat Modifiers`` is book, page and heading."""

import re

import msgspec

from ledger.errors import BadSource

_SOURCE = re.compile(r"([A-Z][A-Za-z0-9]*)(?: ([0-9]+(?:[-/][0-9]+)?))?(?: (\S+(?: \S+)*))?")


class Source(msgspec.Struct, frozen=True):
    """The place where a rule is printed."""

    book: str
    """The code of the book, as declared in a ruleset's ``books.toml``."""
    page: str = ""
    """A page, a range of pages, or chapter/section if the text has no pages; empty for loose sheets."""
    heading: str = ""
    """The heading, which finds the rule in printings with other pages."""

    def __str__(self) -> str:
        return " ".join(part for part in (self.book, self.page, self.heading) if part)


def parse(text: str) -> Source:
    """Parses a citation.

    Raises:
        BadSource: The text does not begin with the code of a book, or has neither page nor heading.

    >>> parse("B 126 Shock")
    Source(book='B', page='126', heading='Shock')
    """
    match = _SOURCE.fullmatch(text)
    if not match or not (match[2] or match[3]):
        raise BadSource(f"{text!r} is not a citation", where="source", accepts="such as 'EP1 193 Combat Modifiers'")
    return Source(match[1], match[2] or "", match[3] or "")
