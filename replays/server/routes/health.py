"""Routes for operating the server: liveness, readiness, metrics."""

import asyncio

import msgspec
from litestar import Controller, Response, get
from litestar.datastructures import State as LitestarState

from replays.server.callers.callers import app_state_of
from replays.server.http.metrics import exposition
from replays.server.http.problems import TooSlow
from replays.server.routes.common import refusals

PATIENCE = 3.0
"""Seconds within which the ledger must answer."""


class ServerHealth(msgspec.Struct, frozen=True):
    """The condition of the server."""

    status: str


class Operating(Controller):
    """For monitoring; these routes need no token and disclose no session."""

    tags = ("Operating",)

    @get("/health", sync_to_thread=False, operation_id="health", responses=refusals())
    def health(self) -> ServerHealth:
        """Answers as long as the process is alive."""
        return ServerHealth("alive")

    @get("/ready", operation_id="ready", responses=refusals())
    async def ready(self, state: LitestarState) -> ServerHealth:
        """Checks that the ledger answers; otherwise the status is 503."""
        try:
            await asyncio.wait_for(app_state_of(state).check(), PATIENCE)
        except TimeoutError as error:
            raise TooSlow(f"the ledger has not answered for {PATIENCE:g} s") from error
        return ServerHealth("ready")

    @get("/metrics", sync_to_thread=False, operation_id="metrics", media_type="text/plain", responses=refusals())
    def metrics(self) -> Response[bytes]:
        """Returns Prometheus metrics of this process, or of all processes if there are several."""
        content, kind = exposition()
        return Response(content, media_type=kind)
