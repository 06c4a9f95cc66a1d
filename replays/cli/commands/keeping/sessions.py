"""The verbs about whole sessions: `sessions`, `rename`, `close`, `archive`, `unarchive`."""

from enum import StrEnum
from typing import Annotated

import typer

from ledger.commands import CloseSession, RenameSession
from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import CliContext, Json, Reason, SessionArgument
from replays.exports.listing import IS_ARCHIVED, Summary, Wanted, summaries
from replays.sessions.archive import archive as shelve
from replays.sessions.archive import unarchive as take_out
from replays.sessions.find_session import find_session


class ClosingUnconfirmed(Refused):
    """Closing a session was not confirmed."""

    slug = "close/unconfirmed"


class ArchivedOption(StrEnum):
    """Whether archived sessions are listed: not, alone, or with the others."""

    NO = "no"
    ONLY = "only"
    ANY = "any"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (sessions, rename, close, archive, unarchive):
        app.command()(verb)


def sessions(
    context: typer.Context,
    title: Annotated[str, typer.Option(help="A part of the title, in any case.")] = "",
    player: Annotated[str, typer.Option(help="A person who plays a combatant in it.")] = "",
    ruleset: Annotated[str, typer.Option(help="The ruleset, such as gurps_3e.")] = "",
    campaign: Annotated[str, typer.Option(help="The campaign.")] = "",
    goes_on: Annotated[bool | None, typer.Option("--open/--closed", help="Only open, or only closed sessions.")] = None,
    archived: Annotated[ArchivedOption, typer.Option(help="Whether archived sessions are listed.")] = ArchivedOption.NO,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="The latest N.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the sessions of the ledger, the latest last."""
    cli: CliContext = context.obj
    wanted = Wanted(title, player, ruleset, campaign, goes_on, IS_ARCHIVED[archived])
    store = cli.store()
    listed = list(summaries(store, "", limit, wanted, newest_first=True, who=cli.who))[::-1]
    if json:
        screen.document(listed)
        return
    console = screen.console(json=json)
    for one in listed:
        screen.print_line(console, f"{one.session}  {one.at[:16]}  {one.entries:>5} entries  {_words(one)}")
    if not listed:
        fits = "no session fits; --archived any lists archived ones, too"
        screen.print_line(console, fits if store.sessions() else "the ledger has no sessions yet")


def rename(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The id, or its beginning.")],
    title: Annotated[str, typer.Argument(help="The new title.")],
    json: Json = False,
) -> None:
    """Give a session another title."""
    cli: CliContext = context.obj
    entry = cli.session(session).perform(RenameSession(title), by=cli.who)
    if json:
        screen.document({"entry": entry.seq, "title": title})
    else:
        screen.print_line(screen.console(json=json), f"entry {entry.seq}: the session is now called {title}")


def close(
    context: typer.Context,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The id, or its beginning.")],
    why: Reason = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Close a session for good: from then on it can only be read."""
    cli: CliContext = context.obj
    opened, console = cli.session(session), screen.console(json=json)
    if not yes:
        message = "a closed session cannot be opened again"
        unconfirmed = ClosingUnconfirmed(message, where="--yes", accepts="--yes, or a terminal")
        screen.confirm(console, (), f"Close {opened.combat.session.title} for good?", "nothing was closed", unconfirmed)
    entry = opened.perform(CloseSession(why), by=cli.who)
    if json:
        screen.document({"entry": entry.seq, "is_open": False})
    else:
        screen.print_line(console, f"entry {entry.seq}: the session is closed")


def archive(context: typer.Context, session: SessionArgument = None, why: Reason = "", json: Json = False) -> None:
    """Archive a session: it is omitted from lists, and can be read and played as before."""
    _turn(context.obj, session, why, archived=True, json=json)


def unarchive(context: typer.Context, session: SessionArgument = None, why: Reason = "", json: Json = False) -> None:
    """Take a session out of the archive, so that it is listed again."""
    _turn(context.obj, session, why, archived=False, json=json)


def _turn(cli: CliContext, name: str | None, why: str, *, archived: bool, json: bool) -> None:
    cli.check_gm("archive a session")
    store = cli.store()
    session = find_session(store, name)
    (shelve if archived else take_out)(store, session, cli.who, why)
    if json:
        screen.document({"session": session, "archived": archived})
    else:
        place = "archived: affray sessions --archived any lists it" if archived else "listed again"
        screen.print_line(screen.console(json=json), f"{session} is {place}")


def _words(one: Summary) -> str:
    if one.damaged:
        return f"{one.title} ({one.ruleset}): {one.damaged}" if one.title else one.damaged
    marks = ("" if one.is_open else "closed", "archived" if one.archived else "", one.campaign)
    return f"{one.title} ({', '.join(filter(None, (one.ruleset, *marks)))})"
