"""The verbs that write: `play`, `undo`, `redo`, `overrule`, `modify`, `adjust`."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from ledger.commands import Adjust, ApplyModifier, Overrule
from ledger.dice import parse
from ledger.entry import Entry
from ledger.stores import name_of_ledger
from machines.engine.adjustments import free_condition
from replays.api.run_script import keep, perform
from replays.api.session import Session
from replays.cli import screen
from replays.cli.context import (
    Because,
    CliContext,
    Json,
    Preview,
    Reason,
    Secret,
    SeenBy,
    SessionArgument,
    audience,
    public,
    value,
    worded,
)
from replays.cli.views import correction_view, log_view
from replays.corrections.diff import RollReport, about
from replays.scripts import format as scripts

_NUMBERS = {"ignore_unknown_options": True}
"""Makes ``-10`` a value and not an option."""


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    app.command()(play)
    app.command()(undo)
    app.command()(redo)
    app.command(context_settings=_NUMBERS)(overrule)
    app.command(context_settings=_NUMBERS)(modify)
    app.command(context_settings=_NUMBERS)(adjust)


def play(
    context: typer.Context,
    script: Annotated[str, typer.Argument(help="A path, - for standard input, or a shipped example's name.")],
    json: Json = False,
) -> None:
    """Perform a script with narration, and show the state at the end."""
    cli: CliContext = context.obj
    console = screen.console(json=json)
    name, text = ("standard input", sys.stdin.buffer.read()) if script == "-" else scripts.find_script(script)

    def watch(entry: Entry, session: Session) -> None:
        log_view.entry_lines(console, entry, session.log.state(entry.after))

    performed = perform(scripts.read(text, name), by=cli.who, watch=watch)
    session = keep(performed, cli.store(create=True))
    state = session.state()
    screen.tracker(console, state, session.combat.clock)
    screen.print_line(console, f"kept as session {session.id} in {name_of_ledger(cli.ledger)}")
    if json:
        screen.document(state)


def undo(
    context: typer.Context,
    session: SessionArgument = None,
    to: Annotated[int | None, typer.Option(help="Undo all that follows this entry.")] = None,
    exchange: Annotated[bool, typer.Option("--exchange", help="Undo the whole latest attack or other action.")] = False,
    turn: Annotated[bool, typer.Option("--turn", help="Undo this turn.")] = False,
    round_: Annotated[bool, typer.Option("--round", help="Undo this round.")] = False,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer only reads it
    json: Json = False,
) -> None:
    """Undo the latest step, exchange, turn or round. With --to, undo everything after an entry."""
    cli: CliContext = context.obj
    chosen = [name for name, given in (("exchange", exchange), ("turn", turn), ("round", round_)) if given]
    if len(chosen) + (to is not None) > 1:
        raise typer.BadParameter("choose one of --to, --exchange, --turn, --round")
    opened = cli.session(session)
    before, known_to = opened.log.head, audience(seen_by, secret=secret)
    if to is not None:
        opened.rewind(to, why=why, seen_by=known_to, by=cli.who)
    else:
        opened.undo(chosen[0] if chosen else "step", why=why, seen_by=known_to, by=cli.who)
    _show_state(cli, opened, f"back from entry {before} to entry {opened.log.head}", json=json)


def redo(
    context: typer.Context,
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer only reads it
    json: Json = False,
) -> None:
    """Revert the latest undo. This is possible as long as nothing new was decided since."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    opened.redo(why=why, seen_by=audience(seen_by, secret=secret), by=cli.who)
    _show_state(cli, opened, f"forward to entry {opened.log.head}", json=json)


