"""Sending a call for asyncio, and trying again where that may help."""

import asyncio
from typing import TypeVar

import httpx

from replays.client.call import Call
from replays.client.refusals import Closed
from replays.client.retrying import Tries, Way

T = TypeVar("T")


class AsyncLine:
    """A way to a server with somebody who walks it for asyncio.

    Args:
        way: Where to.
        client: Of whoever calls; left out, one is made, and closed with the line.
    """

    def __init__(self, way: Way, client: httpx.AsyncClient | None) -> None:
        self.way = way
        self.client = client or httpx.AsyncClient()
        self._is_own = client is None
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Can nothing be sent any more?"""
        return self._closed or self.client.is_closed

    async def send(self, call: Call[T]) -> T:
        """Ask, and ask again where that may help."""
        tries = Tries(self.way.patience)
        while True:
            if self.is_closed:
                raise Closed("this was closed", where="session", accepts="another one")
            try:
                answer = await self.client.request(**self.way.request(call))
            except httpx.HTTPError as error:
                pause = self.way.lost(call, error, tries)
            else:
                if answer.is_success:
                    return call.read(answer.content)
                pause = self.way.refused(call, answer, tries)
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Let go of the connections."""
        self._closed = True
        if self._is_own:
            await self.client.aclose()
