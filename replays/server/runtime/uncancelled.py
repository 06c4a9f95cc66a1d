"""Awaits a future without cancelling it when the waiting caller is cancelled."""

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def await_uncancelled(future: "asyncio.Future[T]") -> T:
    """Returns the result of a future, which goes on if the caller is cancelled; an unread error is ignored.

    `asyncio.shield` would log an error that occurs just when the caller is cancelled.
    """
    if future.done():
        return future.result()
    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def wake(done: "asyncio.Future[T]") -> None:
        if not done.cancelled():
            done.exception()  # an error that was retrieved is not logged
        if not waiter.done():
            waiter.set_result(None)

    future.add_done_callback(wake)
    await waiter
    return future.result()
