"""Refusals of corrections: what cannot be changed, and changes that contradict themselves."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from ledger.errors import Refused

T = TypeVar("T")


class BadChange(Refused):
    """An amendment changes nothing, changes what cannot be changed, or gives one value twice."""

    slug = "amend/change"


def contradiction(one: str, other: str) -> BadChange:
    """Returns the refusal of two contradictory parts of a change."""
    return BadChange(f"{one!r} and {other!r} contradict one another", where=other, accepts="one of them")


def check_paths(values: Mapping[str, object], paths: Mapping[str, Sequence[str]]) -> None:
    """Rejects two values for one field, and a value for a field beside one for a field inside it.

    Args:
        values: The value for each path as it was given.
        paths: The parts of each full path.

    Raises:
        BadChange: Two values contradict each other.
    """
    for one, other in combinations(values, 2):
        length = min(len(paths[one]), len(paths[other]))
        is_same = len(paths[one]) == len(paths[other]) and values[one] == values[other]
        if paths[one][:length] == paths[other][:length] and not is_same:
            raise contradiction(one, other)


def without_repeats(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Returns pairs of a name and a value as a mapping.

    Raises:
        BadChange: A name has two values.
    """
    found: dict[str, T] = {}
    for name, value in pairs:
        if found.setdefault(name, value) != value:
            raise BadChange(f"{name!r} contradicts itself: {found[name]} and {value}", where=name, accepts="one")
    return found
