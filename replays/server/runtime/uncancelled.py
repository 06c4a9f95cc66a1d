"""Awaits a future without cancelling it when the waiting caller is cancelled."""

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def await_uncancelled(future: "asyncio.Future[T]") -> T:
    """Returns the result of a future, which goes on if the caller is cancelled; an unread error is ignored.

    `asyncio.shield` would log an error that occurs just when the caller is cancelled.
    """
    future.add_done_callback(_retrieve_exception)
    await asyncio.wait((future,))
    return future.result()


def _retrieve_exception(future: "asyncio.Future[Any]") -> None:
    if not future.cancelled():
        future.exception()
