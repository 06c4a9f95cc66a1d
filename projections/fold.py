"""The types of functions that fold events into a projection."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from ledger.events import Event

Evolve = Callable[[Any, Any], Any]
"""(projection, event) -> projection. It never raises and applies no rules.

For a projection that is changed in place, parameter and result are its working copy.
"""

Thaw = Callable[[Any], Any]
"""projection -> working copy."""

Freeze = Callable[[Any], Any]
"""working copy -> projection; the copy is not used afterwards."""

Routes = Mapping[type[Event], Evolve]
"""The functions of a projection, by the type of event."""

K = TypeVar("K")
V = TypeVar("V")


def put(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Returns a copy of a mapping with one value set."""
    return {**mapping, key: value}


def drop(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """Returns a copy of a mapping without a key; the same mapping if it lacks the key."""
    if key not in mapping:
        return mapping
    return {each: value for each, value in mapping.items() if each != key}


def outside(mapping: dict[str, V], size: int, beginnings: Collection[str]) -> dict[str, V]:
    """Returns the items of a working copy whose keys have none of some beginnings.

    Args:
        mapping: The items.
        size: The length of each beginning.
        beginnings: The beginnings.
    """
    return {key: value for key, value in mapping.items() if key[:size] not in beginnings} if mapping else mapping
