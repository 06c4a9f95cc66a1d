"""The loop of the interactive table, at a terminal or at a pipe: shows the question, reads a line, shows the result."""

import io
import sys
from collections.abc import Callable, Mapping
from functools import partial

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from ledger.stores import Store, name_of_ledger
from replays.api.session import Session
from replays.cli import board, narration, screen
from replays.cli.context import CliContext
from replays.cli.tracker import Tracker, pinned
from replays.cli.views.flips_view import flipped
from replays.cli.views.result_view import first_odds, wrapped
from replays.table import settings, start
from replays.table.done import LineResult
from replays.table.language.questions import Question
from replays.table.start import NewFight
from replays.table.table import Table

Reader = Callable[[str, str], str | None]
"""(prompt, start of the line) -> line; None if another person wrote meanwhile; EOFError at the end of the input."""


class FightOptions(msgspec.Struct, frozen=True):
    """The options of `affray fight`."""

    ruleset: str
    session: str | None
    bring: tuple[str, ...]
    sides: tuple[str, ...]
    new: bool
    title: str
    profile: str
    options: tuple[str, ...]
    dice: str
    defaults: str


def open_table(cli: CliContext, given: FightOptions) -> None:
    """Opens a session and plays until the person quits.

    Raises:
        Refused: The session cannot be found or created.
    """
    dice = _setting(given.dice, settings.DICE, "--dice")
    defaults = _setting(given.defaults, settings.DEFAULTS, "--defaults")
    wanted = NewFight(given.title, given.profile, dict(start.option(each) for each in given.options))
    if given.session is not None and (given.new or wanted.is_given):
        raise typer.BadParameter("--new, --title, --profile and --option are for a new session")
    console = screen.console(json=False)
    opened, is_resumed = _session(cli, given, wanted)
    about = "resuming" if is_resumed else "session"
    screen.print_line(console, f"{about} {opened.id}: {opened.combat.session.title} ({opened.combat.session.profile})")
    table = Table(opened, cli.who)
    table.keep(dice=dice, defaults=defaults)
    table.first_odds = partial(first_odds, console) if console.is_terminal else None
    play(console, table, *_reader(table))
    table.leave()
    resume = f"affray fight {given.ruleset}"
    paragraph = wrapped if console.is_terminal else screen.print_line
    paragraph(console, f"entry {opened.log.head} of {opened.id} in {name_of_ledger(cli.ledger)}; {resume} resumes it")


def _setting(word: str, known: Mapping[str, str], option: str) -> str:
    """Returns the setting that an option means; empty if it was not given."""
    found = settings.OTHER_WORDS.get(word, word)
    if found and found not in known:
        raise typer.BadParameter(f"{found!r} is not one of {', '.join(known)}", param_hint=option)
    return found


def _session(cli: CliContext, given: FightOptions, wanted: NewFight) -> tuple[Session, bool]:
    """Returns the session, and whether it existed before."""
    store: Store = cli.store(create=given.session is None)
    found = start.resume(store, given.session, given.ruleset) if given.session is not None else None
    if found is None and not given.new and not wanted.is_given:
        found = start.latest(store, given.ruleset)
    if found is None:
        chosen = choose_profile(given.ruleset, wanted)
        created = start.create(store, given.ruleset, chosen, given.bring, cli.who, sides=given.sides)
        name_profile(given.ruleset, chosen)
        return created, False
    start.add_combatants(found, given.bring, cli.who, sides=given.sides)
    return found, True


def choose_profile(game: str, wanted: NewFight, ask: Callable[[str], str] | None = None) -> NewFight:
    """Asks at a terminal for the profile of a new fight where none was named, and proposes one.

    Without a terminal the rules are played as printed, so that scripts keep their meaning.

    Args:
        game: The ruleset.
        wanted: The new fight.
        ask: Reads the answer to a prompt; None for the terminal, where there is one.

    Raises:
        UnknownRuleset: There is no such game.
    """
    names = start.profiles(game)
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not names or wanted.profile or not (ask or is_terminal):
        return wanted
    proposed, printed = names[:2]
    print(f"{proposed}: what a sensible table plays; {printed}: as printed.")
    print(f"`affray rules {game} profiles` compares them.")
    name = (ask or input)(f"profile [{proposed}]> ").strip()
    while name and name not in names:
        name = (ask or input)(f"profile, one of {', '.join(names)} [{proposed}]> ").strip()
    return msgspec.structs.replace(wanted, profile=name or proposed)


def name_profile(game: str, created: NewFight) -> None:
    """Names the proposed profile on standard error, where a fight was created as printed because none was named."""
    names = start.profiles(game)
    if names and not created.profile:
        proposed, printed = names[:2]
        print(f"profile {printed}, as printed; --profile {proposed}: as a sensible table plays it", file=sys.stderr)


