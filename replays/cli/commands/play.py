"""Verbs that write: playing, rewinding, and the gamemaster's word."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from ledger.commands import Adjust, ApplyModifier, Overrule
from ledger.dice import parse
from ledger.entry import Entry
from machines.engine.adjustments import free_condition
from replays.api.run_script import keep, perform
from replays.api.session import Session
from replays.cli import correction_view, screen
from replays.cli.context import (
    Because,
    Door,
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
from replays.corrections.diff import RollReport, about
from replays.scripts import format as scripts

_NUMBERS = {"ignore_unknown_options": True}
"""So that ``-10`` is a value and not an option."""


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
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
    """Perform a script with narration and tracker; ends with the state."""
    door: Door = context.obj
    console = screen.people(json=json)
    name, text = ("standard input", sys.stdin.buffer.read()) if script == "-" else scripts.find_script(script)

    def watch(entry: Entry, session: Session) -> None:
        screen.entry_lines(console, entry, session.log.state(entry.after))

    performed = perform(scripts.read(text, name), by=door.who, watch=watch)
    session = keep(performed, door.store(create=True))
    state = session.state()
    screen.tracker(console, state, session.combat.clock)
    screen.say(console, f"kept as session {session.id} in {door.ledger}")
    if json:
        screen.document(state)


def undo(
    context: typer.Context,
    session: SessionArgument = None,
    to: Annotated[int | None, typer.Option(help="The entry that is the last to stand.")] = None,
    exchange: Annotated[bool, typer.Option("--exchange", help="The latest attack or other action, whole.")] = False,
    turn: Annotated[bool, typer.Option("--turn", help="Back to where this turn began.")] = False,
    round_: Annotated[bool, typer.Option("--round", help="Back to where this round began.")] = False,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer reads it only
    json: Json = False,
) -> None:
    """Take back the latest step, exchange, turn or round, or everything after an entry."""
    door: Door = context.obj
    chosen = [name for name, given in (("exchange", exchange), ("turn", turn), ("round", round_)) if given]
    if len(chosen) + (to is not None) > 1:
        raise typer.BadParameter("choose one of --to, --exchange, --turn, --round")
    opened = door.session(session)
    before, known_to = opened.log.head, audience(seen_by, secret=secret)
    if to is not None:
        opened.rewind(to, why=why, seen_by=known_to, by=door.who)
    else:
        opened.undo(chosen[0] if chosen else "step", why=why, seen_by=known_to, by=door.who)
    _say_state(door, opened, f"back from entry {before} to entry {opened.log.head}", json=json)


def redo(
    context: typer.Context,
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer reads it only
    json: Json = False,
) -> None:
    """Take the latest undo back, while nothing new was decided."""
    door: Door = context.obj
    opened = door.session(session)
    opened.redo(why=why, seen_by=audience(seen_by, secret=secret), by=door.who)
    _say_state(door, opened, f"forward again to entry {opened.log.head}", json=json)


def overrule(
    context: typer.Context,
    key: Annotated[str, typer.Argument(help="Of the roll or exchange; a shorthand such as assassin/damage will do.")],
    figure: Annotated[str, typer.Argument(help="Such as dv, outcome, wounds, target.")],
    says: Annotated[str, typer.Argument(metavar="VALUE")],
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer reads it only
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Put the gamemaster's word in the place of one figure; what followed is decided again with the same dice."""
    known_to = audience(seen_by, secret=secret)
    _of_a_roll(
        context.obj, session, Overrule(key, figure, value(says), why, seen_by=known_to), preview=preview, json=json
    )


def modify(
    context: typer.Context,
    key: Annotated[str, typer.Argument(help="Of the roll, open or thrown; a shorthand will do.")],
    amount: Annotated[int, typer.Argument(metavar="VALUE")],
    session: SessionArgument = None,
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006  typer reads it only
    preview: Preview = False,
    json: Json = False,
) -> None:
    """Apply a gamemaster's modifier to a roll; dice that lie stay as they lie."""
    command = ApplyModifier(key, amount, why, seen_by=audience(seen_by, secret=secret))
    _of_a_roll(context.obj, session, command, preview=preview, json=json)


