"""The verbs of audits and disputes: `audit`, `dispute`, `settle`, `disputes`, `rulings`."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from ledger.commands import OpenDispute, SettleDispute
from ledger.errors import Broken, Damaged, Refused, Unreadable
from machines.engine.dispute_rules import RULINGS
from replays.audit.audit import Audit, AuditInBrief, in_brief
from replays.audit.dice_proof import DiceBroken
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.precedents import search
from replays.audit.disputes.register import disputed, opened_in
from replays.cli import screen
from replays.cli.context import AnswerIsNo, Because, CliContext, Jobs, Json, SessionArgument
from replays.cli.every_session import Auditing, AuditingInBrief, LedgerPlace, Work, on_every_session
from replays.cli.views import audit_view, dispute_view
from replays.cli.views.rehearse_view import counted
from replays.sessions.find_session import find_session

T = TypeVar("T")
_BREAKS = (Broken, Damaged, Unreadable, DiceBroken)
"""Refusals that mean that a session is not what was recorded."""
_DIGEST = re.compile("[0-9a-f]{64}")
SessionOption = Annotated[str | None, typer.Option("--session", help="The id of the session; by default the latest.")]


class SessionsBroken(Refused):
    """Some sessions of the ledger are not what was recorded."""

    slug = "audit/broken"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (audit, dispute, settle, disputes, rulings):
        app.command()(verb)


def audit(
    context: typer.Context,
    session: SessionArgument = None,
    head: Annotated[str | None, typer.Option(help="A digest that must be part of the log.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session of the ledger, in one line each.")] = False,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Audit a session: the chain, the dice, the rolls, the people.

    Shows every roll's sum, and what people decided against or without a rule.
    """
    cli: CliContext = context.obj
    if everything and (session or head):
        raise typer.BadParameter("name a session and a head, or use --all, not both")
    if everything:
        _audit_all(cli, jobs, json=json)
        return
    if head is not None and not _DIGEST.fullmatch(head.lower()):
        raise typer.BadParameter("a digest is 64 digits of 0-9 and a-f", param_hint="--head")
    try:
        opened = cli.session(session)
        found = opened.audit(head, cli.eyes(opened))
    except (Broken, Damaged, Unreadable) as error:
        raise AnswerIsNo(error) from error
    if json:
        plain = msgspec.to_builtins(found)
        screen.document({"sound": found.is_sound, **plain})
    else:
        audit_view.report(screen.console(json=json), found)
    if not found.is_sound:
        raise AnswerIsNo(_broken(in_brief(found)))


def _audit_all(cli: CliContext, jobs: int | None, *, json: bool) -> None:
    """Audits every session; exit code 1 if one is broken, 2 if none could be audited."""
    whole = _on_all(cli, Auditing(cli.who), jobs) if json else {}
    briefs = {name: each if isinstance(each, Refused) else in_brief(each) for name, each in whole.items()}
    found = briefs if json else _on_all(cli, AuditingInBrief(cli.who), jobs)
    console = screen.console(json=json)
    for name, result in found.items():
        screen.print_line(console, audit_view.in_one_line(name, result))
    problems = {name: problem for name, result in found.items() if (problem := _problem(result)) is not None}
    broken = {name: problem for name, problem in problems.items() if isinstance(problem, _BREAKS)}
    sound, others = len(found) - len(problems), len(problems) - len(broken)
    summary = f"{counted(len(found), 'session')}: {sound} sound, {len(broken)} broken, {others} could not be audited"
    screen.print_line(console, summary)
    if json:
        screen.document(_all_as_document(whole) | {"sound": sound, "broken": len(broken), "not_audited": others})
    for name, problem in broken.items():
        raise AnswerIsNo(
            SessionsBroken(f"{summary}; first in session {name}: {problem.message}", where=f"session {name}")
        )
    if problems and len(problems) == len(found):
        raise next(iter(problems.values()))


