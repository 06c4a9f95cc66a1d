"""Displays the result of a word of the interactive table: lines, explanations, previews, what was computed, files."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console

from ledger.errors import Refused, Stale
from machines.contract.refusals import UnknownStep
from replays.cli import output, screen
from replays.cli.context import public
from replays.cli.screen import hanging, safe
from replays.cli.views import correction_view, log_view
from replays.table.done import OutputFile, VerbResult
from replays.table.language.questions import Question
from replays.table.table import Table

_LONGEST = 10
"""Maximum number of lines of a refusal."""
GONE = (
    "this fight began under older rules and cannot continue from here: "
    "undo to an entry before its beginning (log shows it), or end it with /end"
)
"""What is displayed where a fight cannot go on."""


def verb_result(console: Console, table: Table, done: VerbResult) -> None:
    """Shows the result of a word or an answer."""
    for line in done.lines:
        wrapped(console, line)
    if done.why is not None:
        log_view.explanation(console, done.why)
    if done.report is not None:
        correction_view.report(console, done.report)
    if done.found is not None:
        _computed(console, done.found)
    if done.file is not None:
        _written(console, done.file)
    for frame in done.frames:
        log_view.entry_lines(console, frame.entry, frame.before)
    if done.shows == "state":
        shown = public(table.session, table.eyes)
        screen.tracker(console, table.session.state(eyes=table.eyes), table.seen.clock, shown)
    if done.shows == "options":
        for line in all_options(table.question()):
            wrapped(console, line)


_VIEWS = {
    "Odds": ("odds_view", "odds"),
    "Luck": ("odds_view", "luck"),
    "Audit": ("audit_view", "report"),
    "Dispute": ("dispute_view", "dispute_at_table"),
    "DisputeList": ("dispute_view", "listed"),
    "RulingList": ("dispute_view", "precedents"),
    "RuleTable": ("tables_view", "tables_at_table"),
}
"""The module and function that display what a word computed, by its type."""


def first_odds(console: Console, found: Any) -> None:
    """Shows sampled odds, while the final ones are computed."""
    _view("odds_view", "first")(console, found)


def _computed(console: Console, found: Any) -> None:
    show = _view(*_VIEWS[type(found).__name__])
    show(console, *(found if isinstance(found, tuple) else (found,)))


def _view(module: str, name: str) -> Callable[..., None]:
    """Returns a function that displays something; its module is loaded when it is used."""
    show: Callable[..., None] = getattr(import_module(f"replays.cli.views.{module}"), name)
    return show


def _written(console: Console, file: OutputFile) -> None:
    """Writes a file, or shows why it cannot be written."""
    try:
        output.write(Path(file.name), file.lines)
    except Refused as refused:
        refusal(console, refused)
    else:
        wrapped(console, f"written: {file.name}")


def refusal(console: Console, refused: Refused) -> None:
    """Shows a refusal, wrapped, and what to do about it."""
    most = _LONGEST * (console.width - 8)
    text = f"{refused.slug}: {_STALE}" if isinstance(refused, Stale) else str(refused)
    wrapped(console, "✗ " + (text if len(text) <= most else text[: most - 1] + "…"))
    if isinstance(refused, UnknownStep):
        wrapped(console, GONE)


_STALE = "another person wrote first: look at what changed, then enter the line once more"


def wrapped(console: Console, line: str) -> None:
    """Shows a line, wrapped with an indent."""
    for each in hanging(line, console.width, 4 + len(line) - len(line.lstrip())):
        console.print(safe(each), soft_wrap=True)


_MOST_REFUSED = 4
"""Maximum number of refused options that are named with their common reason."""


def all_options(question: Question) -> Iterator[str]:
    """Yields every answer, and the reasons why others are not allowed, each once."""
    for number, answer in enumerate(question.legal, 1):
        yield f"{number:>4} {answer.label}" + ("" if answer.target is None else f"  {answer.target}")
    refused: dict[str, list[str]] = {}
    for answer in question.answers:
        refused.setdefault(answer.refused, []).append(answer.label)
    refused.pop("", None)
    for reason, labels in refused.items():
        yield f"   ✗ {reason}: {', '.join(labels[:_MOST_REFUSED])}" + (
            f" and {len(labels) - _MOST_REFUSED} more" if len(labels) > _MOST_REFUSED else ""
        )
    yield from (f"     {roll.short}: {roll.words}" for roll in question.rolls)
    if not question.answers and not question.rolls:
        yield "no answer is expected from you now"
