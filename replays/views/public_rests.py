"""What everybody sees of the rolls and choices that the table waits for, where that is not the whole."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

NOTHING = "players see nothing of this"
WITHOUT = "players see it without its numbers"
"""What is said of a roll or a choice of which everybody sees no more."""


def seen_otherwise(whole: Iterable[Mapping[str, Any]], public: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Returns, by key, what everybody sees of each roll or choice that they do not see as it is.

    Args:
        whole: The rests of a state document, as the gamemaster sees them.
        public: The same, as a spectator sees them.
    """
    shown = {rest["key"]: rest for rest in public}
    return {rest["key"]: _in_words(rest, shown.get(rest["key"])) for rest in whole if shown.get(rest["key"]) != rest}


def _in_words(rest: Mapping[str, Any], other: Mapping[str, Any] | None) -> str:
    if other is None:
        return NOTHING
    return "; ".join(_differences(rest, other)) or WITHOUT


def _differences(rest: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """The words that are others, and the options that are not there."""
    words = [other["purpose"]] if other["purpose"] != rest["purpose"] else []
    offered, shown = ([each["option"] for each in one.get("options", ())] for one in (rest, other))
    words += [", ".join(shown)] if offered != shown else []
    if words:
        yield f"players see: {': '.join(words)}"
