"""Creates the web application: routes, dependencies, error handlers, and the OpenAPI document."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State as LitestarState
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag

from ledger.errors import Refused
from replays import __version__
from replays.server.callers.callers import caller_of, holder_of, host_of
from replays.server.http import problems
from replays.server.http.asyncapi.routes import asyncapi_document
from replays.server.http.openapi import Documentation, router
from replays.server.http.strict import check_request
from replays.server.reference.routes import REFERENCE
from replays.server.reference.static_files import CLIENT_FILES, PAGE_FILES
from replays.server.routes.correcting import Correcting
from replays.server.routes.games import Games
from replays.server.routes.health import Operating
from replays.server.routes.host.campaigns import CampaignRoutes
from replays.server.routes.host.lifecycle import Lifecycle
from replays.server.routes.host.sessions import Sessions
from replays.server.routes.lines import LineRoutes
from replays.server.routes.live import Live
from replays.server.routes.me import Myself
from replays.server.routes.playing import PlayingRoutes
from replays.server.routes.reading import ReadingRoutes
from replays.server.routes.setting_up import QrCodes, SheetFiles
from replays.server.routes.tokens import Renewing, Seats
from replays.server.routes.webhooks import WebhookRoutes
from replays.server.runtime.app_state import AppState
from replays.server.webhooks.sender import Sender

ROUTES = (
    Sessions, Lifecycle, Seats, CampaignRoutes, Myself, Renewing, QrCodes, PlayingRoutes, LineRoutes, Correcting,
    ReadingRoutes, Live, WebhookRoutes, Games, SheetFiles, Operating,
)  # fmt: skip

_ABOUT = """\
A combat ledger for tabletop roleplaying games, over HTTP: fights are run by the rules of the game, every declaration,
die and wound is an immutable entry, and old entries can be corrected while every die is kept.

The operator of the server creates sessions with the host's token (`affray token`). The tokens of a session are for its
seats: the gamemaster, the players of named combatants, spectators. Each seat has its own view of the session. Refusals
are problem+json with a stable `slug`; each operation lists its slugs, in `x-slugs` with their meanings.
`GET /v1/rulesets/{name}/schemas` describes the contents of commands and sheets.

The live feed is also a WebSocket at the same path, `/v1/sessions/{session}/feed`: its first message is
`{"token": "…", "after": n}`, then each message is an entry. `/schema/asyncapi.json` describes the messages of both.
"""


def create(app_state: AppState) -> Litestar:
    """Returns the web application of a process.

    Args:
        app_state: The state of this process; it is closed with the application.
    """
    origins, log = app_state.settings.origins, structlog.get_logger()

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        app_state.listen()
        sender = Sender(app_state)
        sender.start()
        log.info("started", process=os.getpid())
        try:
            yield
        finally:
            await sender.stop()
            app_state.close()
            log.info("ended", process=os.getpid())

    return Litestar(
        route_handlers=(*ROUTES, asyncapi_document, *REFERENCE, *CLIENT_FILES, *PAGE_FILES),
        dependencies={"caller": Provide(caller_of), "host": Provide(host_of), "holder": Provide(holder_of)},
        exception_handlers={
            Refused: problems.on_refusal,
            HTTPException: problems.on_wrong_request,
            RecursionError: problems.on_too_deep,
            Exception: problems.on_our_fault,
        },
        before_request=check_request,  # type: ignore[arg-type]
        after_exception=[problems.log_our_fault],
        request_class=problems.TextRequest,
        lifespan=[lifespan],
        state=LitestarState({"app_state": app_state}),
        request_max_body_size=app_state.settings.body,
        openapi_config=_documentation(),
        cors_config=CORSConfig(list(origins), expose_headers=["ETag", "Retry-After"]) if origins else None,
        logging_config=None,
    )


def _tags() -> dict[str, str | None]:
    """Returns the groups of routes with their descriptions; the first of several controllers describes a group."""
    found: dict[str, str | None] = {}
    for controller in ROUTES:
        for tag in controller.tags:
            found.setdefault(tag, controller.__doc__)
    return found


def _documentation() -> OpenAPIConfig:
    token = SecurityScheme(type="http", scheme="bearer", description="The token of a seat, or the host's token.")
    return Documentation(
        title="Affray",
        version=__version__,
        description=_ABOUT,
        openapi_router=router(),
        components=[Components(security_schemes={"token": token})],
        tags=[Tag(name, text) for name, text in _tags().items()],
        use_handler_docstrings=True,
        render_plugins=[
            JsonRenderPlugin(path="/openapi.json"),  # pages that display it would load scripts from other sites
        ],
    )
