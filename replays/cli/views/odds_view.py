"""Displays odds, and how dice compare with chance."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from replays.campaigns.luck import SessionsLuck
from replays.cli import screen
from replays.cli.views.rehearse_view import counted
from replays.odds.luck import Faces, Luck, Successes
from replays.odds.odds import Chance, Harm, Odds, half_width

_BAR = 24
_LINES = 12
"""Maximum number of lines with amounts; a JSON document has all amounts."""


def odds(console: Console, found: Odds) -> None:
    """Shows the odds of a roll or a declaration."""
    console.print(f"[bold reverse] WHAT IF: nothing is written [/]  {screen.safe(found.key)}")
    how = f"sampled: {found.samples} fights, seed {found.seed}; ± is half of the 95% interval"
    screen.print_line(console, f"exact: all faces, {found.runs} walks of the rules" if found.exact else how)
    if found.is_roll_alone:
        screen.print_line(console, "only the roll itself: what follows depends on something hidden from you")
    if found.outcome:
        _chances(console, "outcome", found.outcome)
    for test in found.tests:
        target = f" against {test.target}" if test.target is not None else ""
        _chances(console, f"{test.by}: {test.purpose}, {test.dice}{target}  {test.key}", test.outcomes)
    for harm in found.harm:
        _chances(console, f"{harm.who}: {_words(harm.what)}, {_mean(harm)}", _in_ranges(harm.amounts, found.samples))
    if found.conditions:
        gained = ((one.chance, f"{one.who}: {_words(one.condition)}") for one in found.conditions)
        _chances(console, "conditions", [msgspec.structs.replace(chance, what=what) for chance, what in gained])
    for one in found.assumed:
        how = {"given": "as given", "default": "the default"}.get(one.how, "the first that can be taken")
        screen.print_line(console, f"assumed: {one.by} chooses {_words(one.option)} ({how})  {one.key}")


def first(console: Console, found: Odds) -> None:
    """Shows sampled odds in one line, while the final ones are computed."""
    chances = found.outcome or next((test.outcomes for test in found.tests), ())
    some = ", ".join(f"{screen.safe(str(one.what))} {percent(one.chance)} ±{_points(one.error)}" for one in chances)
    console.print(f"[dim]{found.samples} fights sampled: {some}; still computing[/]")


def _points(error: Fraction) -> str:
    return f"{float(error) * 100:.1f}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _mean(harm: Harm) -> str:
    return f"{float(harm.mean):.1f} on average"


def _in_ranges(amounts: Sequence[Chance], samples: int) -> Sequence[Chance]:
    """Returns the amounts in few lines: zero by itself, the others in ranges if there are many."""
    some = [one for one in amounts if one.what != 0]
    if len(amounts) <= _LINES:
        return amounts
    low, high = int(some[0].what), int(some[-1].what)
    wide = -(-(high - low + 1) // (_LINES - 1))
    ranges = []
    for begin in range(low, high + 1, wide):
        mine = [one for one in some if begin <= int(one.what) < begin + wide]
        if mine:
            together = sum((one.chance for one in mine), Fraction(0))
            error = half_width(together, samples) if samples else Fraction(0)
            ranges.append(Chance(_range(begin, min(high, begin + wide - 1)), together, error))
    return [*(one for one in amounts if one.what == 0), *ranges]


def _range(begin: int, end: int) -> str | int:
    return begin if begin == end else f"{begin}-{end}"


def _chances(console: Console, title: str, chances: Iterable[Chance]) -> None:
    table = Table(title=screen.safe(title), title_justify="left", box=None, show_header=False, padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_column()
    for one in chances:
        error = f" ±{_points(one.error)}" if one.error else ""
        full = round(one.chance * _BAR)
        bar = f"[cyan]{'█' * full}[/][dim]{'░' * (_BAR - full)}[/]"
        table.add_row(screen.safe(str(one.what)), f"{percent(one.chance)}{error}", bar)
    console.print(table)


def percent(chance: Fraction) -> str:
    """Returns a probability in percent; possible results are never rounded to 0 or to 100.

    >>> percent(Fraction(160, 216)), percent(Fraction(1, 10**5)), percent(Fraction(99999, 100000))
    ('74.1%', '<0.1%', '>99.9%')
    """
    if 0 < chance < Fraction(1, 2000):
        return "<0.1%"
    if Fraction(1999, 2000) < chance < 1:
        return ">99.9%"
    return f"{float(chance) * 100:.1f}%"


# ------------------------------------------------------------------------------------------------ luck


def luck(console: Console, found: Luck) -> None:
    """Shows how dice and successes compare with what was to be expected."""
    table = Table(title="faces", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("by", "who", "die", "dice", "mean", "expected", "z", "p", ""):
        is_text = column in ("by", "who", "")
        table.add_column(column, justify="left" if is_text else "right", no_wrap=column != "who")
    for one in found.faces:
        table.add_row(*map(screen.safe, _face_row(one, found)))
    console.print(table)
    successes(console, found)


def successes(console: Console, found: Luck) -> None:
    """Shows how the successes of each person compare with what was to be expected, and how many dice there were."""
    table = Table(title="successes", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("who", "tests", "successes", "expected", "p", ""):
        table.add_column(column, justify="left" if column in ("who", "") else "right")
    for tests in found.successes:
        table.add_row(*map(screen.safe, _success_row(tests, found)))
    console.print(table)
    beside = f"; {found.not_standing} more were thrown and no longer stand" if found.not_standing else ""
    unusual = f" Unusual: one time in twenty over all {found.comparisons} groups." if found.comparisons else ""
    screen.print_line(console, f"{found.dice} dice{beside}. Groups of fewer than {found.fewest_dice} dice or")
    screen.print_line(console, f"{found.fewest_tests} tests are not judged.{unusual}")
    if found.unreckoned:
        screen.print_line(
            console, f"The chances of {found.unreckoned} tests could not be computed; these tests are omitted."
        )


def measured(console: Console, found: SessionsLuck) -> None:
    """Shows how many sessions were measured together, and why others were not."""
    screen.print_line(console, f"{counted(len(found.sessions), 'session')} together.")
    for each in found.not_measured:
        screen.print_line(console, f"{each.session}: not measured: {each.slug}: {each.message}")


def _face_row(one: Faces, found: Luck) -> tuple[str, ...]:
    figures = (f"{float(one.mean):.2f}", f"{float(one.expected):.1f}", _signed(one.z), _p(one.p))
    few = one.dice < found.fewest_dice
    return one.by, one.who or "all", f"d{one.sides}", str(one.dice), *figures, _verdict(few=few, unusual=one.unusual)


def _success_row(one: Successes, found: Luck) -> tuple[str, ...]:
    few = one.tests < found.fewest_tests
    counts = (str(one.tests), str(one.successes), f"{float(one.expected):.1f}", _p(one.p))
    return one.who, *counts, _verdict(few=few, unusual=one.unusual)


def _verdict(*, few: bool, unusual: bool) -> str:
    return "too few to tell" if few else "unusual" if unusual else "as expected"


def _signed(z: Fraction | None) -> str:
    return "" if z is None else f"{float(z):+.2f}"


def _p(p: Fraction | None) -> str:
    return "" if p is None else f"{float(p):.3f}" if p >= Fraction(1, 1000) else "<0.001"