def _on_all(cli: CliContext, work: Work[T], jobs: int | None) -> Mapping[str, T | Refused]:
    store, ledger = cli.store(), LedgerPlace(cli.ledger, cli.heads)
    return on_every_session(store, ledger, store.sessions(), work, doing="auditing", jobs=jobs)


def _problem(result: AuditInBrief | Refused) -> Refused | None:
    """Returns why a session is not sound, or could not be audited; None where it is sound."""
    if isinstance(result, Refused):
        return result
    return None if result.is_sound else _broken(result)


def _all_as_document(found: Mapping[str, Audit | Refused]) -> dict[str, Any]:
    return {
        "sessions": [
            {"session": name, "audit": None, "problem": screen.refusal(result)}
            if isinstance(result, Refused)
            else {"session": name, "audit": {"sound": result.is_sound, **msgspec.to_builtins(result)}, "problem": None}
            for name, result in found.items()
        ]
    }


def _broken(found: AuditInBrief) -> Broken | DiceBroken:
    if found.chain_problem:
        return Broken(found.chain_problem, seq=found.entries)
    return DiceBroken("; ".join(found.dice_problems), where="dice")


def dispute(
    context: typer.Context,
    about: Annotated[str, typer.Argument(metavar="KEY", help="A roll or exchange, an entry's number, or WHO.WHAT.")],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    claim: Annotated[
        str,
        typer.Option(
            "--claim", help='What should be instead: text, figure NAME = VALUE, terms.range = "short", or drop.'
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Challenge a roll, a figure or an entry. Shows the evidence, and the consequences of the claim."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    entry = opened.perform(OpenDispute(about, why, claim), by=cli.who)
    _show(opened.dispute(opened_in(entry.events), cli.eyes(opened)), json=json)


def settle(
    context: typer.Context,
    id_: Annotated[str, typer.Argument(metavar="DISPUTE", help="Such as d1.")],
    ruling: Annotated[str, typer.Argument(help=", ".join(RULINGS))],
    session: SessionArgument = None,
    why: Because = ...,  # type: ignore[assignment]
    entry: Annotated[
        int | None, typer.Option("--entry", metavar="N", help="The entry that amended or overruled it.")
    ] = None,
    json: Json = False,
) -> None:
    """Decide a dispute. It becomes a precedent of the table."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    opened.perform(SettleDispute(id_, ruling, why, entry), by=cli.who)
    found = disputed(opened.log, cli.eyes(opened))[id_]
    if json:
        screen.document(found)
    else:
        screen.console(json=json).print(audit_view.disputed(found))


def disputes(
    context: typer.Context,
    id_: Annotated[str | None, typer.Argument(metavar="[DISPUTE]", help="Show this dispute with its evidence.")] = None,
    session: SessionOption = None,
    json: Json = False,
) -> None:
    """List the disputes of a session, or show one with its evidence."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    eyes = cli.eyes(opened)
    if id_ is not None:
        _show(opened.dispute(id_, eyes), json=json)
        return
    found = opened.disputes(eyes)
    if json:
        screen.document(found)
        return
    dispute_view.listed(screen.console(json=json), found)


def rulings(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Words that the ruling must contain.")
    ] = None,
    session: SessionOption = None,
    everywhere: Annotated[bool, typer.Option("--all-sessions", help="Search the whole ledger.")] = False,
    json: Json = False,
) -> None:
    """Search settled disputes and overruled figures. They are the precedents of the table."""
    cli: CliContext = context.obj
    store = cli.store()
    sessions = None if everywhere else [find_session(store, session)]
    found = list(search(store, words or (), sessions, cli.who))
    if json:
        screen.document(found)
        return
    dispute_view.precedents(screen.console(json=json), found, bool(words))


def _show(found: Dispute, *, json: bool) -> None:
    if json:
        screen.document(found)
    else:
        dispute_view.dispute(screen.console(json=json), found)
