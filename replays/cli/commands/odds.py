"""Verbs about chance: what may come of a roll, and what the dice of a session showed. Neither writes anything."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ledger.commands import Declare
from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import Door, Json, SessionArgument
from replays.exports import documents
from replays.odds.luck import Faces, Luck, Successes
from replays.odds.odds import Chance, Harm, Odds, half_width

_BAR = 24
_LINES = 12
"""Of amounts, for people; a document has all of them."""
SessionOption = Annotated[str | None, typer.Option("--session", help="The same, said by name.")]


class BadDeclaration(Refused):
    """What is to be declared cannot be read."""

    slug = "odds/declaration"


class BadChoice(Refused):
    """Not a choice and an option."""

    slug = "odds/choice"


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    app.command()(odds)
    app.command()(luck)


def odds(
    context: typer.Context,
    key: Annotated[
        str | None, typer.Argument(metavar="[KEY]", help="An open roll, or a shorthand; left out, what is waited for.")
    ] = None,
    session: SessionArgument = None,
    named: SessionOption = None,
    declare: Annotated[
        str | None,
        typer.Option("--declare", metavar="TOML", help='Such as \'{kind = "attack", by = "ann", at = "bob"}\'.'),
    ] = None,
    choose: Annotated[
        list[str] | None, typer.Option("--choose", metavar="KEY=OPTION", help="What is chosen on the way.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the dice, where it has to be sampled.")] = 1,
    json: Json = False,
) -> None:
    """Tell what may come of an open roll, or of a declaration; nothing is written."""
    door: Door = context.obj
    opened = door.session(session or named)
    command = _declaration(declare) if declare is not None else None
    choices = dict(map(_choice, choose or ()))
    said = opened.odds(key, declare=command, choices=choices, seed=seed, eyes=door.eyes(opened))
    if json:
        screen.document({"what_if": True, **documents.chances(said)})
    else:
        _odds(screen.people(json=json), said)


def luck(
    context: typer.Context, session: SessionArgument = None, named: SessionOption = None, json: Json = False
) -> None:
    """Compare what the dice of a session showed with what was expected of them."""
    door: Door = context.obj
    opened = door.session(session or named)
    said = opened.luck(door.eyes(opened))
    if json:
        screen.document(documents.chances(said))
    else:
        _luck(screen.people(json=json), said)


def _declaration(text: str) -> Declare:
    accepts = '{kind = "attack", by = "ann", at = "bob"}'
    try:
        said = msgspec.toml.decode(f"declare = {text}" if text.lstrip().startswith("{") else f"[declare]\n{text}")
    except msgspec.DecodeError as error:
        raise BadDeclaration(f"this is no TOML: {error}", where="--declare", accepts=accepts) from error
    terms = dict(said["declare"])
    kind, by = terms.pop("kind", None), terms.pop("by", None)
    if not isinstance(kind, str) or not isinstance(by, str):
        raise BadDeclaration("a declaration needs kind and by", where="--declare", accepts=accepts)
    return Declare(kind, by, terms)


def _choice(text: str) -> tuple[str, str]:
    key, equals, option = text.rpartition("=")
    if not (equals and key and option):
        raise BadChoice(f"{text!r} chooses nothing", where="--choose", accepts="KEY=OPTION, such as bob/defense=dodge")
    return key, option


# ------------------------------------------------------------------------------------------------ odds for people


def _odds(console: Console, said: Odds) -> None:
    console.print(f"[bold reverse] WHAT IF: nothing is written [/]  {screen.safe(said.key)}")
    how = f"sampled: {said.samples} fights, seed {said.seed}; ± is half of the 95% interval"
    screen.say(console, "exact: all faces" if said.exact else how)
    if said.is_roll_alone:
        screen.say(console, "only the roll itself: what follows rests on what is hidden from you")
    if said.outcome:
        _chances(console, "outcome", said.outcome)
    for test in said.tests:
        target = f" against {test.target}" if test.target is not None else ""
        _chances(console, f"{test.by}: {test.purpose}, {test.dice}{target}  {test.key}", test.outcomes)
    for harm in said.harm:
        _chances(console, f"{harm.who}: {_words(harm.what)}, {_mean(harm)}", _in_ranges(harm.amounts, said.samples))
    if said.conditions:
        gained = ((one.chance, f"{one.who}: {_words(one.condition)}") for one in said.conditions)
        _chances(console, "conditions", [msgspec.structs.replace(chance, what=what) for chance, what in gained])
    for one in said.assumed:
        how = {"given": "as given", "default": "the default"}.get(one.how, "the first that can be taken")
        screen.say(console, f"assumed: {one.by} chooses {_words(one.option)} ({how})  {one.key}")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _mean(harm: Harm) -> str:
    return f"{float(harm.mean):.1f} on average"


def _in_ranges(amounts: Sequence[Chance], samples: int) -> Sequence[Chance]:
    """Amounts on few lines: none at all by itself, the others in ranges where there are many."""
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
        error = f" ±{float(one.error) * 100:.1f}" if one.error else ""
        full = round(one.chance * _BAR)
        bar = f"[cyan]{'█' * full}[/][dim]{'░' * (_BAR - full)}[/]"
        table.add_row(screen.safe(str(one.what)), f"{percent(one.chance)}{error}", bar)
    console.print(table)


def percent(chance: Fraction) -> str:
    """With one decimal; what is possible is never told as impossible, nor as certain what is not.

    >>> percent(Fraction(160, 216)), percent(Fraction(1, 10**5)), percent(Fraction(99999, 100000))
    ('74.1%', '<0.1%', '>99.9%')
    """
    if 0 < chance < Fraction(1, 2000):
        return "<0.1%"
    if Fraction(1999, 2000) < chance < 1:
        return ">99.9%"
    return f"{float(chance) * 100:.1f}%"


# ------------------------------------------------------------------------------------------------ luck for people


def _luck(console: Console, said: Luck) -> None:
    table = Table(title="faces", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("by", "who", "die", "dice", "mean", "expected", "z", "p", ""):
        table.add_column(column, justify="left" if column in ("by", "who", "") else "right")
    for one in said.faces:
        table.add_row(*map(screen.safe, _face_row(one, said)))
    console.print(table)
    table = Table(title="successes", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("who", "tests", "successes", "expected", "p", ""):
        table.add_column(column, justify="left" if column in ("who", "") else "right")
    for tests in said.successes:
        table.add_row(*map(screen.safe, _success_row(tests, said)))
    console.print(table)
    beside = f"; {said.not_standing} more were thrown and no longer stand" if said.not_standing else ""
    unusual = f" Unusual: one time in twenty over all {said.comparisons} groups." if said.comparisons else ""
    screen.say(console, f"{said.dice} dice{beside}. No significance is told of fewer than {said.fewest_dice} dice or")
    screen.say(console, f"{said.fewest_tests} tests.{unusual}")
    if said.unreckoned:
        screen.say(console, f"The chances of {said.unreckoned} tests could not be reckoned; they are left out.")


def _face_row(one: Faces, said: Luck) -> tuple[str, ...]:
    figures = (f"{float(one.mean):.2f}", f"{float(one.expected):.1f}", _signed(one.z), _p(one.p))
    few = one.dice < said.fewest_dice
    return one.by, one.who or "all", f"d{one.sides}", str(one.dice), *figures, _verdict(few=few, unusual=one.unusual)


def _success_row(one: Successes, said: Luck) -> tuple[str, ...]:
    few = one.tests < said.fewest_tests
    counts = (str(one.tests), str(one.successes), f"{float(one.expected):.1f}", _p(one.p))
    return one.who, *counts, _verdict(few=few, unusual=one.unusual)


def _verdict(*, few: bool, unusual: bool) -> str:
    return "too few to tell" if few else "unusual" if unusual else "as expected"


def _signed(z: Fraction | None) -> str:
    return "" if z is None else f"{float(z):+.2f}"


def _p(p: Fraction | None) -> str:
    return "" if p is None else f"{float(p):.3f}" if p >= Fraction(1, 1000) else "<0.001"
