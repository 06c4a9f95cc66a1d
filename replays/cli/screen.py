"""Prints the tracker for people, and JSON documents for programs."""

import os
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ledger.errors import Refused
from machines.registry import vocabulary_of
from projections.clock import Clock
from projections.views.document import CombatantView, OpenRest, State
from projections.views.stand_ins import PARTLY
from projections.vocabulary import Vocabulary
from replays.views.public_rests import seen_otherwise

MARK = "◌"
"""Marks a line that is hidden from some persons."""
_BAR = 12
_PIPED = 120
"""Width of the output if it does not go to a terminal."""
_NARROWEST = 20
"""Minimum width of wrapped lines."""


class _PipeConsole(Console):
    """A console that raises BrokenPipeError on a closed pipe, so that `app` can end without an error."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, json: bool) -> Console:
    """Returns the console for people: standard output, or standard error if a JSON document is printed."""
    made = _PipeConsole(stderr=json, highlight=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = _PIPED
    return made


def safe(text: str) -> str:
    """Escapes markup and control characters in a text."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))


def print_line(console: Console, words: str) -> None:
    """Prints a plain line for people, neither cut nor wrapped."""
    console.print(safe(words), soft_wrap=True)


def confirm(console: Console, about: Sequence[str], question: str, nothing: str, unconfirmed: Refused) -> None:
    """Asks a person at a terminal whether to do what cannot be undone; ends the call if the answer is no.

    Args:
        console: The console to print to.
        about: Lines that are printed before the question.
        question: The question.
        nothing: What is printed if the answer is no.
        unconfirmed: The refusal where there is no terminal.

    Raises:
        Refused: There is no terminal to ask at; `unconfirmed`.
    """
    if not sys.stdin.isatty():
        raise unconfirmed
    for line in about:
        print_line(console, line)
    if not typer.confirm(question, err=True):
        print_line(console, nothing)
        raise typer.Exit(1)


def paragraph(console: Console, markup: str, indent: int = 6) -> None:
    """Prints a line with markup: at a terminal wrapped between words, with an indent; elsewhere on one line.

    Args:
        console: The console to print to.
        markup: The line, whose text is safe.
        indent: The indent of the lines after the first.
    """
    text = Text.from_markup(markup)
    if not console.is_terminal:
        console.print(text, soft_wrap=True)
        return
    for place, line in enumerate(text.wrap(console, max(_NARROWEST, console.width - indent))):
        console.print(Text(" " * indent if place else "") + line, soft_wrap=True)


def hanging(line: str, width: int, indent: int = 2) -> list[str]:
    """Returns a line, wrapped between words.

    Args:
        line: The line.
        width: The columns of the screen.
        indent: The indent of the lines after the first.
    """
    room, before = max(_NARROWEST, width - 1), " " * indent
    return textwrap.wrap(line, room, subsequent_indent=before, break_on_hyphens=False) or [""]


def document(value: Any) -> None:
    """Prints one JSON document to standard output."""
    line(msgspec.json.encode(value))


def refusal(refused: Refused) -> dict[str, str]:
    """Returns a refusal for a JSON document."""
    return {"slug": refused.slug, "message": refused.message, "where": refused.where}


def line(raw: bytes) -> None:
    """Prints one line to standard output, byte for byte."""
    sys.stdout.buffer.write(raw + b"\n")
    sys.stdout.buffer.flush()


# ------------------------------------------------------------------------------------------------ state


def moment(clock: Clock) -> str:
    """Returns the round and the pass, or that no fight is going on."""
    if clock.fighting:
        number = f", pass {clock.number}" if clock.number else ""
        return f"round {clock.round}{number}" if clock.round else "before the first round"
    fought = clock.round or clock.combat > 1 or clock.situation != Clock().situation
    return "the fight is over" if fought else "no fight yet"


def tracker(console: Console, state: State, clock: Clock, public: State | None = None) -> None:
    """Shows the state of a fight on one screen; empty columns are omitted.

    Args:
        console: The console to print to.
        state: The state.
        clock: The clock of the state.
        public: The state that all can see, to mark for the gamemaster what is hidden from players; else None.
    """
    closed = "" if state.is_open else " · closed"
    title = f"{state.title} · {moment(clock)} · entry {state.head} of {state.entries}{closed}"
    table = Table(title=safe(title), title_justify="left", box=box.SIMPLE_HEAD, expand=False)
    scores = dict(state.initiative if clock.fighting else ())
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    words = vocabulary_of(state.ruleset)
    counters = words.counters
    cells = [_row(state, who, state.combatants[who], scores.get(who), words) for who in order]
    columns = [counters[0] if name == _COUNTED and counters else name for name in _COLUMNS]
    filled = [column for column, name in enumerate(_COLUMNS) if name in _ALWAYS or any(row[column] for row in cells)]
    for column in filled:
        table.add_column(columns[column], justify="right" if _COLUMNS[column] in ("init", _COUNTED) else "left")
    for row in cells:
        table.add_row(*(row[column] for column in filled))
    console.print(table)
    marks = seen_otherwise(state.rests, public.rests) if public is not None else {}
    for rest in state.rests:
        seen = marks.get(rest["key"], "")
        mark, more = (f"{MARK} ", f"  ({seen})") if seen else ("", "")
        paragraph(console, f"{mark}[bold]waiting for[/] {safe(rest['by'])}: {safe(_rest(rest) + more)}")


_COUNTED = "counted"
"""A column whose title is the ruleset's word for its first counter, such as wounds."""
_COLUMNS = ("", "who", "init", "harm", _COUNTED, "conditions", "resources")
_ALWAYS = ("", "who", "harm")


def _row(state: State, who: str, one: CombatantView, score: int | None, words: Vocabulary) -> list[str]:
    first = next(iter(one.tracks), "")
    shown = ((name, track) for name, track in one.tracks.items() if track.taken or name == first)
    harm = "\n".join(f"{bar(t.taken, t.capacity)} {words.harm(name)} {t.taken}/{t.capacity}" for name, t in shown)
    first, *others = [*words.counters, ""]
    counted = (str(one.count(first)) if one.count(first) else "") + "".join(
        f" +{one.count(word)}{word[0]}" for word in others if one.count(word)
    )
    conditions = "\n".join(safe(_condition(each.name, each.level, each.until)) for each in one.conditions)
    resources = "\n".join(safe(f"{name} {each.left}/{each.of}") for name, each in one.resources.items())
    name = f"{one.name} ({who})" if one.name.lower() != who else one.name
    mark = "▶" if state.active == who else ""
    return [
        mark,
        safe(name),
        "" if score is None else str(score),
        harm,
        safe(counted),
        conditions,
        resources,
    ]


def _condition(name: str, level: int | None, until: str) -> str:
    return name.replace("_", " ") + (f" {level}" if level is not None else "") + (f" (until {until})" if until else "")


def bar(taken: int, capacity: int, width: int = _BAR) -> str:
    """Returns a bar that shows how much of a track is taken."""
    full = min(width, -(-taken * width // capacity)) if capacity else 0
    return f"[red]{'█' * full}[/][dim]{'░' * (width - full)}[/]"


def _rest(rest: OpenRest) -> str:
    if "dice" in rest:
        target = f" against {rest['target']}" if "target" in rest else ""
        target += f" {PARTLY}" if target and rest.get("hidden") is True else ""
        return f"{rest['dice']}{target} to {rest['purpose']}  [{rest['key']}]"
    options = ", ".join(each["option"] for each in rest["options"])
    return f"{rest['purpose']}: {options}  [{rest['key']}]"
