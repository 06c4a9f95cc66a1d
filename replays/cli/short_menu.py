"""Displays a menu that is too long for the screen: an attack on each enemy, then other options as far as they fit."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from rich.console import Console
from rich.markup import render

from replays.cli.screen import safe
from replays.table.language.questions import AnswerOption, Question

_WITHIN, _BETWEEN = "  ", " · "
"""What stands between the options of a group, and between groups."""


class _Item(NamedTuple):
    """A part of the menu that stays on one line."""

    text: str
    """With markup."""
    options: int = 1
    """The number of options that it shows."""


_Group = Sequence[_Item]


def show_short_menu(console: Console, question: Question, height: int) -> None:
    """Shows as many options as fit into the lines.

    The first option against each enemy, the default and the number of options that are not shown are always there.

    Args:
        console: The console.
        question: The question.
        height: The number of lines to fill.
    """
    options = list(enumerate(question.legal, 1))
    last = [[_one(*each, mark=" ⏎")] for each in options if each[1] == question.enter]
    before = takewhile(lambda each: each[1] != question.enter, options)  # what follows the default is against allies
    groups = [list(alike) for _, alike in groupby(before, lambda each: _heading(each[1]) or each[0])]
    attacks = next((place for place, group in enumerate(groups) if len(group) > 1), 0)
    shown: dict[int, _Group] = {attacks: list(_group(groups[attacks]))} if groups else {}
    for place, group in enumerate(groups):
        more = dict(sorted({place: [_one(*group[0])], **shown}.items()))
        if len(_lines(console, [*more.values(), *last], len(options))) <= height:
            shown = more
    for line in _lines(console, [*shown.values(), *last], len(options)):
        console.print(line, overflow="ellipsis", no_wrap=True)


def _lines(console: Console, groups: Sequence[_Group], count: int) -> list[str]:
    """Returns the menu in lines, with the number of options that are not shown; no item is divided."""
    left = count - sum(item.options for group in groups for item in group)
    lines = [""]
    for group in [*groups, [_Item(f"… {left} more: options", 0)]] if left else groups:
        for place, item in enumerate(group):
            between = _WITHIN if place else _BETWEEN
            line = f"{lines[-1]}{between}{item.text}" if lines[-1] else f" {item.text}"
            if render(line).cell_len > console.width and lines[-1]:
                lines.append(f" {item.text}")
            else:
                lines[-1] = line
    return lines


def _group(alike: Sequence[tuple[int, AnswerOption]]) -> Iterator[_Item]:
    """Yields options that differ only by the target; the first has the heading."""
    if len(alike) == 1:
        yield _one(*alike[0])
        return
    heading = safe(f"{_heading(alike[0][1])}: ")
    for number, answer in alike:
        yield _Item(f"{heading}{_numbered(number, answer.against, answer)}")
        heading = ""


def _one(number: int, answer: AnswerOption, mark: str = "") -> _Item:
    return _Item(f"{_numbered(number, option_label(answer), answer)}{mark}")


def _numbered(number: int, label: str, answer: AnswerOption) -> str:
    target = "" if answer.target is None else f" [bold]{answer.target}[/]"
    return f"[cyan]{number}[/] {safe(label)}{target}"


def option_label(answer: AnswerOption) -> str:
    """Returns the words of an option: its label, after the word to be typed if it does not begin with that."""
    alone = answer.label.lower().replace(" ", "_").startswith(answer.word)
    return answer.label if alone else f"{answer.word}: {answer.label}"


def _heading(answer: AnswerOption) -> str:
    """Returns a declaration in words without its target; empty if it is none, or has no target."""
    words = answer.label.split(" ")
    return " ".join(word for word in words if word != answer.against) if answer.against in words else ""
