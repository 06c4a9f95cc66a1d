"""Verbs that audit and dispute: audit, dispute, settle, disputes, rulings."""

import re
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from ledger.commands import OpenDispute, SettleDispute
from ledger.errors import Broken, Damaged, Unreadable
from machines.engine.dispute_rules import RULINGS
from replays.audit.audit import Audit
from replays.audit.dice_proof import DiceBroken
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.counterfactual import Alternative
from replays.audit.disputes.precedents import Precedent, search
from replays.audit.disputes.register import disputed, opened_in
from replays.cli import audit_view, screen
from replays.cli.context import Because, Door, Json, No, SessionArgument
from replays.sessions.lookup import find_session

_DIGEST = re.compile("[0-9a-f]{64}")
SessionOption = Annotated[str | None, typer.Option("--session", help="Its id; left out, the latest.")]


def add_to(app: typer.Typer) -> None:
    """Add these verbs."""
    for verb in (audit, dispute, settle, disputes, rulings):
        app.command()(verb)


def audit(
    context: typer.Context,
    session: SessionArgument = None,
    head: Annotated[str | None, typer.Option(help="A digest that must be part of the log.")] = None,
    json: Json = False,
) -> None:
    """Audit a session: the chain, the dice, every roll's sum, and what people decided beside the rules."""
    door: Door = context.obj
    if head is not None and not _DIGEST.fullmatch(head.lower()):
        raise typer.BadParameter("a digest is 64 digits of 0-9 and a-f", param_hint="--head")
    try:
        opened = door.session(session)
        found = opened.audit(head, door.eyes(opened))
    except (Broken, Damaged, Unreadable) as error:
        raise No(error) from error
    if json:
        plain = msgspec.to_builtins(found)
        screen.document({"sound": found.is_sound, **plain})
    else:
        audit_view.report(screen.people(json=json), found)
    if not found.is_sound:
        raise No(_broken(found))


def _broken(found: Audit) -> Broken | DiceBroken:
    if not found.chain.holds:
        return Broken(found.chain.problem, seq=found.entries)
    return DiceBroken("; ".join(found.dice.problems), where="dice")


def dispute(
    context: typer.Context,
    about: Annotated[str, typer.Argument(metavar="KEY", help="A roll or exchange, an entry's number, or WHO.WHAT.")],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    claim: Annotated[
        str, typer.Option("--claim", help='What should be: words, figure NAME = VALUE, terms.range = "short", or drop.')
    ] = "",
    json: Json = False,
) -> None:
    """Challenge a roll, a figure or an entry; shows the evidence, and what would come of the claim."""
    door: Door = context.obj
    opened = door.session(session)
    entry = opened.perform(OpenDispute(about, why, claim), by=door.who)
    _show(opened.dispute(opened_in(entry.events), door.eyes(opened)), json=json)


def settle(
    context: typer.Context,
    id_: Annotated[str, typer.Argument(metavar="DISPUTE", help="Such as d1.")],
    ruling: Annotated[str, typer.Argument(help=", ".join(RULINGS))],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    entry: Annotated[
        int | None, typer.Option("--entry", metavar="N", help="The entry that amended or overruled.")
    ] = None,
    json: Json = False,
) -> None:
    """Decide a dispute; it becomes a precedent of the table."""
    door: Door = context.obj
    opened = door.session(session)
    opened.perform(SettleDispute(id_, ruling, why, entry), by=door.who)
    found = disputed(opened.log, door.eyes(opened))[id_]
    if json:
        screen.document(found)
    else:
        screen.people(json=json).print(audit_view.disputed(found))


def disputes(
    context: typer.Context,
    id_: Annotated[str | None, typer.Argument(metavar="[DISPUTE]", help="One of them, with its evidence.")] = None,
    session: SessionOption = None,
    json: Json = False,
) -> None:
    """List the disputes of a session, open and settled; or show one with its evidence."""
    door: Door = context.obj
    opened = door.session(session)
    eyes = door.eyes(opened)
    if id_ is not None:
        _show(opened.dispute(id_, eyes), json=json)
        return
    found = opened.disputes(eyes)
    if json:
        screen.document(found)
        return
    console = screen.people(json=json)
    for one in found:
        console.print(audit_view.disputed(one))
    if not found:
        screen.say(console, "no dispute yet")


def rulings(
    context: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]", help="Each must be in it.")] = None,
    session: SessionOption = None,
    everywhere: Annotated[bool, typer.Option("--all-sessions", help="Of the whole ledger.")] = False,
    json: Json = False,
) -> None:
    """Search the table's precedents: settled disputes and overruled figures."""
    door: Door = context.obj
    store = door.store()
    sessions = None if everywhere else [find_session(store, session)]
    found = list(search(store, words or (), sessions, door.who))
    if json:
        screen.document(found)
        return
    console = screen.people(json=json)
    for one in found:
        _precedent(console, one)
    if not found:
        screen.say(console, "no ruling" + (" has these words" if words else " yet"))


def _precedent(console: Console, one: Precedent) -> None:
    where = f"{one.session} entry {one.entry}, {one.by}, {one.at[:16]}, {one.ruleset}"
    gone = "" if one.stands or one.kind == "dispute" else ", no longer stands"
    console.print(f"[bold]{screen.safe(one.about)}[/]  {screen.safe(one.ruling)}: {screen.safe(one.why)}")
    if one.challenge:
        claim = f"; claimed: {one.claim}" if one.claim else ""
        console.print(f"    {screen.safe(f'disputed: {one.challenge}{claim}')}")
    console.print(f"    [dim]{screen.safe(where)}{gone}[/]")


# ------------------------------------------------------------------------------------------------ one dispute


def _show(found: Dispute, *, json: bool) -> None:
    if json:
        screen.document(found)
        return
    console = screen.people(json=json)
    what = found.challenge
    console.print(f"[bold]{screen.safe(f'{what.dispute}: {what.about}')}[/]  {screen.safe(what.why)}")
    for each in found.evidence.explained:
        screen.explanation(console, each)
    for die in found.evidence.dice:
        faces = " ".join(map(str, die.faces)) or "out of sight"
        how = ", ".join(dict.fromkeys(die.provenance))
        gone = "" if die.stands else ", no longer stands"
        screen.say(console, f"dice {faces} ({how}) for {die.key}: entry {die.entry}, {die.by}{gone}")
    if found.alternative is not None:
        _alternative(console, what.claim, found.alternative)
    elif what.claim:
        screen.say(console, f"claimed: {what.claim}")
    if found.settlement is not None:
        end = found.settlement
        screen.say(console, f"{end.ruling}: {end.why} (entry {end.entry}, {end.by})")
    else:
        rulings_ = " or ".join(RULINGS)
        screen.say(console, f"open: affray settle {what.dispute} {rulings_} --why …")


def _alternative(console: Console, claim: str, other: Alternative) -> None:
    console.print(f"[bold]Were it as claimed[/]  {screen.safe(claim)}")
    if other.refused:
        screen.say(console, f"  it cannot be: {other.refused}")
    for flip in other.flips:
        screen.say(console, f"  {flip.about}: {flip.before or 'not made'} → {flip.after or 'not made'}  [{flip.key}]")
    for shift in other.shifts:
        name = f"{shift.who}.{shift.what}" if shift.who else shift.what
        screen.say(console, f"  {name}: {shift.before} → {shift.after}")
    for need in other.needs_a_person:
        screen.say(console, f"  waits for {need.by}: {need.purpose} {need.dice or ', '.join(need.options)}")
    if other.changes_nothing:
        screen.say(console, "  nothing would be otherwise")
