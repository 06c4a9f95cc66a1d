"""Prints for people: the tracker, the log, explanations, tables. Prints JSON documents for programs."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.tree import Tree

from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Json
from machines.contract.ruleset import vocabulary_of
from machines.contract.tables import Row
from projections.clock import Clock
from projections.combat import Combat
from projections.views.document import CombatantView, State
from projections.views.stand_ins import PARTLY
from replays.audit.why import Why
from replays.corrections.change import kind_in_words
from replays.exports.narrative import paths, told
from replays.views.public_rests import seen_otherwise

MARK = "◌"
"""Marks a line that is hidden from some persons."""
_BAR = 12
_FIRST = ("id", "code", "name")
_SOURCE = "source"
_SENTENCE = 24
"""Length in characters above which a cell of a table may be wrapped."""
_PIPED = 120
"""Width of the output if it does not go to a terminal."""


class _PipeConsole(Console):
    """A console that raises BrokenPipeError on a closed pipe, so that `app` can end without an error."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, json: bool) -> Console:
    """Returns the console for people: standard output, or standard error if a JSON document is printed."""
    made = _PipeConsole(stderr=json, highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = _PIPED
    return made


def safe(text: str) -> str:
    """Escapes markup and control characters in a text."""
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))


def print_line(console: Console, words: str) -> None:
    """Prints a plain line for people, neither cut nor wrapped."""
    console.print(safe(words), soft_wrap=True)


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
    title = f"{state.title} · {moment(clock)} · entry {state.head} of {state.entries}"
    table = Table(title=safe(title), title_justify="left", box=box.SIMPLE_HEAD, expand=False)
    scores = dict(state.initiative if clock.fighting else ())
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    counters = vocabulary_of(state.ruleset).counters
    cells = [_row(state, who, state.combatants[who], scores.get(who), counters) for who in order]
    columns = [counters[0] if name == _COUNTED and counters else name for name in _COLUMNS]
    filled = [column for column, name in enumerate(_COLUMNS) if name in _ALWAYS or any(row[column] for row in cells)]
    for column in filled:
        table.add_column(columns[column], justify="right" if _COLUMNS[column] in ("init", _COUNTED) else "left")
    for row in cells:
        table.add_row(*(row[column] for column in filled))
    console.print(table)
    marks = seen_otherwise(state.rests, public.rests) if public is not None else {}
    for rest in state.rests:
        words = marks.get(rest["key"], "")
        mark, more = (f"{MARK} ", f"  ({words})") if words else ("", "")
        console.print(f"{mark}[bold]waiting for[/] {safe(rest['by'])}: {safe(_rest(rest) + more)}", soft_wrap=True)


_COUNTED = "counted"
"""A column whose title is the ruleset's word for its first counter, such as wounds."""
_COLUMNS = ("", "who", "init", "harm", _COUNTED, "conditions", "resources")
_ALWAYS = ("", "who", "harm")


def _row(state: State, who: str, one: CombatantView, score: int | None, counters: Sequence[str]) -> list[str]:
    first = next(iter(one.tracks), "")
    shown = ((name, track) for name, track in one.tracks.items() if track.taken or name == first)
    harm = "\n".join(f"{bar(t.taken, t.capacity)} {name} {t.taken}/{t.capacity}" for name, t in shown)
    first, *others = [*counters, ""]
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


def _rest(rest: dict[str, Any]) -> str:
    if "dice" in rest:
        target = f" against {rest['target']}" if "target" in rest else ""
        target += f" {PARTLY}" if target and rest.get("hidden", 0) is None else ""
        return f"{rest['dice']}{target} to {rest['purpose']}  [{rest['key']}]"
    options = ", ".join(each["option"] for each in rest["options"])
    return f"{rest['purpose']}: {options}  [{rest['key']}]"


# ------------------------------------------------------------------------------------------------ log


def marked(entry: Entry, combat: Combat) -> list[str]:
    """Returns the narration of an entry in sentences; those that are hidden from some persons have a mark.

    An entry without narrated events is described by its command.
    """
    sentences = list(told(entry, combat))
    if not sentences or (entry.events and all(event is None for event, _ in sentences)):
        sentences.append((None, f"{kind_in_words(entry.command).capitalize()}."))
    return [
        f"{MARK} {sentence}" if event is not None and event.seen_by is not None else sentence
        for event, sentence in sentences
    ]


