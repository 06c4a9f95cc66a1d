"""Reads the live feed over Server-Sent Events for asyncio, and resumes it after a disconnection."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx

from replays.client.answers import Heard
from replays.client.asynchronous.sending import AsyncConnection
from replays.client.call import Call
from replays.client.following import SILENCE, Declined, Ended, FeedReader, has_expired


async def follow(connection: AsyncConnection, path: str, after: int, patience: float) -> AsyncGenerator[Heard]:
    """Yields the entries after one as they are written, until the reader stops or the connection is closed."""
    following = FeedReader(path, after, patience)
    while not connection.is_closed:
        call, opened_by = following.call(), connection.endpoint
        end: httpx.HTTPError | Ended | Declined | None = None
        try:
            async with aclosing(_connected(connection, following, call)) as entries:
                async for entry in entries:
                    yield entry
        except (httpx.HTTPError, Ended, Declined) as error:
            end = error
        is_renewed = has_expired(end) and connection.endpoint is not opened_by
        if not (connection.is_closed or is_renewed):
            await asyncio.sleep(following.pause(connection.endpoint, call, end))


async def _connected(connection: AsyncConnection, following: FeedReader, call: Call[bytes]) -> AsyncGenerator[Heard]:
    async with connection.client.stream(**connection.endpoint.request(call, SILENCE)) as answer:
        if not answer.is_success:
            await answer.aread()
            raise Declined(answer)
        async for chunk in answer.aiter_bytes():
            for entry in following.decode(chunk):
                yield entry
            if connection.is_closed:
                return
