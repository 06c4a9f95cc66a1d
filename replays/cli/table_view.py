"""The table at a terminal, or at a pipe: sitting down, asking and answering until somebody quits."""

import io
import sys
from collections.abc import Callable

import msgspec
import typer
from rich.console import Console

from ledger.stores import Store
from replays.api.session import Session
from replays.cli import board, screen
from replays.cli.context import Door
from replays.table import start
from replays.table.start import New
from replays.table.table import Table
from replays.table.verbs import DICE, OTHER_WORDS

Reader = Callable[[str, str], str | None]
"""(prompt, a line to begin with) -> a line; None where somebody else wrote meanwhile; EOFError where none is left."""


class Said(msgspec.Struct, frozen=True):
    """What the command line said."""

    ruleset: str
    session: str | None
    bring: tuple[str, ...]
    new: bool
    title: str
    profile: str
    options: tuple[str, ...]
    dice: str


def sit(door: Door, said: Said) -> None:
    """Sit down, and play until somebody quits.

    Raises:
        Refused: The session cannot be found, or not be set up.
    """
    dice = OTHER_WORDS.get(said.dice, said.dice)
    if dice not in DICE:
        raise typer.BadParameter(f"{dice!r} is none of {', '.join(DICE)}", param_hint="--dice")
    wanted = New(said.title, said.profile, dict(start.option(each) for each in said.options))
    if said.session is not None and (said.new or wanted.says_something):
        raise typer.BadParameter("--new, --title, --profile and --option are for a new session")
    console = screen.people(json=False)
    opened, goes_on = _seat(door, said, wanted)
    about = "going on with" if goes_on else "session"
    screen.say(console, f"{about} {opened.id}: {opened.combat.session.title} ({opened.combat.session.profile})")
    table = Table(opened, door.who, dice)
    play(console, table, _reader(table))
    again = f"affray fight {said.ruleset}"
    screen.say(console, f"entry {opened.log.head} of {opened.id} in {door.ledger}; {again} goes on with it")


def _seat(door: Door, said: Said, wanted: New) -> tuple[Session, bool]:
    """The session, and whether it was there."""
    store: Store = door.store(create=said.session is None)
    found = start.go_on(store, said.session, said.ruleset) if said.session is not None else None
    if found is None and not said.new and not wanted.says_something:
        found = start.latest(store, said.ruleset)
    if found is None:
        return start.begin(store, said.ruleset, choose_profile(said.ruleset, wanted), said.bring, door.who), False
    start.bring_in(found, said.bring, door.who)
    return found, True


def choose_profile(game: str, wanted: New, ask: Callable[[str], str] | None = None) -> New:
    """Proposes the profile of a new fight where none was named.

    At a terminal it is a question. Without one the rules are played as printed, and a line on standard error names the
    other profile, so that scripts keep their meaning.

    Args:
        game: The ruleset.
        wanted: The new fight.
        ask: Reads the answer to a prompt; None for the terminal, where there is one.

    Raises:
        UnknownRuleset: There is no such game.
    """
    names = start.profiles(game)
    if not names or wanted.profile:
        return wanted
    proposed, printed = names[:2]
    if ask is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(f"profile {printed}, as printed; --profile {proposed}: as a sensible table plays it", file=sys.stderr)
        return wanted
    print(
        f"{proposed}: what a sensible table plays. {printed}: as printed. `affray rules {game} profiles` compares them."
    )
    name = (ask or input)(f"profile [{proposed}]> ").strip()
    while name and name not in names:
        name = (ask or input)(f"profile, one of {', '.join(names)} [{proposed}]> ").strip()
    return msgspec.structs.replace(wanted, profile=name or proposed)


def _reader(table: Table) -> Reader:
    if sys.stdin.isatty() and sys.stdout.isatty():
        from replays.cli import terminal  # noqa: PLC0415  a pipe needs no keyboard

        return terminal.Lines(table, lambda: toolbar(table))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return piped


def piped(prompt: str, _: str = "") -> str:
    """Reads a line from standard input, and says it again: what comes out reads like an evening at the table.

    Raises:
        EOFError: There is none left.
    """
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(prompt + line.rstrip("\r\n"))
    return line


def toolbar(table: Table) -> str:
    """The bottom of the screen."""
    combat = table.seen
    active = combat.turn.who if combat.clock.fighting else None
    moment = f" · {combat.roster.name(active)} acts" if active else ""
    entry = f"entry {table.session.log.head} · dice {table.dice}"
    words = f" {combat.session.title} · {screen.moment(combat.clock)}{moment} · {entry} · Tab, help, undo, quit"
    return "".join(letter for letter in words if letter.isprintable())


def play(console: Console, table: Table, read: Reader) -> None:
    """Ask and answer until somebody quits."""
    shown, again, kept, told = -1, False, "", False
    while True:
        news = table.news()
        if news:
            screen.say(console, "meanwhile:")
            board.entries(console, table, news)
        asked = table.question()
        if table.session.log.last != shown:
            board.tracker(console, table)
        if not table.asks and (table.session.log.last != shown or again):
            board.question(console, table, asked)
        told = _tell_outside(console, table, told)
        shown, again = table.session.log.last, False
        try:
            line = read(board.prompt(table, asked), kept)
        except KeyboardInterrupt:
            table.forget()
            kept = ""
            continue
        except EOFError:
            return
        if line is None:
            kept = ""
            continue
        said = table.say(line)
        kept = said.kept.strip()
        board.reply(console, table, said)
        again = bool(said.done.shows or said.done.why or said.done.frames)
        if said.done.over:
            return


def _tell_outside(console: Console, table: Table, told: bool) -> bool:
    """Say once after a fight what can be done outside of one; returns whether it was said."""
    clock = table.seen.clock
    if clock.fighting:
        return False
    if clock.round and not told:
        board.outside(console, table)
    return told or bool(clock.round)
