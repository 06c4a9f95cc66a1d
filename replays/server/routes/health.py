"""Is the process alive, can it do its work, what has it done."""

import asyncio

import msgspec
from litestar import Controller, Response, get
from litestar.datastructures import State as AppState

from replays.server.callers.callers import desk_of
from replays.server.http.metrics import exposition
from replays.server.http.problems import TooSlow
from replays.server.routes.common import refusals

PATIENCE = 3.0
"""Seconds in which the ledger must answer."""


class Health(msgspec.Struct, frozen=True):
    """How it is."""

    status: str


class Operating(Controller):
    """For whoever runs the server; open, and nothing of a session is told."""

    tags = ("Operating",)

    @get("/health", sync_to_thread=False, operation_id="health", responses=refusals())
    def health(self) -> Health:
        """The process is alive."""
        return Health("alive")

    @get("/ready", operation_id="ready", responses=refusals())
    async def ready(self, state: AppState) -> Health:
        """The ledger answers; otherwise 503."""
        desk = desk_of(state)
        try:
            await asyncio.wait_for(desk.run(desk.check), PATIENCE)
        except TimeoutError as error:
            raise TooSlow(f"the ledger has not answered for {PATIENCE:g} s") from error
        return Health("ready")

    @get("/metrics", sync_to_thread=False, operation_id="metrics", media_type="text/plain", responses=refusals())
    def metrics(self) -> Response[bytes]:
        """Prometheus metrics of this process, or of all workers where there are several."""
        content, kind = exposition()
        return Response(content, media_type=kind)
