"""How a projection is told what happened."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ledger.events import Event

Evolve = Callable[[Any, Any], Any]
"""(projection, event) -> projection. It adds up, never raises, and applies no rule.

Where a projection is worked on in place, both are its working copy.
"""

Thaw = Callable[[Any], Any]
"""projection -> a working copy of it."""

Freeze = Callable[[Any], Any]
"""working copy -> projection; the copy is not used any more."""

Routes = Mapping[type[Event], Evolve]
"""Which events a projection cares for, and what each does to it."""

K = TypeVar("K")
V = TypeVar("V")


def put(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """A copy with one value set."""
    return {**mapping, key: value}


def drop(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """A copy without one key; the same where it has none."""
    if key not in mapping:
        return mapping
    return {each: value for each, value in mapping.items() if each != key}
