"""Finds the known name that is most like a mistyped one."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 80
"""Maximum length in characters of a name that is compared: longer ones are no typing errors."""


def same_name(word: str, known: Iterable[str]) -> str:
    """Returns the known name that is equal but for case, hyphens and underscores; empty if none or several are.

    >>> same_name("Ares Predator IV", ("ares predator iv", "ares predator")), same_name("ares", ("ares predator",))
    ('ares predator iv', '')
    """
    names = list(known)
    found = [name for name in names if name == word] or [name for name in names if _plain(name) == _plain(word)]
    return found[0] if len(found) == 1 else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns the known name that is most like a word; empty if none is like it.

    Args:
        word: The word as it was typed.
        known: The names that are accepted.

    >>> nearest("Automatc Rifle", ("club", "automatic rifle")), nearest("rifle", ("club", "automatic rifle"))
    ('automatic rifle', 'automatic rifle')
    >>> nearest("spoon", ("club", "automatic rifle"))
    ''
    """
    typed = _plain(word)
    names = {_plain(name): name for name in known}
    if not typed or len(typed) > _LONGEST:
        return ""
    found = [typed] if typed in names else get_close_matches(typed, names, 1)
    within = (name for name in names if f" {name}".find(f" {typed}") >= 0)
    return names[found[0]] if found else names.get(next(within, ""), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns the end of a sentence that proposes the nearest known name; empty if none is like the word.

    >>> did_you_mean("brodsword", ("broadsword", "axe")), did_you_mean("spoon", ("axe",))
    ("; did you mean 'broadsword'?", '')
    """
    found = nearest(word, known)
    return f"; did you mean {found!r}?" if found else ""


def _plain(word: str) -> str:
    return re.sub(r"[\s_-]+", " ", word.strip().lower())
