"""The application: routes, refusals, documentation, and what is around every request."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import structlog
from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State as AppState
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag

from ledger.errors import Refused
from replays.server.callers.callers import host_of, sitting_of
from replays.server.http import problems
from replays.server.http.allow_header import tell_methods
from replays.server.http.openapi import Documentation, router
from replays.server.http.strict import check_request
from replays.server.routes.correcting import Correcting
from replays.server.routes.games import Games
from replays.server.routes.health import Operating
from replays.server.routes.live import Live
from replays.server.routes.playing import Playing
from replays.server.routes.reading import Reading
from replays.server.routes.sessions import Seats, Sessions
from replays.server.runtime.app_state import Desk

ROUTES = (Sessions, Seats, Playing, Correcting, Reading, Live, Games, Operating)

_ABOUT = """\
A combat ledger for tabletop roleplaying games, over HTTP: fights are run by the rules of the game, every declaration,
die and wound is an immutable entry, and old facts can be corrected with every die kept.

Whoever runs the server founds sessions with the host's token (`affray token`); a session's own tokens speak for its
seats: its gamemaster, the players of named combatants, spectators. Each seat sees its own view. Refusals are
problem+json with a stable `slug`; what a command or a sheet may say is told by `GET /v1/rulesets/{name}/schemas`.

The live feed is also a WebSocket at the same path, `/v1/sessions/{session}/feed`: its first message is
`{"token": "…", "after": n}`, then each message is an entry.
"""


def create(desk: Desk) -> Litestar:
    """The web application of a process.

    Args:
        desk: The process's share of the ledger; it is closed with the application.
    """
    origins, log = desk.settings.origins, structlog.get_logger()

    @asynccontextmanager
    async def living(_: Litestar) -> AsyncIterator[None]:
        desk.listen()
        log.info("begun", process=os.getpid())
        try:
            yield
        finally:
            desk.close()
            log.info("ended", process=os.getpid())

    return Litestar(
        route_handlers=ROUTES,
        dependencies={"sitting": Provide(sitting_of), "host": Provide(host_of)},
        exception_handlers={
            Refused: problems.on_refusal,
            HTTPException: problems.on_wrong_request,
            RecursionError: problems.on_too_deep,
            Exception: problems.on_our_fault,
        },
        guards=[check_request],
        after_exception=[problems.log_our_fault],
        before_send=[tell_methods],
        request_class=problems.Asking,
        lifespan=[living],
        state=AppState({"desk": desk}),
        request_max_body_size=desk.settings.body,
        openapi_config=_documentation(),
        cors_config=CORSConfig(list(origins), expose_headers=["ETag", "Retry-After"]) if origins else None,
        logging_config=None,
    )


def _documentation() -> OpenAPIConfig:
    token = SecurityScheme(type="http", scheme="bearer", description="A seat's token, or the host's.")
    return Documentation(
        title="Affray",
        version=version("affray"),
        description=_ABOUT,
        openapi_router=router(),
        components=[Components(security_schemes={"token": token})],
        tags=[Tag(controller.tags[0], controller.__doc__) for controller in ROUTES if controller.tags],
        use_handler_docstrings=True,
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],  # pages to look at it come from elsewhere
    )