def _reader(table: Table) -> tuple[Reader, Callable[[], bool]]:
    """Returns what reads a line, and whether the combatants stay below its prompt."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from replays.cli import terminal  # noqa: PLC0415  a pipe needs no keyboard

        reader = terminal.LineReader(table, lambda columns, lines: bottom(table, columns, lines))
        return reader, lambda: reader.keeps_tracker
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return piped, lambda: False


def piped(prompt: str, _: str = "") -> str:
    """Reads a line from standard input and echoes it after the prompt, as a terminal would.

    Raises:
        EOFError: The input has ended.
    """
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(prompt + line.rstrip("\r\n"))
    return line


def toolbar(table: Table) -> str:
    """Returns the text of the bottom line of the screen."""
    combat = table.seen
    active = combat.turn.who if combat.clock.fighting else None
    moment = f" · {combat.roster.name(active)} acts" if active else ""
    entry = f"entry {table.session.log.head} · dice {table.dice}, defaults {table.defaults}"
    words = f" {combat.session.title} · {screen.moment(combat.clock)}{moment} · {entry} · Tab, help, undo, quit"
    return "".join(letter for letter in words if letter.isprintable())


def bottom(table: Table, columns: int, lines: int) -> str:
    """Returns what stays at the bottom of a terminal: a line about the fight, and the combatants.

    Args:
        table: The table.
        columns: The width of the terminal.
        lines: The height of the terminal.
    """
    printed = io.StringIO()
    console = Console(file=printed, width=columns, height=lines, force_terminal=True, highlight=False, emoji=False)
    about = toolbar(table)
    while len(about) > columns and " · " in about:
        about = about.rpartition(" · ")[0]
    console.print(Text(about[:columns].ljust(columns), style="reverse"), end="")
    for row in pinned(table, columns, lines):
        console.print(Text("\n") + row, no_wrap=True, crop=True, end="")
    return printed.getvalue()


def play(console: Console, table: Table, read: Reader, keeps_tracker: Callable[[], bool] = lambda: False) -> None:
    """Shows questions and executes lines until the person quits.

    Args:
        console: The console to print to.
        table: The table.
        read: Reads a line.
        keeps_tracker: Returns whether the combatants stay below the prompt, so that they need not be printed.
    """
    display, kept = _Display(console, table, keeps_tracker), ""
    while True:
        question = display.ask()
        try:
            line = read(board.prompt(table, question), kept)
        except KeyboardInterrupt:
            table.forget()
            line = None
        except EOFError:
            return
        kept = ""
        if line is not None:
            result = display.submit(line)
            kept = result.kept.strip()
            if result.done.over:
                return


class _Display:
    """What a person sees of a table: what happened, the combatants, what a correction changed, the question.

    Args:
        console: The console to print to.
        table: The table.
        keeps_tracker: Returns whether the combatants stay below the prompt.
    """

    def __init__(self, console: Console, table: Table, keeps_tracker: Callable[[], bool]) -> None:
        self._console = console
        self._table = table
        self._keeps_tracker = keeps_tracker
        self._tracker = Tracker(table)
        self._shown = -1
        """The last entry when a question was shown."""
        self._is_asked_anew = self._is_hinted = False
        self._flips: list[str] = []
        """What the last line changed by a correction."""

    def ask(self) -> Question:
        """Shows what others wrote, and the question if it may be another one; returns the question."""
        console, table = self._console, self._table
        news = table.news()
        if news:
            screen.print_line(console, "meanwhile:")
            narration.entries(console, table, news)
        question = table.question()
        is_new = table.session.log.last != self._shown
        if is_new and not self._keeps_tracker():
            self._tracker.show(console, is_corrected=bool(self._flips))
        for line in self._flips:
            wrapped(console, line)
        if not table.asks and (is_new or self._is_asked_anew):
            board.show_question(console, table, question)
        self._hint_outside()
        self._shown, self._is_asked_anew, self._flips = table.session.log.last, False, []
        return question

    def submit(self, line: str) -> LineResult:
        """Executes a line and shows its result; what a correction changed is kept for the next question."""
        head = self._table.session.log.head
        result = self._table.submit(line)
        self._flips = flipped(self._table, head, result.entries)
        narration.line_result(self._console, self._table, result, len(self._flips))
        self._is_asked_anew = bool(result.done.shows or result.done.why or result.done.frames)
        return result

    def _hint_outside(self) -> None:
        """Shows once after a fight what can be declared outside of one."""
        clock = self._table.seen.clock
        if not clock.fighting and clock.round and not self._is_hinted:
            board.outside(self._console, self._table)
        self._is_hinted = not clock.fighting and bool(clock.round)
