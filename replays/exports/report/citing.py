"""Collects the pages that a fight cites, by book."""

from collections.abc import Iterable

from ledger.entry import Entry
from ledger.errors import BadSource
from ledger.events import SessionOpened
from ledger.source import Source, parse
from machines.contract.tables import Book
from replays.exports.report.model import Cited


class Citations:
    """Collects citations entry by entry."""

    def __init__(self) -> None:
        self._entries: dict[Source, list[int]] = {}

    def take(self, entry: Entry) -> None:
        """Adds the citations of an entry as the viewer may see it."""
        for event in entry.events:
            text = "" if isinstance(event, SessionOpened) else getattr(event, "source", "")
            source = _parsed(text) if text else None
            if source is not None:
                entries = self._entries.setdefault(source, [])
                if not entries or entries[-1] != entry.seq:
                    entries.append(entry.seq)

    def by_book(self, books: Iterable[Book]) -> tuple[Cited, ...]:
        """Returns all citations, pages in order.

        Args:
            books: The books that the game cites, for their titles.
        """
        titles = {book.code: book.title for book in books}
        codes = dict.fromkeys(source.book for source in self._entries)
        return tuple(Cited(code, titles.get(code, ""), self._pages(code)) for code in codes)

    def _pages(self, code: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
        mine = sorted((source for source in self._entries if source.book == code), key=_in_order)
        return tuple((f"{one.page} {one.heading}".strip(), tuple(self._entries[one])) for one in mine)


def _in_order(source: Source) -> tuple[int, str, str]:
    digits = "".join(letter if letter.isdigit() else " " for letter in source.page).split()
    return int(digits[0]) if digits else 0, source.page, source.heading


def _parsed(text: str) -> Source | None:
    """Returns a citation; None where a record has other text, such as the source of a whole fight."""
    try:
        return parse(text)
    except BadSource:
        return None
