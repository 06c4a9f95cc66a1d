"""Displays the interactive table on one screen: what happened, a compact tracker, and the question."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

import msgspec
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from ledger.commands import Declare
from ledger.entry import Entry, Seat
from ledger.events import InitiativeScored, OrderFixed
from machines.registry import vocabulary_of
from projections.views.document import CombatantView, State
from replays.cli import screen
from replays.cli.context import public
from replays.cli.screen import bar, safe
from replays.cli.views.log_view import marked
from replays.cli.views.result_view import GONE, refusal, verb_result, wrapped
from replays.exports.narrative import narrate
from replays.table.done import LineResult
from replays.table.language.outside_combat import declarable_outside_combat
from replays.table.language.questions import AnswerOption, Question
from replays.table.table import Table
from replays.views.public_rests import seen_otherwise

_FEWEST_OPTIONS, _MOST_OPTIONS = 3, 12
"""Minimum and maximum number of lines for numbered options."""
_MOST_OTHERS = 6
_FEW, _MOST_COLUMNS, _AROUND = 6, 4, 10
"""Number of options in a single column; maximum number of columns for more options; margin of each column."""
_LEAST, _BELOW, _NO_END = 6, 7, 10_000
"""Minimum number of lines for what happened; other lines below these, beside combatants and options; no limit."""
_SMALL, _WIDE = 30, 100


def line_result(console: Console, table: Table, result: LineResult) -> None:
    """Shows the result of a line."""
    if result.refused is not None:
        refusal(console, result.refused)
    entries(console, table, result.entries)
    verb_result(console, table, result.done)


def entries(console: Console, table: Table, written: Sequence[Entry]) -> None:
    """Shows what was written; after a correction, only the entries with a different result."""
    numbered: list[tuple[str, str]] = []
    again = [entry for entry in written if entry.origin is not None and _as_before(table, entry)]
    for entry in written:
        if entry not in again:
            sentences = marked(_brief(entry), table.state_at(entry.after))
            numbered += [(str(entry.seq) if not place else "", each) for place, each in enumerate(sentences)]
    room = _room(console, table)
    if len(numbered) > room:
        console.print(f"[dim]      … {len(numbered) - room} lines more: log {len(written)}[/]")
    for seq, sentence in numbered[-room:]:
        console.print(f"[cyan]{seq:>5}[/] {safe(sentence)}", overflow="ellipsis", no_wrap=True)
    if again:
        console.print(f"[dim]      {len(again)} more performed again, with the same result[/]")


def _brief(entry: Entry) -> Entry:
    """Returns an entry without the initiative scores that its order repeats."""
    if not any(isinstance(event, OrderFixed) for event in entry.events):
        return entry
    events = tuple(event for event in entry.events if not isinstance(event, InitiativeScored))
    return msgspec.structs.replace(entry, events=events)


def _room(console: Console, table: Table) -> int:
    """Returns the number of lines for what happened, above tracker and question; unlimited without a terminal."""
    if not console.is_terminal:
        return _NO_END
    return max(_LEAST, console.height - len(table.seen.roster.here()) - _BELOW - _height(console, table))


def _height(console: Console, table: Table) -> int:
    """Returns the number of lines for options."""
    if not console.is_terminal:
        return _MOST_OPTIONS
    left = console.height - len(table.seen.roster.here()) - _BELOW - _LEAST
    return max(_FEWEST_OPTIONS, min(_MOST_OPTIONS, left))


def _as_before(table: Table, entry: Entry) -> bool:
    """Returns whether an entry that was performed again has the same narration as its original."""
    origin = table.session.log.entry(entry.origin or 0)
    before = set(narrate(origin, table.state_at(origin.after)))
    return all(sentence in before for sentence in list(narrate(entry, table.state_at(entry.after)))[1:])


# ------------------------------------------------------------------------------------------------ tracker


def tracker(console: Console, table: Table) -> None:
    """Shows one line for each combatant: whose turn it is, initiative, damage, wounds, conditions, resources."""
    state, clock = table.session.state(eyes=table.eyes), table.seen.clock
    console.rule(f"[dim]{screen.moment(clock)} · entry {state.head}[/]", align="left", style="dim")
    grid = Grid.grid(padding=(0, 1), expand=False)
    scores = dict(state.initiative if clock.fighting else ())
    order = [who for who in (*scores, *(w for w in state.combatants if w not in scores)) if who in state.combatants]
    rows = [_row(state, who, scores.get(who), console.width) for who in order]
    left = console.width
    for column in range(5):
        widest = max((Text.from_markup(row[column]).cell_len for row in rows), default=0)
        width = min(widest, console.width // 3 if column < _SHORTENED else max(1, left))
        left -= width + 1
        side: Literal["left", "right"] = "right" if column == _SCORE else "left"
        grid.add_column(no_wrap=True, overflow="ellipsis", justify=side, width=width)
    for row in rows:
        grid.add_row(*row)
    console.print(grid)


_SCORE, _SHORTENED = 2, 4
"""The column that is aligned to the right; the one that is shortened on a narrow screen."""


def _row(state: State, who: str, score: int | None, width: int) -> tuple[str, ...]:
    combatant = state.combatants[who]
    is_short = combatant.name.lower().replace(" ", "-") in (who, f"the-{who}")
    name = who if is_short else f"{who} ({combatant.name})"
    acts = state.active == who
    style = "bold" if acts else "dim" if _is_full(combatant) else ""
    return (
        "▶" if acts else " ",
        f"[{style}]{safe(name)}[/]" if style else safe(name),
        "" if score is None else str(score),
        "  ".join(_harm(combatant)),
        ", ".join(
            [
                *map(safe, _conditions(combatant, vocabulary_of(state.ruleset).counters)),
                *_resources(combatant, width >= _WIDE),
            ]
        ),
    )


def _is_full(combatant: CombatantView) -> bool:
    return any(track.capacity and track.taken >= track.capacity for track in combatant.tracks.values())


def _harm(combatant: CombatantView) -> Iterator[str]:
    """Yields the first damage track, and every other one that is not empty."""
    for place, (name, track) in enumerate(combatant.tracks.items()):
        if not place or track.taken:
            yield f"{bar(track.taken, track.capacity, 8)} {safe(name)} {track.taken}/{track.capacity}"


def _conditions(combatant: CombatantView, counters: Iterable[str]) -> Iterator[str]:
    for word in counters:
        count = combatant.count(word)
        if count:
            yield f"{count} {word.removesuffix('s') if count == 1 else word}"
    for each in combatant.conditions:
        yield each.name.replace("_", " ") + (f" {each.level}" if each.level is not None else "")


def _resources(combatant: CombatantView, everything: bool) -> Iterator[str]:
    """Yields resources; on a narrow screen only those of which something was spent."""
    for name, each in combatant.resources.items():
        if each.left != each.of:
            yield safe(f"{name} {each.left}/{each.of}")
        elif everything:
            yield f"[dim]{safe(f'{name} {each.left}/{each.of}')}[/]"


# ------------------------------------------------------------------------------------------------ the question


def show_question(console: Console, table: Table, question: Question) -> None:
    """Shows the question with numbered options; its end is the prompt."""
    lines: list[str] = []
    marks = _marks(table)
    if question.rest is not None and question.rest.key in marks:
        lines.append(f"{screen.MARK} {marks[question.rest.key]}")
    if question.rest is not None and question.rest.options:
        mark = f"{screen.MARK} " if question.rest.key in marks else ""
        console.print(f"{mark}[bold]{safe(_name(table, question.rest.by))}[/]: {safe(question.rest.purpose)}")
        _options(console, question, _height(console, table))
        if question.is_stuck:
            wrapped(console, GONE)
        if question.kinds:
            lines.append("also: " + ", ".join(question.kinds))
        lines += _further_terms(table, question)
    if question.rolls and (len(question.rolls) > 1 or question.rest is None or question.rest.options):
        _rolls(console, question, _height(console, table), marks)
    lines += _others(table, question, marks)
    few = console.is_terminal and console.height < _SMALL
    lines += [f"or {each}" for each in table.interrupts(question)[: 1 if few else 3]]
    for line in lines:
        console.print(f"[dim]{safe(line)}[/]", overflow="ellipsis", no_wrap=True)


def _marks(table: Table) -> dict[str, str]:
    """Returns for the gamemaster what players see of questions that are partly hidden from them, by key."""
    shown = public(table.session, table.eyes)
    return seen_otherwise(table.session.state().rests, shown.rests) if shown is not None else {}


def prompt(table: Table, question: Question) -> str:
    """Returns the prompt."""
    if table.asks:
        return f"{table.asks}> "
    if question.rest is None:
        return "wait> " if question.others else "table> "
    if question.rest.dice:
        several = len(question.rolls) > 1
        return f"{question.rolls[0].short if several else question.rolls[0].words}> "
    default = f" [{question.enter.word}]" if question.enter is not None else ""
    return f"{question.rest.by}{default}> "


def _name(table: Table, who: str) -> str:
    return "the gamemaster" if who == "gm" else table.seen.roster.name(who)


def outside(console: Console, table: Table) -> None:
    """Shows what can be declared while no fight is going on."""
    kinds = declarable_outside_combat(table.game, table.seen)
    if kinds:
        wrapped(console, f"outside a fight: WHO: KIND …, such as {', '.join(kinds)} (help KIND)")


def _options(console: Console, question: Question, height: int) -> None:
    """Shows the options in as many columns as fit; the default is always shown."""
    shown = [_option(number, answer, question.enter) for number, answer in enumerate(question.legal, 1)]
    per = _fitting(console, [words for _, words, _ in shown], height)
    most = max(_FEWEST_OPTIONS, per * height)
    if len(shown) > most:
        default = [row for row, answer in zip(shown, question.legal, strict=True) if answer == question.enter]
        first = shown[: most - 2]
        left = len(shown) - len(first) - (default[0] not in first if default else 0)
        shown = [*first, *(row for row in default if row not in first), ("", f"… {left} more: options", "")]
    _columns(console, shown, per)


def _option(number: int, answer: AnswerOption, default: AnswerOption | None) -> tuple[str, str, str]:
    mark = " ⏎" if answer == default else ""
    word = "" if answer.label.lower().replace(" ", "_").startswith(answer.word) else f"{answer.word}: "
    return str(number), f"{word}{answer.label}{mark}", "" if answer.target is None else str(answer.target)


def _fitting(console: Console, words: Sequence[str], height: int) -> int:
    """Returns how many columns fit; the longest options may be cut if otherwise not all would be shown."""
    if len(words) <= min(_FEW, height):
        return 1
    lengths = sorted(map(len, words))
    whole, cut = (
        max(1, min(_MOST_COLUMNS, console.width // (widest + _AROUND)))
        for widest in (lengths[-1], lengths[len(lengths) * 4 // 5])
    )
    return whole if whole * height >= len(words) else cut


def _columns(console: Console, rows: list[tuple[str, str, str]], per: int) -> None:
    height = -(-len(rows) // per)
    grid = Grid.grid(padding=(0, 1))
    for _ in range(per):
        grid.add_column(justify="right", min_width=3, style="cyan")
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // per - _AROUND)
        grid.add_column(justify="right", style="bold", min_width=3)
    columns = [rows[start : start + height] for start in range(0, len(rows), height or 1)]
    for cells in zip_longest(*columns, fillvalue=("", "", "")):
        grid.add_row(*(safe(cell) for triple in cells for cell in triple))
    console.print(grid)


def _rolls(console: Console, question: Question, height: int, marks: Mapping[str, str]) -> None:
    grid = Grid.grid(padding=(0, 2))
    for roll in question.rolls[:height]:
        mark = screen.MARK if roll.key in marks else " "
        grid.add_row(
            *map(safe, (f"{mark} {roll.short}", roll.purpose, roll.missing, roll.against, marks.get(roll.key, "")))
        )
    console.print(grid)
    if len(question.rolls) > height:
        console.print(f"  … {len(question.rolls) - height} more")


def _further_terms(table: Table, question: Question) -> Iterator[str]:
    """Yields the terms that could be typed after the first declaration, in one line."""
    for number, answer in enumerate(question.legal, 1):
        if isinstance(answer.command, Declare):
            offered = table.declaration_parser(question).words(answer.command)
            fields = {name: words for name, words in offered.items() if name not in answer.command.terms and words}
            if fields:
                yield f"{number} may add: " + "  ".join(f"{name}={'|'.join(each)}" for name, each in fields.items())
                return


def _others(table: Table, question: Question, marks: Mapping[str, str]) -> Iterator[str]:
    """Yields the other persons that the table is waiting for; without any, what can be done."""
    waited = list(
        dict.fromkeys(
            f"{f'{screen.MARK} ' if rest.key in marks else ''}{_name(table, rest.by)} ({rest.purpose})"
            for rest in question.others
        )
    )
    if waited:
        more = f", and {len(waited) - _MOST_OTHERS} more" if len(waited) > _MOST_OTHERS else ""
        yield f"waiting for {', '.join(waited[:_MOST_OTHERS])}{more}"
    if question.rest is None and not question.others and table.who.seat is not Seat.GM:
        yield "waiting for the gamemaster · help"
    elif question.rest is None and not question.others:
        here = len(table.seen.roster.here())
        begin = "Enter or begin starts the fight" if table.may_begin else "begin starts a fight"
        yield (
            f"{here} here · add WHAT, sheets · {begin} · help" if here else "no combatants yet: add WHAT, sheets, help"
        )
