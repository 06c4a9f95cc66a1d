"""The verb `campaign`: the campaigns of the ledger, or one with its sessions, roster, luck and rulings."""

from typing import Annotated, Any

import msgspec
import typer

from ledger.errors import Refused
from replays.campaigns.campaign import WholeCampaign, whole
from replays.campaigns.listing import campaigns, members
from replays.cli import screen
from replays.cli.context import CliContext, Jobs, Json
from replays.cli.every_session import LedgerPlace, ReadingForCampaign, on_every_session
from replays.cli.views import campaign_view
from replays.exports import documents


def add_to(app: typer.Typer) -> None:
    """Adds this verb."""
    app.command()(campaign)


def campaign(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The campaign; by default all of them are listed.")
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """List the campaigns of the ledger, or show one: sessions, roster, luck and rulings."""
    cli: CliContext = context.obj
    cli.check_gm("see campaigns, whose sessions may have secrets")
    if name is None:
        _list(cli, json=json)
        return
    found = _read(cli, name, jobs)
    if json:
        screen.document(_document(found))
    else:
        campaign_view.whole(screen.console(json=json), found)


def _list(cli: CliContext, *, json: bool) -> None:
    found = campaigns(cli.store())
    if json:
        screen.document(found)
    else:
        campaign_view.listed(screen.console(json=json), found)


def _read(cli: CliContext, name: str, jobs: int | None) -> WholeCampaign:
    """Reads the sessions of a campaign, in several processes if there is much to read."""
    store, ledger = cli.store(), LedgerPlace(cli.ledger, cli.heads)
    mine = members(store, name)
    found = on_every_session(store, ledger, mine.ids, ReadingForCampaign(), doing="reading the campaign", jobs=jobs)
    return whole(store, mine, found)


def _document(found: WholeCampaign) -> dict[str, Any]:
    """Returns a campaign as one document; `luck` is null where there is none to measure."""
    luck = None if isinstance(found.luck, Refused) else documents.chances(found.luck)
    return {**msgspec.to_builtins(found.page), "luck": luck, "rulings": found.rulings.rulings}
