"""Describes how spectators see open rolls and choices that they do not see whole."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

NOTHING = "players see nothing of this"
WITHOUT = "players see it without its numbers"
"""The description of a rest of which spectators see no more than that it is open."""


def seen_otherwise(whole: Iterable[Mapping[str, Any]], public: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Returns descriptions, by key, of the rests that spectators see differently from the gamemaster.

    Args:
        whole: The rests of a state document as the gamemaster sees them.
        public: The same rests as a spectator sees them.
    """
    shown = {rest["key"]: rest for rest in public}
    return {rest["key"]: _in_words(rest, shown.get(rest["key"])) for rest in whole if shown.get(rest["key"]) != rest}


def _in_words(rest: Mapping[str, Any], other: Mapping[str, Any] | None) -> str:
    if other is None:
        return NOTHING
    return "; ".join(_differences(rest, other)) or WITHOUT


def _differences(rest: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Yields a description of a different purpose or different options."""
    words = [other["purpose"]] if other["purpose"] != rest["purpose"] else []
    offered, shown = ([each["option"] for each in one.get("options", ())] for one in (rest, other))
    words += [", ".join(shown)] if offered != shown else []
    if words:
        yield f"players see: {': '.join(words)}"
