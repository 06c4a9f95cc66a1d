"""Small Hypothesis strategies for the sheets and declarations of every ruleset."""

import typing
from collections.abc import Mapping
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.events import Json

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
"""Any text that a stored line can hold."""
visible = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), max_size=8)
"""Text that is valid as an id or a title."""
FEW = 5
"""A profile with fewer examples of each law is a quick run."""
STRANGER = "zoe"
"""The id of a combatant who has not joined."""


def some(fields: Mapping[str, SearchStrategy[Any]], **must: SearchStrategy[Any]) -> SearchStrategy[Json]:
    """Draws an object with some of these fields; only the named fields are required."""
    return st.fixed_dictionaries(dict(must), optional=dict(fields))


def one_of(words: typing.Iterable[str]) -> SearchStrategy[str]:
    return st.sampled_from(tuple(words))


def examples(count: int) -> int:
    """Returns the number of examples of an expensive law: all in a thorough search, some in the gate, few in a quick run.

    Args:
        count: The number in a thorough search.
    """
    usual = settings.default.max_examples
    if usual < FEW:
        return min(count, usual)
    return count if usual > count else max(usual, count // 3)
