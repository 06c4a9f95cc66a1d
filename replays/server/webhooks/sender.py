"""Runs the deliveries of a server: one task for each active webhook, in one of the processes that share the file."""

import asyncio
from contextlib import suppress

import structlog

from ledger.errors import NoSuchSession, Refused
from replays.server.http.metrics import HOOKS
from replays.server.runtime.app_state import AppState
from replays.server.webhooks.delivery import RETRY, Delivery, Timing
from replays.server.webhooks.hook import Hook

LOOK = 1.0
"""Seconds between two looks at the file of webhooks, which other processes change."""


class Sender:
    """Starts and ends the deliveries of a server process.

    Args:
        app_state: The state of this process.
        timing: The clock.
    """

    def __init__(self, app_state: AppState, timing: Timing | None = None) -> None:
        self._app_state = app_state
        self._hooks = app_state.hooks
        self._timing = timing
        self._deliveries: dict[str, tuple[int, asyncio.Task[None]]] = {}
        """The version of each webhook that is delivered, with its task."""
        self._looking: asyncio.Task[None] | None = None
        self._leads = False

    def start(self) -> None:
        """Starts, unless webhooks are switched off."""
        if self._hooks.is_on:
            self._looking = asyncio.create_task(self._look_often())

    async def stop(self) -> None:
        """Ends all deliveries; what was not confirmed yet is sent again by the next server."""
        tasks = [task for _, task in self._deliveries.values()]
        tasks += [self._looking] if self._looking is not None else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._deliveries.clear()

    async def _look_often(self) -> None:
        while True:
            self._hooks.changed.clear()
            try:
                await self._look()
            except (Refused, OSError) as error:
                structlog.get_logger().warning("no look at the webhooks", detail=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._hooks.changed.wait()

    async def _look(self) -> None:
        """Starts the deliveries that are missing, and ends those whose webhook was changed, stopped or deleted."""
        found = await self._hooks.run(lambda file: file.all())
        if not (self._leads or found) or not self._hooks.leadership.leads():
            return
        if not self._leads:
            self._leads = True
            await self._forget_deleted({hook.session for hook in found})
        active = {hook.id: hook for hook in found if not hook.stopped}
        HOOKS.labels("active").set(len(active))
        HOOKS.labels("dead").set(len(found) - len(active))
        for name, (version, task) in list(self._deliveries.items()):
            if task.done() or name not in active or active[name].version != version:
                task.cancel()
                del self._deliveries[name]
        for name, hook in active.items():
            if name not in self._deliveries:
                self._deliveries[name] = hook.version, asyncio.create_task(self._deliver(hook))

    async def _forget_deleted(self, sessions: set[str]) -> None:
        """Removes the webhooks of sessions that were deleted while no server was running."""
        store = self._app_state.store
        for session in sessions:
            try:
                await self._app_state.run(lambda session=session: store.head(session))  # type: ignore[misc]
            except NoSuchSession:
                await self._hooks.run(lambda file, session=session: file.forget(session))  # type: ignore[misc]
            except Refused:  # it may come back
                continue

    async def _deliver(self, hook: Hook) -> None:
        """Delivers a webhook; a fault is logged, and the delivery begins anew a minute later."""
        try:
            await Delivery(self._app_state, hook, self._timing).run()
        except Exception:
            structlog.get_logger().exception("a webhook was not delivered", hook=hook.id, session=hook.session)
            await asyncio.sleep(RETRY)
