"""Displays disputes with their evidence, and rulings that are precedents of the table."""

from collections.abc import Iterable

from rich.console import Console

from machines.engine.dispute_rules import RULINGS
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.counterfactual import Alternative
from replays.audit.disputes.precedents import Precedent
from replays.audit.disputes.register import Disputed
from replays.cli import screen
from replays.cli.views import audit_view, log_view

_AT_THE_TABLE, _ON_THE_COMMAND_LINE = "settle {} {} WHY", "affray settle {} {} --why …"
"""How a dispute is decided."""


def dispute_at_table(console: Console, found: Dispute) -> None:
    """Shows a dispute at the table, where it is decided by a word of the table."""
    dispute(console, found, _AT_THE_TABLE)


def dispute(console: Console, found: Dispute, deciding: str = _ON_THE_COMMAND_LINE) -> None:
    """Shows a dispute with its evidence, and the consequences of its claim.

    Args:
        console: Where it is shown.
        found: The dispute.
        deciding: How it is decided, with a place for the dispute and one for the rulings.
    """
    what = found.challenge
    console.print(f"[bold]{screen.safe(f'{what.dispute}: {what.about}')}[/]  {screen.safe(what.why)}")
    for each in found.evidence.explained:
        log_view.explanation(console, each)
    for die in found.evidence.dice:
        faces = " ".join(map(str, die.faces)) or "out of sight"
        how = ", ".join(dict.fromkeys(die.provenance))
        gone = "" if die.stands else ", no longer stands"
        screen.print_line(console, f"dice {faces} ({how}) for {die.key}: entry {die.entry}, {die.by}{gone}")
    if found.alternative is not None:
        _alternative(console, what.claim, found.alternative)
    elif what.claim:
        screen.print_line(console, f"claimed: {what.claim}")
    if found.settlement is not None:
        end = found.settlement
        screen.print_line(console, f"{end.ruling}: {end.why} (entry {end.entry}, {end.by})")
    else:
        rulings_ = " or ".join(RULINGS)
        screen.print_line(console, f"open: {deciding.format(what.dispute, rulings_)}")


def listed(console: Console, found: Iterable[Disputed]) -> None:
    """Shows a line or two for each dispute."""
    lines = [audit_view.disputed(each) for each in found]
    for line in lines or ["the session has no disputes"]:
        console.print(line)


def precedents(console: Console, found: Iterable[Precedent], is_searched: bool) -> None:
    """Shows rulings, each with its challenge and its place.

    Args:
        console: Where they are shown.
        found: The rulings.
        is_searched: Whether only those with certain words were looked for.
    """
    rulings = list(found)
    for each in rulings:
        _precedent(console, each)
    if not rulings:
        screen.print_line(console, "no ruling contains these words" if is_searched else "no ruling yet")


def _precedent(console: Console, one: Precedent) -> None:
    where = f"{one.session} entry {one.entry}, {one.by}, {one.at[:16]}, {one.ruleset}"
    gone = ", no longer stands" if one.is_set_aside else ""
    console.print(f"[bold]{screen.safe(one.about)}[/]  {screen.safe(one.ruling)}: {screen.safe(one.why)}")
    if one.challenge:
        claim = f"; claimed: {one.claim}" if one.claim else ""
        console.print(f"    {screen.safe(f'disputed: {one.challenge}{claim}')}")
    console.print(f"    [dim]{screen.safe(where)}{gone}[/]")


def _alternative(console: Console, claim: str, other: Alternative) -> None:
    console.print(f"[bold]If the claim were true[/]  {screen.safe(claim)}")
    if other.refused:
        screen.print_line(console, f"  not possible: {other.refused}")
    for flip in other.flips:
        screen.print_line(
            console, f"  {flip.about}: {flip.before or 'not made'} → {flip.after or 'not made'}  [{flip.key}]"
        )
    for shift in other.shifts:
        name = f"{shift.who}.{shift.what}" if shift.who else shift.what
        screen.print_line(console, f"  {name}: {shift.before} → {shift.after}")
    for need in other.needs_a_person:
        screen.print_line(console, f"  waits for {need.by}: {need.purpose} {need.dice or ', '.join(need.options)}")
    if other.changes_nothing:
        screen.print_line(console, "  nothing would change")
