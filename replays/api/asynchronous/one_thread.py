"""Runs all calls of a session in one thread, so that an event loop never waits for a disk or for the rules."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import ParamSpec, TypeVar

from ledger.errors import Unusable

P = ParamSpec("P")
T = TypeVar("T")

PAGE = 500
"""Items of an iterator that are fetched together."""


class OneThread:
    """A thread that makes calls one after another, in the order in which they were asked for.

    A call that has begun ends, even if the task that awaits it is cancelled: a command is written whole or not at all.

    Args:
        name: The name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self.closed = False

    def run(self, function: Callable[P, T], /, *args: P.args, **keywords: P.kwargs) -> Awaitable[T]:
        """Calls a function in the thread; what is awaited returns what it returns, and raises what it raises.

        Raises:
            Unusable: The thread was closed.
        """
        if self.closed:
            raise Unusable("the session is closed", where="session", accepts="calls before `close`")
        return asyncio.get_running_loop().run_in_executor(self._executor, partial(function, *args, **keywords))

    async def iterate(
        self, function: Callable[P, Iterator[T]], /, *args: P.args, **keywords: P.kwargs
    ) -> AsyncIterator[T]:
        """Yields what the iterator yields that a function returns; both run in the thread."""
        iterator = await self.run(function, *args, **keywords)
        while page := await self.run(_page, iterator):
            for item in page:
                yield item

    def close(self) -> None:
        """Ends the thread after the calls that were asked for; later ones are refused."""
        self.closed = True
        self._executor.shutdown(wait=False)


def _page(iterator: Iterator[T]) -> list[T]:
    return list(islice(iterator, PAGE))
