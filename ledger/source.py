"""Citations: ``EP1 193 Combat Modifiers`` is book, page and heading."""

import re

import msgspec

from ledger.errors import BadSource

_SOURCE = re.compile(r"([A-Z][A-Za-z0-9]*)(?: ([0-9]+(?:[-/][0-9]+)?))?(?: (\S+(?: \S+)*))?")


class Source(msgspec.Struct, frozen=True):
    """Where a rule is printed."""

    book: str
    """The book's code, as declared in a ruleset's ``books.toml``."""
    page: str = ""
    """A page, a range of pages, or chapter/section where the text has no pages; empty for loose sheets."""
    heading: str = ""
    """Pages move between printings; headings help."""

    def __str__(self) -> str:
        return " ".join(part for part in (self.book, self.page, self.heading) if part)


def parse(text: str) -> Source:
    """Read a citation.

    Raises:
        BadSource: It does not begin with a book's code, or has neither page nor heading.

    >>> parse("B 126 Shock")
    Source(book='B', page='126', heading='Shock')
    """
    match = _SOURCE.fullmatch(text)
    if not match or not (match[2] or match[3]):
        raise BadSource(f"{text!r} is not a citation", where="source", accepts="such as 'EP1 193 Combat Modifiers'")
    return Source(match[1], match[2] or "", match[3] or "")
