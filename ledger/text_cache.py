"""A cache of function results by text, bounded by the length of the texts.

The texts come from callers. If only the number of entries were bounded, a caller could fill the memory with long texts.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SHORT = 1_000
"""Length in characters up to which a text is cached by number alone."""
LONG = 2_000_000
"""Length in characters of all longer texts that are cached at the same time."""


class _Longer:
    """A least-recently-used cache of the results of one function for long texts."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, place: tuple[Any, ...]) -> Any:
        with self._lock:
            self._kept.move_to_end(place)  # KeyError if it is not cached
            return self._kept[place]

    def put(self, place: tuple[Any, ...], found: Any) -> None:
        size = len(place[0])
        with self._lock:
            if size > self._most or place in self._kept:
                return
            self._kept[place] = found
            self._size += size
            while self._size > self._most:
                (text, *_), _ = self._kept.popitem(last=False)
                self._size -= len(text)


def remembered(
    count: int, long: int = LONG
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Decorates a pure function of a text with a cache.

    Args:
        count: The number of results for short texts to keep.
        long: The total length in characters of the longer texts whose results are kept.
    """

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        short: Callable[..., T] = lru_cache(maxsize=count)(function)
        longer = _Longer(long)

        @wraps(function)
        def once(text: str, *others: P.args, **named: P.kwargs) -> T:
            if len(text) <= SHORT:
                return short(text, *others, **named)
            place = (text, *others)
            try:
                known: T = longer.get(place)
            except KeyError:
                known = function(text, *others, **named)
                longer.put(place, known)
            return known

        return once  # type: ignore[return-value]  # mypy would also have the text passed by keyword

    return decorate
