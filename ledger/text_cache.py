"""A cache of function results by text, bounded by the length of the texts.

The texts come from callers. If only the number of entries were bounded, a caller could fill the memory with long texts.
"""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SHORT = 1_000
"""Length in characters that a shorter text is counted as."""
LONG = 2_000_000
"""Length in characters of all longer texts that are cached at the same time."""


class TextCache(dict[tuple[Any, ...], Any]):
    """The results of a pure function by its arguments, the first of which is a text; the oldest are dropped first.

    A cached result is found without running any Python code. Threads may share a cache.

    Args:
        function: The function; a result is computed when it is first looked up.
        count: The number of results for short texts to keep.
        long: The total length in characters of the longer texts whose results are kept.
    """

    def __init__(self, function: Callable[..., Any], count: int, long: int = LONG) -> None:
        super().__init__()
        self._function = function
        self._most = count * SHORT + long
        self._size = 0
        self._lock = Lock()

    def __missing__(self, arguments: tuple[Any, ...]) -> Any:
        """Computes and keeps a result."""
        found = self._function(*arguments)
        size = _size(arguments)
        with self._lock:
            if size <= self._most and arguments not in self:
                self[arguments] = found
                self._size += size
                while self._size > self._most:
                    oldest = next(iter(self))
                    del self[oldest]
                    self._size -= _size(oldest)
        return found


def _size(arguments: tuple[Any, ...]) -> int:
    return max(len(arguments[0]), SHORT)


def remembered(
    count: int, long: int = LONG
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Decorates a pure function of a text with a cache; arguments are as for `TextCache`."""

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        cache = TextCache(function, count, long)

        @wraps(function)
        def once(*arguments: Any) -> T:
            found: T = cache[arguments]
            return found

        return once  # type: ignore[return-value]  # mypy would also have the text passed by keyword

    return decorate
