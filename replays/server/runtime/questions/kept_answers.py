"""Keeps answers of workers about old entries: the record up to an entry never changes, so neither do they."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any

MOST = 2_000
"""Answers that are kept; an answer has a few hundred bytes for each combatant."""
LARGEST = 16_000
"""The size in bytes of the largest answer that is kept."""


class KeptAnswers:
    """The latest answers, by what they depend on.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self._asked: dict[Hashable, asyncio.Future[bytes]] = {}
        """What is being asked for."""

    async def of(self, key: Hashable, ask: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Returns the answer with a key; asks once for all who want it, unless it is kept.

        Args:
            key: What the answer depends on.
            ask: Asks for it.

        Raises:
            Refused: The question is refused.
        """
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(ask())
            self._asked[key].add_done_callback(partial(self._answered, key))
        return await asyncio.shield(self._asked[key])

    def _answered(self, key: Hashable, asked: "asyncio.Future[bytes]") -> None:
        del self._asked[key]
        if not asked.cancelled() and asked.exception() is None:
            self.keep(key, asked.result())

    def keep(self, key: Hashable, answer: bytes) -> None:
        """Keeps an answer, and drops those that were not asked for the longest."""
        if len(answer) > LARGEST:
            return
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while len(self._answers) > self._most:
            self._answers.popitem(last=False)
