"""Routes of campaigns: the sessions that belong together, their roster, luck and rulings; for the host."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath, QueryParameter

from ledger.errors import Refused
from replays.campaigns.campaign import CampaignPage, CampaignRulings, all_rulings, page
from replays.campaigns.listing import CampaignList, CampaignMembers, campaigns, members
from replays.campaigns.luck import SessionsLuck, together
from replays.exports import documents
from replays.server.callers.callers import AppRequest, InjectedHost, token_of, unless_disconnected
from replays.server.routes.common import SECURITY, refusals
from replays.server.runtime.app_state import AppState
from replays.server.runtime.campaign_jobs import decoded
from replays.server.runtime.questions.of_campaigns import AppearancesOf, DiceOf, RulingsOf
from replays.server.runtime.questions.of_sessions import SessionQuestion

IN_QUERY = "-"
"""What the path has in place of a name that is a query parameter."""
CampaignName = Annotated[
    str | None,
    QueryParameter(
        name="name", min_length=1, max_length=200,
        description="The campaign's name, where it cannot be a part of a path: if it has a slash, or is `.` or `..`. "
        "The path then has `-` in its place. Any name may be given so.",
    ),
]  # fmt: skip


class BadCampaignName(Refused):
    """The path names one campaign, and the query another."""

    slug = "campaign/two-names"


class CampaignRoutes(Controller):
    """Reads the sessions of a campaign together; for the host, because they may have secrets."""

    path = "/v1/campaigns"
    tags = ("Campaigns",)
    security = SECURITY

    @get("/", operation_id="listCampaigns", responses=refusals(401, 403))
    async def listed(self, host: InjectedHost) -> CampaignList:
        """Lists the campaigns: each has the sessions that named it when they were created."""
        return await host.run_list(lambda: campaigns(host.store, host.openings))

    @get("/{campaign:str}", operation_id="getCampaign", responses=refusals(401, 403, 404, 422))
    async def one(
        self, request: AppRequest, host: InjectedHost, campaign: FromPath[str], name: CampaignName = None
    ) -> CampaignPage:
        """Returns a campaign: its sessions, and who was in it.

        Combatants of two sessions are the same character if the same player plays them, and their ids or their shown
        names are equal; case is ignored. Sessions that cannot be read are named, and hide none of the others. The
        sessions are read one after another; if there are too many for one request, repeat it: it continues.
        """
        mine, found = await _asked(request, host, _name(campaign, name), AppearancesOf())
        return await host.run(lambda: page(host.store, mine, decoded(found, AppearancesOf.decode)))

    @get("/{campaign:str}/luck", operation_id="getCampaignLuck", responses=refusals(401, 403, 404, 422))
    async def luck(
        self, request: AppRequest, host: InjectedHost, campaign: FromPath[str], name: CampaignName = None
    ) -> Response[SessionsLuck]:
        """Compares the dice of all sessions of a campaign with the expected ones.

        The sessions are read one after another; if there are too many for one request, repeat it: it continues.
        """
        mine, found = await _asked(request, host, _name(campaign, name), DiceOf())

        def measured() -> bytes:
            luck = together(decoded(found, DiceOf.decode), mine.unreadable)
            return msgspec.json.encode(documents.chances(luck))

        luck: Any = await host.run(measured)
        return Response(luck, media_type=MediaType.JSON)

    @get("/{campaign:str}/rulings", operation_id="getCampaignRulings", responses=refusals(401, 403, 404, 422))
    async def rulings(
        self, request: AppRequest, host: InjectedHost, campaign: FromPath[str], name: CampaignName = None
    ) -> CampaignRulings:
        """Returns the rulings of a campaign: its settled disputes and overruled figures.

        Overruled figures that were undone are omitted; a settlement outlives the undoing of what was disputed. The
        sessions are read one after another; if there are too many for one request, repeat it: it continues.
        """
        mine, found = await _asked(request, host, _name(campaign, name), RulingsOf())
        return await host.run(lambda: all_rulings(mine, decoded(found, RulingsOf.decode)))


def _name(in_path: str, in_query: str | None) -> str:
    """Returns the name of the campaign that a request means.

    Raises:
        BadCampaignName: The path and the query name different campaigns.
    """
    if in_query is None or in_query == in_path:
        return in_path
    if in_path != IN_QUERY:
        raise BadCampaignName("the path and the query name different campaigns", where="name", accepts="- in the path")
    return in_query


async def _asked(
    request: AppRequest, host: AppState, name: str, question: SessionQuestion
) -> tuple[CampaignMembers, dict[str, bytes | Refused]]:
    """Returns the sessions of a campaign, and the answer of each to a question.

    Raises:
        NoSuchCampaign: No session belongs to it.
    """
    mine = await host.run_list(lambda: members(host.store, name, host.openings))
    return mine, await unless_disconnected(request, host.campaign_jobs.ask(token_of(request), mine.ids, question))
