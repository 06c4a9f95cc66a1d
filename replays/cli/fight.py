"""`affray fight`: an interactive table."""

import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console

from ledger.stores import Store
from replays.cli import board, screen
from replays.cli.door import Door
from replays.session import Session
from replays.table import sitting
from replays.table.sitting import New
from replays.table.table import Table
from replays.table.verbs import DICE, OTHER_WORDS

Reader = Callable[[str], str]
"""A prompt -> a line; EOFError where there is none left."""


def add_to(app: typer.Typer) -> None:
    """Add this verb."""
    app.command()(fight)


def fight(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(help="Such as `affray rules` lists.")],
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="The fight to go on with; left out, the latest open one.")
    ] = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", metavar="[ID=]WHAT[:N][@PLAYER]", help="Somebody who takes part.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="A new session, also where one is open.")] = False,
    title: Annotated[str, typer.Option(help="What people call the new session.")] = "",
    profile: Annotated[str, typer.Option(help="The printing of a new session.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A field of the profile, set otherwise.")
    ] = None,
    dice: Annotated[str, typer.Option(help="Who rolls: " + ", ".join(DICE) + ".")] = "ask",
) -> None:
    """An interactive table: it asks for what the rules rest on, and takes `help` at any prompt."""
    door: Door = context.obj
    dice = OTHER_WORDS.get(dice, dice)
    if dice not in DICE:
        raise typer.BadParameter(f"{dice!r} is none of {', '.join(DICE)}", param_hint="--dice")
    wanted = New(title, profile, dict(sitting.option(each) for each in option or ()))
    if session is not None and (new or wanted.says_something):
        raise typer.BadParameter("--new, --title, --profile and --option are for a new session")
    console = screen.people(json=False)
    opened, goes_on = _seat(door, ruleset, session, wanted, with_ or [], new=new)
    about = "going on with" if goes_on else "session"
    screen.say(console, f"{about} {opened.id}: {opened.combat.session.title} ({opened.combat.session.profile})")
    table = Table(opened, door.who, dice)
    play(console, table, _reader(table))
    again = f"affray fight {ruleset}"
    screen.say(console, f"entry {opened.log.head} of {opened.id} in {door.ledger}; {again} goes on with it")


def _seat(door: Door, game: str, name: str | None, wanted: New, bring: list[str], *, new: bool) -> tuple[Session, bool]:
    """The session, and whether it was there."""
    store: Store = door.store(create=name is None)
    found = sitting.go_on(store, name, game) if name is not None else None
    if found is None and not new and not wanted.says_something:
        found = sitting.latest(store, game)
    if found is None:
        return sitting.begin(store, game, wanted, bring, door.who), False
    sitting.bring_in(found, bring, door.who)
    return found, True


def _reader(table: Table) -> Reader:
    from replays.cli import terminal  # noqa: PLC0415  a library that no other verb needs

    if sys.stdin.isatty() and sys.stdout.isatty():
        return terminal.reader(table, lambda: toolbar(table))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return terminal.piped


def toolbar(table: Table) -> str:
    """The bottom of the screen."""
    combat = table.seen
    when = f"round {combat.clock.round}, pass {combat.clock.number}" if combat.clock.fighting else "no fight"
    active = combat.turn.who if combat.clock.fighting else None
    moment = f" · {combat.roster.name(active)} acts" if active else ""
    entry = f"entry {table.session.log.head} · dice {table.dice}"
    words = f" {combat.session.title} · {when}{moment} · {entry} · Tab, help, undo, quit"
    return "".join(letter for letter in words if letter.isprintable())


def play(console: Console, table: Table, read: Reader) -> None:
    """Ask and answer until somebody quits."""
    shown, again = -1, False
    while True:
        news = table.news()
        if news:
            screen.say(console, "meanwhile:")
            board.entries(console, table, news)
        asked = table.question()
        if table.session.log.last != shown:
            board.tracker(console, table.session.state(eyes=table.eyes))
        if not table.asks and (table.session.log.last != shown or again):
            board.question(console, table, asked)
        shown, again = table.session.log.last, False
        try:
            line = read(board.prompt(table, asked))
        except KeyboardInterrupt:
            table.forget()
            continue
        except EOFError:
            return
        said = table.say(line)
        board.reply(console, table, said)
        again = bool(said.done.shows or said.done.why or said.done.frames)
        if said.done.over:
            return
