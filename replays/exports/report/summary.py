"""Writes a recap as the first part of the page."""

from collections.abc import Iterator

from replays.exports.recap.model import Recap
from replays.exports.recap.sentences import RecapLine, RecapSection, lead, sections
from replays.exports.report.markup import Markup, tag


def summary(recap: Recap) -> Iterator[Markup]:
    """Yields the recap: how it stands, then each section as a list.

    Args:
        recap: The recap.
    """
    yield tag("h2", "Recap")
    yield tag("p", lead(recap), class_="lead")
    yield from map(_section, sections(recap))


def _section(part: RecapSection) -> Markup:
    lines = tag("ul", *map(_line, part.lines), class_="recap")
    note = tag("p", part.note, class_="note") if part.note else ""
    return tag("section", tag("h3", part.title), lines, note, class_="recap")


def _line(line: RecapLine) -> Markup:
    entry = tag("span", f"entry\N{NO-BREAK SPACE}{line.entry}", class_="entries") if line.entry else ""
    return tag("li", line.text, " " if line.entry else "", entry)
