"""Displays the question of the interactive table with its options, within the lines that a screen has for it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import shorten

from rich.console import Console
from rich.table import Table as Grid

from ledger.commands import Declare
from ledger.entry import Seat
from replays.cli import screen
from replays.cli.context import public
from replays.cli.screen import safe
from replays.cli.short_menu import option_label, show_short_menu
from replays.cli.views.result_view import GONE, wrapped
from replays.table.language.outside_combat import declarable_outside_combat
from replays.table.language.questions import AnswerOption, Question, with_typed_name
from replays.table.table import Table
from replays.views.public_rests import seen_otherwise

_FEWEST_OPTIONS, _MOST_OPTIONS = 3, 12
"""Minimum and maximum number of lines for numbered options."""
_MOST_OTHERS = 6
_FEW, _MOST_COLUMNS, _AROUND = 6, 4, 10
"""Number of options in a single column; maximum number of columns for more options; margin of each column."""
LEAST, BELOW = 6, 7
"""Minimum number of lines for what happened; other lines below these, beside combatants and options."""
_SMALL, _SAVED = 30, 2
"""A screen with fewer lines is small; number of lines that are saved there, because hints are omitted."""


def options_height(console: Console, table: Table) -> int:
    """Returns the number of lines for options."""
    if not console.is_terminal:
        return _MOST_OPTIONS
    below = BELOW - _SAVED if _is_small(console) else BELOW
    left = console.height - len(table.seen.roster.here()) - below - LEAST
    return max(_FEWEST_OPTIONS, min(_MOST_OPTIONS, left))


def show_question(console: Console, table: Table, question: Question) -> None:
    """Shows the question with numbered options; its end is the prompt."""
    lines: list[str] = []
    marks = _marks(table)
    if question.rest is not None and question.rest.key in marks:
        lines.append(f"{screen.MARK} {marks[question.rest.key]}")
    if question.rest is not None and question.rest.options:
        mark = f"{screen.MARK} " if question.rest.key in marks else ""
        standing = f" {question.standing}" if question.standing else ""
        console.print(
            f"{mark}[bold]{safe(_name(table, question.rest.by))}[/]: {safe(question.rest.purpose + standing)}"
        )
        _options(console, question, options_height(console, table))
        if question.is_stuck:
            wrapped(console, GONE)
        if question.kinds and not _is_small(console):
            lines.append("also: " + ", ".join(question.kinds))
        if not _is_small(console):
            lines += _further_terms(table, question)
    if question.rolls and (len(question.rolls) > 1 or question.rest is None or question.rest.options):
        _rolls(console, question, options_height(console, table), marks)
    lines += _others(table, question, marks)
    lines += [f"or {each}" for each in table.interrupts(question)[: 1 if _is_small(console) else 3]]
    for line in lines:
        console.print(f"[dim]{safe(shorten(line, console.width, placeholder=' …'))}[/]", soft_wrap=True)


def _is_small(console: Console) -> bool:
    """Returns whether the screen has too few lines for hints."""
    return console.is_terminal and console.height < _SMALL


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
    return f"{with_typed_name(question.rest.by, table.seen)}{default}> "


def _name(table: Table, who: str) -> str:
    return "the gamemaster" if who == "gm" else table.seen.roster.name(who)


def outside(console: Console, table: Table) -> None:
    """Shows what can be declared while no fight is going on."""
    kinds = declarable_outside_combat(table.game, table.seen)
    if kinds:
        wrapped(console, f"outside a fight: WHO: KIND …, such as {', '.join(kinds)} (help KIND)")


def _options(console: Console, question: Question, height: int) -> None:
    """Shows the options in as many columns as fit, or as a short menu if not all fit."""
    shown = [_option(number, answer, question.enter) for number, answer in enumerate(question.legal, 1)]
    per = _fitting(console, [words for _, words, _ in shown], height)
    if len(shown) > max(_FEWEST_OPTIONS, per * height):
        show_short_menu(console, question, height)
    else:
        _columns(console, shown, per)


def _option(number: int, answer: AnswerOption, default: AnswerOption | None) -> tuple[str, str, str]:
    mark = " ⏎" if answer == default else ""
    return str(number), f"{option_label(answer)}{mark}", "" if answer.target is None else str(answer.target)


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