def _of_a_roll(
    door: Door, session: str | None, command: Overrule | ApplyModifier, *, preview: bool, json: bool
) -> None:
    """Shows what it would come to; or writes it, and says which roll it was."""
    opened = door.session(session)
    if preview:
        _show(opened.preview_roll(command, by=door.who), json=json)
        return
    worded(command.why)
    entries = opened.perform_all(command, by=door.who)
    _say_whose(screen.people(json=json), opened, entries)
    _say_again(door, opened, entries, json=json)


def _show(report: RollReport | None, *, json: bool) -> None:
    if json:
        screen.document(report)
    elif report is None:
        screen.say(screen.people(json=json), "the roll is still open: nothing has come of it yet")
    else:
        correction_view.report(screen.people(json=json), report)


def _say_whose(console: Console, session: Session, entries: list[Entry]) -> None:
    """Which roll was meant: whose, and what for."""
    command = next(entry.command for entry in entries if isinstance(entry.command, Overrule | ApplyModifier))
    told = [(entry.seq, event) for entry in entries for event in entry.events]
    by, purpose = about(command.key, told, session.log.state(entries[0].after))
    screen.say(console, f"{by}'s {command.key}: {purpose}")


def adjust(
    context: typer.Context,
    who: Annotated[str, typer.Argument()],
    what: Annotated[str, typer.Argument(help="tracks.NAME, wounds, resources.NAME, initiative, conditions.NAME.")],
    says: Annotated[str, typer.Argument(metavar="VALUE", help="A number; none ends a condition.")],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    json: Json = False,
) -> None:
    """Set something without a rule."""
    door: Door = context.obj
    opened = door.session(session)
    said = None if says.lower() == "none" else value(says)
    entry = opened.perform(Adjust(who, what, said, why), by=door.who)
    remark = free_condition(opened.game, what)
    if remark:
        screen.say(screen.people(json=json), remark)
    _say_again(door, opened, [entry], json=json)


def _say_again(door: Door, session: Session, entries: list[Entry], *, json: bool) -> None:
    console = screen.people(json=json)
    for entry in entries:
        screen.entry_lines(console, entry, session.log.state(entry.after))
    _say_left(console, session, entries)
    _say_state(door, session, "", json=json)


def _say_left(console: Console, session: Session, entries: list[Entry]) -> None:
    """What a correction left behind, and how to take it back."""
    timeline = session.log.timeline
    before = timeline.head_at(entries[0].seq - 1)
    again = {entry.origin for entry in entries} | set(timeline.line())
    left = [seq for seq in timeline.line(before) if seq not in again]
    waiting = {entry.seq for entry in session.waiting.entries()}
    waits, unused = [str(seq) for seq in left if seq in waiting], [str(seq) for seq in left if seq not in waiting]
    if waits:
        screen.say(console, f"waits for what the table is asked now: entries {', '.join(waits)}")
    for rest in session.rests:
        lie = len(session.waiting.known_faces(rest))
        if lie:
            missing = len(parse(rest.dice).sides) - lie
            screen.say(console, f"{rest.key}: {lie} faces lie already, {missing} more are needed beside them")
    if unused:
        screen.say(console, f"not performed again, because nothing asks for it now: entries {', '.join(unused)}")
    if len(entries) > 1:
        screen.say(console, f"undo takes all of it back, to entry {before}")


def _say_state(door: Door, session: Session, words: str, *, json: bool) -> None:
    console = screen.people(json=json)
    eyes = door.eyes(session)
    state = session.state(eyes=eyes)
    if words:
        screen.say(console, words)
    screen.tracker(console, state, session.seen(eyes).clock, public(session, eyes))
    if json:
        screen.document(state)
