"""The live feed over Server-Sent Events for asyncio: cut, it goes on where it was."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx

from replays.client.answers import Heard
from replays.client.asynchronous.sending import AsyncLine
from replays.client.call import Call
from replays.client.following import SILENCE, Declined, Ended, Following


async def follow(line: AsyncLine, path: str, after: int, patience: float) -> AsyncGenerator[Heard]:
    """What comes after an entry, as it comes, until whoever reads has enough or the line is closed."""
    following = Following(path, after, patience)
    while not line.is_closed:
        call = following.call()
        end: httpx.HTTPError | Ended | Declined | None = None
        try:
            async with aclosing(_connected(line, following, call)) as entries:
                async for entry in entries:
                    yield entry
        except (httpx.HTTPError, Ended, Declined) as error:
            end = error
        if not line.is_closed:
            await asyncio.sleep(following.pause(line.way, call, end))


async def _connected(line: AsyncLine, following: Following, call: Call[bytes]) -> AsyncGenerator[Heard]:
    async with line.client.stream(**line.way.request(call, SILENCE)) as answer:
        if not answer.is_success:
            await answer.aread()
            raise Declined(answer)
        async for chunk in answer.aiter_bytes():
            for entry in following.heard(chunk):
                yield entry
            if line.is_closed:
                return