def overrule(
    context: typer.Context,
    key: Annotated[
        str, typer.Argument(help="The key of the roll or exchange, or a shorthand such as assassin/damage.")
    ],
    figure: Annotated[str, typer.Argument(help="The name of the figure, such as dv, outcome, wounds, target.")],
    text: Annotated[str, typer.Argument(metavar="VALUE")],
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer only reads it
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Replace a figure with the gamemaster's value. What followed is decided anew with the same dice."""
    known_to = audience(seen_by, secret=secret)
    _of_a_roll(
        context.obj, session, Overrule(key, figure, value(text), why, seen_by=known_to), preview=preview, json=json
    )


def modify(
    context: typer.Context,
    key: Annotated[str, typer.Argument(help="The key of the roll, open or thrown, or a shorthand.")],
    amount: Annotated[int, typer.Argument(metavar="VALUE")],
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer only reads it
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Apply a gamemaster's modifier to a roll. Dice that were thrown keep their faces."""
    command = ApplyModifier(key, amount, why, seen_by=audience(seen_by, secret=secret))
    _of_a_roll(context.obj, session, command, preview=preview, json=json)


def _of_a_roll(
    cli: CliContext, session: str | None, command: Overrule | ApplyModifier, *, preview: bool, json: bool
) -> None:
    """Previews a command on a roll; or writes it, and shows which roll it was."""
    opened = cli.session(session)
    if preview:
        _show(opened.preview_roll(command, by=cli.who), json=json)
        return
    worded(command.why)
    entries = opened.perform_all(command, by=cli.who)
    _show_roll(screen.console(json=json), opened, entries)
    _show_entries(cli, opened, entries, json=json)


def _show(report: RollReport | None, *, json: bool) -> None:
    if json:
        screen.document(report)
    elif report is None:
        screen.print_line(screen.console(json=json), "the roll is still open: nothing follows from it yet")
    else:
        correction_view.report(screen.console(json=json), report)


def _show_roll(console: Console, session: Session, entries: list[Entry]) -> None:
    """Shows which roll was meant, with its roller and purpose."""
    command = next(entry.command for entry in entries if isinstance(entry.command, Overrule | ApplyModifier))
    events = [(entry.seq, event) for entry in entries for event in entry.events]
    by, purpose = about(command.key, events, session.log.state(entries[0].after))
    screen.print_line(console, f"{by}'s {command.key}: {purpose}")


def adjust(
    context: typer.Context,
    who: Annotated[str, typer.Argument(help="The combatant.")],
    what: Annotated[
        str, typer.Argument(help="What to set: tracks.NAME, wounds, resources.NAME, initiative, conditions.NAME.")
    ],
    text: Annotated[str, typer.Argument(metavar="VALUE", help="A number; none ends a condition.")],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    json: Json = False,
) -> None:
    """Set a value without a rule."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    adjusted = None if text.lower() == "none" else value(text)
    entry = opened.perform(Adjust(who, what, adjusted, why), by=cli.who)
    remark = free_condition(opened.game, what)
    if remark:
        screen.print_line(screen.console(json=json), remark)
    _show_entries(cli, opened, [entry], json=json)


def _show_entries(cli: CliContext, session: Session, entries: list[Entry], *, json: bool) -> None:
    console = screen.console(json=json)
    for entry in entries:
        log_view.entry_lines(console, entry, session.log.state(entry.after))
    _show_unused(console, session, entries)
    _show_state(cli, session, "", json=json)


def _show_unused(console: Console, session: Session, entries: list[Entry]) -> None:
    """Shows which old entries a correction does not use, and how to undo it."""
    timeline = session.log.timeline
    before = timeline.head_at(entries[0].seq - 1)
    again = {entry.origin for entry in entries} | set(timeline.line())
    left = [seq for seq in timeline.line(before) if seq not in again]
    waiting = {entry.seq for entry in session.waiting.entries()}
    waits, unused = [str(seq) for seq in left if seq in waiting], [str(seq) for seq in left if seq not in waiting]
    if waits:
        screen.print_line(console, f"wait for the answers that are asked for now: entries {', '.join(waits)}")
    for rest in session.rests:
        lie = len(session.waiting.known_faces(rest))
        if lie:
            missing = len(parse(rest.dice).sides) - lie
            screen.print_line(console, f"{rest.key}: {lie} faces are known already, {missing} more are needed")
    if unused:
        screen.print_line(console, f"not performed again, because no longer asked for: entries {', '.join(unused)}")
    if len(entries) > 1:
        screen.print_line(console, f"undo reverts all of it, back to entry {before}")


def _show_state(cli: CliContext, session: Session, words: str, *, json: bool) -> None:
    console = screen.console(json=json)
    eyes = cli.eyes(session)
    state = session.state(eyes=eyes)
    if words:
        screen.print_line(console, words)
    screen.tracker(console, state, session.seen(eyes).clock, public(session, eyes))
    if json:
        screen.document(state)
