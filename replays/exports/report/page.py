"""Writes a report as one HTML page: no script, nothing loaded from elsewhere, always the same bytes."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from replays.exports.report.health import RoundStart, health_charts
from replays.exports.report.markup import Markup, join, tag, text
from replays.exports.report.model import (
    Cited,
    CitedSentence,
    Fallen,
    FightReport,
    ReportHeader,
    ReportLine,
    ReportRound,
)
from replays.exports.report.summary import summary
from replays.exports.report.sums import ReportRoll, RollPart
from replays.exports.report.table import tracker
from replays.exports.report.words import Word

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content policy of the page: a browser runs and fetches nothing for it, whatever text it contains."""


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def page(report: FightReport) -> str:
    """Returns the page of a report.

    Args:
        report: The report.
    """
    head = tag("head", *_metadata(report.head))
    body = tag("body", *_body(report))
    return join([Markup("<!DOCTYPE html>\n"), tag("html", head, Markup("\n"), body, lang="en"), Markup("\n")])


def _metadata(head: ReportHeader) -> Iterator[Markup]:
    yield Markup('\n<meta charset="utf-8">\n')
    yield Markup(f'<meta http-equiv="Content-Security-Policy" content="{text(_POLICY)}">\n')
    yield Markup('<meta name="viewport" content="width=device-width, initial-scale=1">\n')
    yield tag("title", head.title)
    yield Markup(f"\n<style>\n{_style()}</style>\n")


def _body(report: FightReport) -> Iterator[Markup]:
    yield _head(report.head)
    yield from summary(report.recap)
    yield from _health(report)
    yield from _words(report.words)
    for each in report.rounds:
        yield Markup("\n")
        yield _round(each, report)
    yield from _fallen(report)
    yield from _cited(report.cited)
    said = f"Session {report.head.session}, {report.head.entries} entries, as the record of Affray has it."
    yield tag("footer", said)


# ------------------------------------------------------------------------------------------------ head, plot, words


def _head(head: ReportHeader) -> Markup:
    under = ", ".join(part for part in (head.ruleset, head.profile) if part)
    rows = tag("dl", *_rows_of_head(head), class_="head")
    return join([tag("h1", head.title), tag("p", under, class_="under"), rows])


def _rows_of_head(head: ReportHeader) -> Iterator[Markup]:
    first, last = head.dates
    rows: list[tuple[str, object]] = [
        ("Source", head.source),
        ("Played", first if first == last else f"{first} to {last}"),
        ("Players", join((_played(player, names) for player, names in head.played), "; ")),
        ("Entered by", ", ".join(head.wrote)),
        ("Agreed", ", ".join(f"{name} {value}" for name, value in head.policies.items())),
        ("Entries", f"{head.entries}, of which {head.standing} stand"),
        ("Session", tag("code", head.session)),
        ("Digest", tag("code", head.digest)),
        ("Shown as to", "" if head.seat == "gm" else f"{head.seat}: what this seat may not see is not on the page"),
    ]
    return (join([tag("dt", name), tag("dd", value)]) for name, value in rows if value)


def _played(player: str, names: tuple[str, ...]) -> Markup:
    return join([tag("b", "the gamemaster" if player == "gm" else player), f" ({', '.join(names)})"])


def _health(report: FightReport) -> Iterator[Markup]:
    rounds = [RoundStart(each.first, each.title) for each in report.rounds]
    charts = health_charts(report.series, rounds, report.head.standing, report.downs)
    if charts:
        yield tag("h2", "Health")
        yield charts
        yield tag("p", _HEALTH, class_="note")


_HEALTH = (
    "What is left of each track, by round; the same scale for all. The heavy line is nothing left, and a cross marks "
    "going down."
)


def _words(words: tuple[Word, ...]) -> Iterator[Markup]:
    if words:
        yield tag("h2", "What no rule decided")
        yield tag(
            "ol",
            *(
                tag("li", _seq(word.entry), tag("span", class_="by"), tag("div", _word(word), class_="said"))
                for word in words
            ),
            class_="lines",
        )


