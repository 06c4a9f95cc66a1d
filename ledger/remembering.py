"""Remembering what was made of texts, as many as fit into so many bytes.

Texts come from callers, and some callers send long ones: a cache that counts only how many it holds can be made to hold
any amount of memory.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SHORT = 1_000
"""Letters of a text that is remembered in any case."""
LONG = 2_000_000
"""Letters of the longer ones that are remembered together."""


class _Longer:
    """Results of one function for long texts; who was asked for longest ago is forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, place: tuple[Any, ...]) -> Any:
        with self._lock:
            self._kept.move_to_end(place)  # KeyError where it is not known
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
    """Decorates a pure function of a text, so that it is called once for each text that is in use.

    Args:
        count: So many results for short texts are kept.
        long: Letters of the longer texts whose results are kept beside them.
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

        return once  # type: ignore[return-value]  # mypy wants the text to be passed by its name, too

    return decorate
