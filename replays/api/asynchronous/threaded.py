"""What `AsyncSession` has beside the calls of `Session`: opening, closing and listening."""

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from ledger.entry import Who
from ledger.stores import Store
from replays.api.asynchronous.one_thread import OneThread
from replays.api.listeners import Listener
from replays.api.session import Session
from replays.sessions import ports
from replays.sessions.permissions import GM

T = TypeVar("T")


class ThreadedSession:
    """A session whose calls are made in one thread, one after another.

    A call whose task is cancelled still ends: a command that was being performed is written whole or not at all.

    Args:
        session: The session. Afterwards nothing else may use it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._thread = OneThread(f"affray-{session.id}")

    @classmethod
    async def open(
        cls,
        url: str,
        session: str | None = None,
        *,
        draw: ports.Drawer | None = None,
        clock: Callable[[], str] = ports.now,
    ) -> Self:
        """Opens a session at a store's address. Arguments and refusals are those of `Session.open`."""
        return cls(await asyncio.to_thread(Session.open, url, session, draw=draw, clock=clock))

    @classmethod
    async def create(
        cls,
        url: str | Store,
        *,
        ruleset: str,
        title: str = "",
        profile: str = "",
        options: Mapping[str, Any] | None = None,
        policies: Mapping[str, str] | None = None,
        source: str = "",
        campaign: str = "",
        by: Who = GM,
        session: str | None = None,
        draw: ports.Drawer | None = None,
        clock: Callable[[], str] = ports.now,
    ) -> Self:
        """Creates a new session. Arguments and refusals are those of `Session.create`."""
        created = await asyncio.to_thread(
            Session.create, url, ruleset=ruleset, title=title, profile=profile, options=options, policies=policies,
            source=source, campaign=campaign, by=by, session=session, draw=draw, clock=clock,
        )  # fmt: skip
        return cls(created)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def id(self) -> str:
        """The session's id."""
        return self._session.id

    async def close(self) -> None:
        """Closes the store after the calls that were made before."""
        if not self._thread.closed:
            closing = self._thread.run(self._session.close)
            self._thread.close()
            await closing

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls a listener in the event loop with each request's entries, once they are written.

        Returns:
            A function that ends that.
        """
        return self._session.listen(self._in_loop(listener))

    def _in_loop(self, function: Callable[[T], object]) -> Callable[[T], None]:
        """Returns a function that the thread may call, and that calls a function in the running event loop."""
        loop = asyncio.get_running_loop()

        def called(given: T) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(function, given)

        return called
