"""Waiting for what goes on to its end, whoever waits for it."""

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def outcome(done: "asyncio.Future[T]") -> T:
    """What comes of something that is not cancelled with who waits for it; if nobody does any more, nobody is told.

    `asyncio.shield` would tell the log of an error that came just when who waited was cancelled.
    """
    done.add_done_callback(_looked_at)
    await asyncio.wait((done,))
    return done.result()


def _looked_at(done: "asyncio.Future[Any]") -> None:
    if not done.cancelled():
        done.exception()