# ------------------------------------------------------------------------------------------------ timeline


def _round(one: ReportRound, report: FightReport) -> Markup:
    parts: list[Markup] = [tag("h2", one.title)]
    for turn in one.turns:
        if turn.title:
            parts.append(tag("h3", turn.title[0].upper() + turn.title[1:]))
        parts.append(tag("ol", *(_line(line, report) for line in turn.lines), class_="lines"))
    parts.append(tracker(one.rows, one.caption))
    return tag("section", *parts)


def _line(line: ReportLine, report: FightReport) -> Markup:
    """Returns an entry: its sentences as a paragraph; decisions of the gamemaster and rolls are set apart."""
    parts: list[Markup] = []
    run: list[CitedSentence] = []
    for each in line.said:
        if isinstance(each, CitedSentence):
            run.append(each)
            continue
        parts += [*_paragraph(run), _word(each)]
        run = []
    parts += _paragraph(run)
    parts += (_sum(one, report.names) for one in line.sums)
    return tag("li", _seq(line.seq), tag("span", line.by, class_="by"), tag("div", *parts, class_="said"))


def _paragraph(run: list[CitedSentence]) -> list[Markup]:
    said = (
        join([each.text, "\N{NO-BREAK SPACE}", tag("cite", each.source)]) if each.source else text(each.text)
        for each in run
    )
    return [tag("p", join(said, " "))] if run else []


def _seq(seq: int) -> Markup:
    return tag("span", seq, class_="seq")


def _word(word: Word) -> Markup:
    why = join([" ", tag("q", word.why)]) if word.why else ""
    said = join([tag("b", word.kind), f" by {word.by}: {word.what}.", why])
    return tag("p", said, class_="word")


def _sum(one: ReportRoll, names: dict[str, str]) -> Markup:
    by = "the gamemaster" if one.by == "gm" else names.get(one.by, one.by)
    what = tag("span", f"{by[:1].upper()}{by[1:]}, {one.dice}: {one.purpose}", class_="what")
    return tag("div", what, " ", tag("code", one.key), tag("ul", *map(_part, one.parts)), class_="sum")


def _part(part: RollPart) -> Markup:
    lead = {"target": "= ", "dice": "rolled ", "read": "read as "}.get(part.kind, "")
    cite = join(["\N{NO-BREAK SPACE}", tag("cite", part.source)]) if part.source else ""
    why = f" {part.why}" if part.why else ""
    return tag("li", lead, tag("b", part.value) if part.value else "", why, cite, class_=part.kind)


# ------------------------------------------------------------------------------------------------ what follows


def _fallen(report: FightReport) -> Iterator[Markup]:
    if not report.fallen:
        return
    count = len(report.fallen)
    yield tag("h2", "What no longer stands")
    summary = tag("summary", "1 entry" if count == 1 else f"{count} entries", ", struck through")
    yield tag("details", summary, tag("ol", *map(_struck, report.fallen), class_="lines"))


def _struck(one: Fallen) -> Markup:
    said = join((_struck_words(each) for each in one.line.said), " ")
    kept = join([tag("del", said), " ", tag("span", f"(taken back with entry {one.because})", class_="entries")])
    told = tag("p", kept if one.because else said)
    return tag("li", _seq(one.line.seq), tag("span", one.line.by, class_="by"), tag("div", told, class_="said"))


def _struck_words(said: CitedSentence | Word) -> Markup:
    if isinstance(said, CitedSentence):
        return text(said.text)
    return text(f"{said.kind}: {said.what}.{f' {said.why}' if said.why else ''}")


def _cited(cited: tuple[Cited, ...]) -> Iterator[Markup]:
    if cited:
        yield tag("h2", "Pages")
    for book in cited:
        yield tag("h3", f"{book.code}: {book.title}" if book.title else book.code)
        items = (
            tag("li", f"{where} ", tag("span", f"entries {', '.join(map(str, seqs))}", class_="entries"))
            for where, seqs in book.pages
        )
        yield tag("ul", *items, class_="pages")
