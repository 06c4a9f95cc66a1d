"""Splits modifiers with their reasons from a declaration: ``t3 +10 "high ground" 8m``, ``t3 burst -2 dark alley``."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from replays.table.language.grammar import unquoted, words

_AMOUNT = r"[+-][0-9]{1,4}"


class TypedModifier(NamedTuple):
    """A modifier that was typed in a declaration."""

    value: int
    why: str | None
    """The reason; None if none was typed."""


def split_modifiers(line: str) -> tuple[str, tuple[TypedModifier, ...]]:
    """Returns a line without modifiers, and the modifiers.

    A reason in quotes is one word; any other takes up the words until the next modifier or the end of the line.
    """
    kept: list[str] = []
    found: list[TypedModifier] = []
    tokens = words(line)
    while tokens:
        token = tokens.pop(0)
        if kept and re.fullmatch(_AMOUNT, token):
            count = _length(tokens)
            why = unquoted(" ".join(tokens[:count])) if count else None
            found.append(TypedModifier(int(token), why))
            del tokens[:count]
        else:
            kept.append(token)
    return " ".join(kept), tuple(found)


def with_reason_of_last(line: str, why: str) -> str:
    """Returns a line with the reason of its last modifier, which had none."""
    return f'{line} "{why.replace(chr(34), chr(39))}"'


def _length(tokens: Sequence[str]) -> int:
    """Returns the number of words that are the reason at the beginning of some words."""
    if tokens and tokens[0][0] in "\"'":
        return 1
    return next((place for place, token in enumerate(tokens) if re.fullmatch(_AMOUNT, token)), len(tokens))