def entry_lines(
    console: Console, entry: Entry, combat: Combat, *, stands: bool = True, command: bool = True, path: bool = False
) -> None:
    """Shows an entry in sentences, with `path` also its boxes; struck through if it no longer stands."""
    sentences = marked(entry, combat)
    sentences += paths(entry, combat) if path else ()
    style = "" if stands else "dim strike"
    head = f"{entry.seq:>4}  {entry.by.name}" if command else f"{entry.seq:>4}"
    for number, sentence in enumerate(sentences):
        lead = f"[cyan]{safe(head)}[/]  " if number == 0 else " " * (len(head) + 2)
        console.print(f"{lead}[{style}]{safe(sentence)}[/]" if style else f"{lead}{safe(sentence)}", soft_wrap=True)


# ------------------------------------------------------------------------------------------------ explanations, tables


def explanation(console: Console, why: Why) -> None:
    """Shows an explanation as a tree: each number with its reason, page, entry and person."""
    tree = Tree(f"[bold]{safe(why.title)}[/]  [dim]{safe(why.subject)}[/]")
    _grow(tree, why)
    console.print(tree)


def _grow(tree: Tree, why: Why) -> None:
    for part in why.parts:
        source = f"  [green]{safe(part.source)}[/]" if part.source else ""
        reason = f"  {safe(part.why)}" if part.why else ""
        again = f" ({part.origin} again)" if part.origin is not None else ""
        who = f"  [dim]entry {part.entry}{again}, {safe(part.by)}[/]"
        tree.add(f"{safe(part.what)} [bold]{safe(str(part.value))}[/]{reason}{source}{who}")
    for inner in why.leads_to:
        _grow(tree.add(f"[bold]{safe(inner.title)}[/]  [dim]{safe(inner.subject)}[/]"), inner)


def rows(console: Console, title: str, table_rows: Iterable[msgspec.Struct]) -> None:
    """Shows a table of a ruleset; each row is a paragraph if the table is too wide."""
    structs = list(table_rows)
    plain = [row.printed() if isinstance(row, Row) else msgspec.to_builtins(row) for row in structs]
    fields = sorted(plain[0] if plain else {}, key=lambda field: (field not in _FIRST, field == _SOURCE))
    shown = [f for f in fields if f == _SOURCE or any(_differs(row[f], f) for row in plain)]
    if _needed(plain, shown) > console.width:
        defaults = msgspec.structs.fields(type(structs[0]))
        _paragraphs(console, title, plain, shown, {each.encode_name: each.default for each in defaults})
        return
    table = Table(title=safe(title), title_justify="left")
    for field in shown:
        table.add_column(field.replace("_", " "), overflow="fold")
    for row in plain:
        table.add_row(*(safe(_cell(row[field])) for field in shown))
    console.print(table)


def _needed(plain: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> int:
    """Returns the width of a table in characters; sentences may be wrapped."""
    widths = [max(len(field), *(min(_SENTENCE, len(_cell(row[field]))) for row in plain)) for field in shown]
    return sum(widths) + 3 * len(shown) + 1


def _paragraphs(
    console: Console, title: str, plain: Sequence[Json], shown: Sequence[str], defaults: Mapping[str, Any]
) -> None:
    first, *others = (field for field in shown if field != _SOURCE)
    console.print(f"[italic]{safe(title)}[/]")
    for row in plain:
        shown_fields = (
            _named(field, row[field]) for field in others if _is_shown(row[field], field, defaults.get(field))
        )
        source = f"  [green]{safe(row[_SOURCE])}[/]" if row.get(_SOURCE) else ""
        words = f"[bold]{safe(_cell(row[first]))}[/]  {'  '.join(shown_fields)}".rstrip() + source
        console.print(Padding.indent(words, 2), soft_wrap=False)


def _is_shown(value: Any, field: str, default: Any) -> bool:
    plain = list(default) if isinstance(default, tuple) else default
    return _differs(value, field) and value is not False and value != plain


def _named(field: str, value: Any) -> str:
    name = f"[dim]{safe(field.replace('_', ' '))}[/]"
    return name if value is True else f"{name} {safe(_cell(value))}"


def _differs(value: Any, field: str) -> bool:
    return value not in ("", None, [], (), {}) and not (field == "confidence" and value == 100)


def _cell(value: Any) -> str:
    """Returns a value as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{_cell(key)} {_cell(each)}" for key, each in value.items())
    return ", ".join(map(_cell, value)) if isinstance(value, list | tuple) else str(value)
