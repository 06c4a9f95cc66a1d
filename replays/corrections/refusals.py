"""Refusals of corrections: what cannot be changed, and changes that say two things of one value."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from ledger.errors import Refused

T = TypeVar("T")


class BadChange(Refused):
    """An amendment that changes nothing, what cannot be changed, or one value in two ways."""

    slug = "amend/change"


def contradiction(one: str, other: str) -> BadChange:
    """Returns the refusal of two parts of a change that cannot both be right."""
    return BadChange(f"{one!r} and {other!r} contradict one another", where=other, accepts="one of them")


def check_paths(values: Mapping[str, object], paths: Mapping[str, Sequence[str]]) -> None:
    """Refuses two values of one field, and one of a field beside one of a field inside it.

    Args:
        values: What each path is set to, by the path as it was given.
        paths: The whole path of each, in its parts.

    Raises:
        BadChange: Two of them cannot both be right.
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
