"""The verbs `odds` and `luck`: the chances of a roll, and how the dice of a session compare with chance."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import msgspec
import typer

from ledger.commands import Declare
from ledger.errors import Refused
from replays.campaigns.listing import members
from replays.campaigns.luck import together
from replays.cli import screen
from replays.cli.context import CliContext, Jobs, Json, SessionArgument
from replays.cli.every_session import CollectingDice, LedgerPlace, on_every_session
from replays.cli.views import odds_view
from replays.exports import documents
from replays.sessions.find_session import find_session

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
    console = screen.console(json=json)
    first = partial(odds_view.first, console) if console.is_terminal and not json else None
    found = opened.odds(key, declare=command, choices=choices, seed=seed, eyes=cli.eyes(opened), first=first)
    if json:
        screen.document(documents.odds(found))
    else:
        odds_view.odds(console, found)


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
        odds_view.luck(screen.console(json=json), found)


def _luck_of_many(cli: CliContext, named: Sequence[str], campaign: str | None, jobs: int | None, *, json: bool) -> None:
    """Shows the luck of several sessions together, and which could not be read."""
    store, ledger = cli.store(), LedgerPlace(cli.ledger, cli.heads)
    if campaign is not None:
        mine = members(store, campaign)
        names, unread = mine.ids, mine.unreadable
    else:
        names, unread = [find_session(store, name) for name in named] or list(store.sessions()), ()
    found = together(
        on_every_session(store, ledger, names, CollectingDice(cli.who), doing="computing luck", jobs=jobs), unread
    )
    if json:
        screen.document(documents.chances(found))
        return
    console = screen.console(json=json)
    odds_view.luck(console, found)
    odds_view.measured(console, found)


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
