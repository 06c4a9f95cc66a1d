"""The verbs `odds` and `luck`: the chances of a roll, and how the dice of a session compare with chance."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from ledger.commands import Declare
from ledger.errors import NoSuchSession, Refused
from ledger.stores import Store
from projections.combat import fold
from replays.cli import screen
from replays.cli.context import CliContext, Jobs, Json, SessionArgument
from replays.cli.every_session import CollectingDice, LedgerPlace, on_every_session
from replays.cli.rehearse_view import counted
from replays.exports import documents
from replays.odds.luck import Faces, Luck, Successes, compared
from replays.odds.odds import Chance, Harm, Odds, half_width
from replays.sessions import stored_records
from replays.sessions.find_session import find_session

_BAR = 24
_LINES = 12
"""Maximum number of lines with amounts; a JSON document has all amounts."""
SessionOption = Annotated[str | None, typer.Option("--session", help="The session, as an option.")]


class BadDeclaration(Refused):
    """The declaration cannot be parsed."""

    slug = "odds/declaration"


class BadChoice(Refused):
    """The text is not a choice with an option."""

    slug = "odds/choice"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(odds)
    app.command()(luck)


def odds(
    context: typer.Context,
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[KEY]", help="The key of an open roll, or a shorthand; by default the roll that is waited for."
        ),
    ] = None,
    session: SessionArgument = None,
    named: SessionOption = None,
    declare: Annotated[
        str | None,
        typer.Option(
            "--declare", metavar="TOML", help='A declaration, such as \'{kind = "attack", by = "ann", at = "bob"}\'.'
        ),
    ] = None,
    choose: Annotated[
        list[str] | None, typer.Option("--choose", metavar="KEY=OPTION", help="The option to assume for a choice.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the dice, if the odds must be sampled.")] = 1,
    json: Json = False,
) -> None:
    """Compute the odds of an open roll or of a declaration. Nothing is written."""
    cli: CliContext = context.obj
    opened = cli.session(session or named)
    command = _declaration(declare) if declare is not None else None
    choices = dict(map(_choice, choose or ()))
    found = opened.odds(key, declare=command, choices=choices, seed=seed, eyes=cli.eyes(opened))
    if json:
        screen.document({"what_if": True, **documents.chances(found)})
    else:
        _odds(screen.console(json=json), found)


def luck(
    context: typer.Context,
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SESSION]...", help="Ids or beginnings of ids; by default the latest."),
    ] = None,
    named: SessionOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session of the ledger.")] = False,
    campaign: Annotated[str | None, typer.Option("--campaign", help="Every session of this campaign.")] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Compare the dice of a session, or of several together, with what was to be expected."""
    cli: CliContext = context.obj
    names = [*(sessions or ()), *([named] if named is not None else [])]
    if bool(names) + everything + (campaign is not None) > 1:
        raise typer.BadParameter("name sessions, or use --all, or use --campaign")
    if len(names) > 1 or everything or campaign is not None:
        _luck_of_many(cli, names, campaign, jobs, json=json)
        return
    opened = cli.session(names[0] if names else None)
    found = opened.luck(cli.eyes(opened))
    if json:
        screen.document(documents.chances(found))
    else:
        _luck(screen.console(json=json), found)


def _luck_of_many(cli: CliContext, named: Sequence[str], campaign: str | None, jobs: int | None, *, json: bool) -> None:
    """Shows the luck of several sessions together, and which could not be read."""
    store, ledger = cli.store(), LedgerPlace(cli.ledger, cli.heads)
    names = [find_session(store, name) for name in named] or store.sessions()
    if campaign is not None:
        names = [name for name in names if _is_of(store, name, campaign)]
        if not names:
            raise NoSuchSession(f"no session belongs to the campaign {campaign!r}", where="--campaign")
    found = on_every_session(store, ledger, names, CollectingDice(cli.who), doing="computing luck", jobs=jobs)
    problems = {name: result for name, result in found.items() if isinstance(result, Refused)}
    if problems and len(problems) == len(found):
        raise next(iter(problems.values()))
    together = compared(result for result in found.values() if not isinstance(result, Refused))
    console = screen.console(json=json)
    if json:
        refused = [{"session": name} | screen.refusal(problem) for name, problem in problems.items()]
        measured = [name for name in found if name not in problems]
        screen.document({**documents.chances(together), "sessions": measured, "not_measured": refused})
        return
    _luck(console, together)
    screen.print_line(console, f"{counted(len(found) - len(problems), 'session')} together.")
    for name, problem in problems.items():
        screen.print_line(console, f"{name}: not measured: {problem}")


def _is_of(store: Store, session: str, campaign: str) -> bool:
    """Returns whether a session belongs to a campaign, or cannot be read, so that it is reported."""
    try:
        return fold(stored_records.first(store, session).events).session.campaign == campaign
    except Refused:
        return True


def _declaration(text: str) -> Declare:
    accepts = '{kind = "attack", by = "ann", at = "bob"}'
    try:
        decoded = msgspec.toml.decode(f"declare = {text}" if text.lstrip().startswith("{") else f"[declare]\n{text}")
    except msgspec.DecodeError as error:
        raise BadDeclaration(f"the declaration is not TOML: {error}", where="--declare", accepts=accepts) from error
    terms = dict(decoded["declare"])
    kind, by = terms.pop("kind", None), terms.pop("by", None)
    if not isinstance(kind, str) or not isinstance(by, str):
        raise BadDeclaration("a declaration needs kind and by", where="--declare", accepts=accepts)
    return Declare(kind, by, terms)


def _choice(text: str) -> tuple[str, str]:
    key, equals, option = text.rpartition("=")
    if not (equals and key and option):
        raise BadChoice(
            f"{text!r} is not a choice with an option",
            where="--choose",
            accepts="KEY=OPTION, such as bob/defense=dodge",
        )
    return key, option


# ------------------------------------------------------------------------------------------------ odds for people


def _odds(console: Console, found: Odds) -> None:
    console.print(f"[bold reverse] WHAT IF: nothing is written [/]  {screen.safe(found.key)}")
    how = f"sampled: {found.samples} fights, seed {found.seed}; ± is half of the 95% interval"
    screen.print_line(console, "exact: all faces" if found.exact else how)
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
        error = f" ±{float(one.error) * 100:.1f}" if one.error else ""
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


# ------------------------------------------------------------------------------------------------ luck for people


def _luck(console: Console, found: Luck) -> None:
    table = Table(title="faces", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("by", "who", "die", "dice", "mean", "expected", "z", "p", ""):
        table.add_column(column, justify="left" if column in ("by", "who", "") else "right")
    for one in found.faces:
        table.add_row(*map(screen.safe, _face_row(one, found)))
    console.print(table)
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
