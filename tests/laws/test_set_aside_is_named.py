"""Whatever a line at the table sets aside was first named: in a preview, in a question, or in the statement of an undo.

A rewind names exactly the entries that it sets aside and brings back. A correction names exactly the entries that no
longer stand and are not performed again; it may also name faces of a roll that a smaller pool leaves unused.
"""

import re
from collections.abc import Iterable, Iterator

from drawing import examples
from histories.corrections import amendable
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Fight, fights, figures, rolls

from ledger.commands import Amend, Rewind
from ledger.events import DiceRolled
from replays.api.session import GM, Session
from replays.table.done import LineResult
from replays.table.table import Table

FORMS = (
    "undo", "undo", "span", "redo", "rewind", "remove", "was", "reroll", "target", "missed", "modify", "overrule",
    "insert", "note", "answer", "answer",
)  # fmt: skip
MOST_QUESTIONS = 6


def lines(data: st.DataObject, session: Session) -> str:
    """Draws a line that may correct something."""
    draw = data.draw
    standing = session.log.timeline.line()
    form = draw(st.sampled_from(FORMS))
    entry = draw(st.sampled_from(amendable(session))).seq if amendable(session) else 1
    match form:
        case "undo":
            return f"undo {draw(st.integers(1, 6))}" if draw(st.booleans()) else "undo"
        case "span":
            return f"undo {draw(st.sampled_from(('exchange', 'turn', 'round')))}"
        case "redo" | "note":
            return "note the wind turns" if form == "note" else "redo"
        case "rewind":
            return f"rewind {draw(st.integers(1, session.log.last))}"
        case "remove" | "insert":
            return f"remove {entry} it never was" if form == "remove" else f'insert {entry} note rain "forgotten"'
        case "was" | "reroll" if found := rolls(session):
            key, thrown = draw(st.sampled_from(found))
            events = (each for each in thrown.events if isinstance(each, DiceRolled) and each.key == key)
            count = next((len(event.faces) for event in events), 1)  # an entry without dice may be in its place
            faces = " ".join(str(draw(st.integers(1, 6))) for _ in range(count))
            return f"{thrown.seq} was {faces} misread" if form == "was" else f"reroll {key} = {faces} misread"
        case "target":
            return f"target {draw(st.sampled_from(session.combat.roster.here() or ('x',)))} the other"
        case "missed":
            choices = [rest for seq in standing[:-1] for rest in session.log.state(seq).rests if rest.options]
            options = list(dict.fromkeys(option.option for rest in choices for option in rest.options))
            return f"missed: {draw(st.sampled_from(options or ['x']))} too late"
        case "modify" if found := rolls(session):
            return f"modify {draw(st.sampled_from(found))[0]} {draw(st.sampled_from((-40, -5, 1, 40)))} smoke"
        case "overrule" if known := figures(session):
            key, figure, value = draw(st.sampled_from(known))
            return f"overrule {key} {figure} {value + 3 if isinstance(value, int) else value} my word"
    return draw(st.sampled_from(("", "~")))


def taken_and_brought(text: str) -> tuple[set[int], set[int]]:
    """Returns the entries that a question or a statement names as taken back, and as brought back."""
    found: dict[str, set[int]] = {"take": set(), "took": set(), "bring": set(), "brought": set()}
    for verb, numbers in re.findall(r"\b(take|took|bring|brought) back entr(?:y|ies) ([\d, -]*\d)", text):
        for part in numbers.split(", "):
            first, _, last = part.partition("-")
            found[verb] |= {*range(int(first), int(last or first) + 1)}
    return found["take"] | found["took"], found["bring"] | found["brought"]


def performed_again(session: Session, after: Iterable[int], last: int) -> Iterator[int]:
    """Yields the entries that new entries perform again; a draft in between, of the same request, is passed over."""
    for seq in after:
        origin = session.log.entry(seq).origin
        while origin is not None and origin > last:
            origin = session.log.entry(origin).origin
        yield from () if origin is None else (origin,)


def lost(session: Session, before: Iterable[int], after: Iterable[int], last: int) -> set[int]:
    """Returns the entries that stood before, do not stand any more, and are not performed again.

    Earlier amendments are none of them: the entries that they corrected are.
    """
    gone = {seq for seq in before if not isinstance(session.log.entry(seq).command, Amend)}
    return gone - {*performed_again(session, after, last)}


def answered(data: st.DataObject, table: Table, line: str) -> Iterator[LineResult]:
    """Submits a line and answers its questions; yields each result."""
    yield table.submit(line)
    for _ in range(MOST_QUESTIONS):
        if not table.asks:
            return
        answer = "y" if table.asks.endswith("y/n") else "1" if "which one" in table.asks else "as was seen"
        answer = "n" if answer == "y" and data.draw(st.integers(0, 5)) == 0 else answer
        yield table.submit(answer)


@settings(max_examples=examples(60))
@given(fights(least=8, most=35), st.data())
def test_what_is_set_aside_was_named(fight: Fight, data: st.DataObject) -> None:
    session = fight.session
    timeline, table = session.log.timeline, Table(session, GM)
    for _ in range(data.draw(st.integers(1, 6))):
        report = None
        texts: list[str] = []
        line = lines(data, session)
        before, last = timeline.line(), session.log.last
        for result in answered(data, table, line):
            report = result.done.report or report
            is_rewound = any(isinstance(entry.command, Rewind) for entry in result.entries)
            texts += [*result.done.lines, result.done.asks] if not is_rewound or not texts else []
        after = timeline.line()
        gone, come = {*before} - {*after}, {*after} - {*before}
        if session.log.last == last:
            assert before == after
        elif isinstance(session.log.entry(last + 1).command, Rewind):
            assert taken_and_brought("\n".join(texts)) == (gone, come), line
        elif report is None:
            assert lost(session, gone, come, last) == set(), line
        else:
            named = {each.entry for each in (*report.set_aside, *report.waits) if each.entry}
            aside = lost(session, gone, come, last)
            shortened = {each.entry for each in report.set_aside if re.match(r"[\d ]+ of ", each.what)}
            assert aside <= named, line
            assert named - aside <= shortened, line
