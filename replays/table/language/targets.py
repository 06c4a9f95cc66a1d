"""Finds the combatant that a line begins with: an id or a name, its only beginning, or initials with the number.

``t3`` is ``thug-3``, as ``thug-3``, ``Thug 3`` and ``th3`` are; ``raz`` is Razor if no other name begins so.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from projections.combatants.roster import Roster
from replays.table.language.grammar import Ambiguous, plain, unquoted

_NUMBERED = r"([a-z]+)_?([0-9]+)"
_LONGEST = 6
"""Maximum number of words of a name that is looked for."""


def id_of(roster: Roster, text: str) -> str:
    """Returns the id of the combatant with this id or name, ignoring case; the text itself if none or several match."""
    text = text.strip()
    if text in roster:
        return text
    small = text.casefold()
    found = [who for who in roster.who if who.casefold() == small]
    here = [(who, combatant) for who, combatant in roster.who.items() if combatant.here]
    found = found or [who for who, combatant in here if small in map(str.casefold, combatant.names)]
    found = found or [who for who, combatant in here if combatant.name.casefold() == small]
    return found[0] if len(found) == 1 else text


def named_exactly(words: Sequence[str], roster: Roster, among: Collection[str]) -> tuple[str, int] | None:
    """Returns the combatant whose id or name the words begin with, and how many words it takes; None if there is none.

    Args:
        words: The words of a line.
        roster: All combatants.
        among: The combatants that may be meant.

    Raises:
        Ambiguous: Several combatants have that name.
    """
    for count in range(min(len(words), _LONGEST), 0, -1):
        typed = plain(" ".join(map(unquoted, words[:count])))
        found = [who for who in among if typed in _names(roster, who)]
        if found:
            return _single(typed, found), count
    return None


def named_briefly(word: str, roster: Roster, among: Collection[str]) -> str | None:
    """Returns the combatant that a word abbreviates; None if it abbreviates none.

    Args:
        word: The beginning of an id or a name, or initials with the number.
        roster: All combatants.
        among: The combatants that may be meant.

    Raises:
        Ambiguous: It may abbreviate several.
    """
    typed = plain(unquoted(word))
    found = abbreviated(typed, {who: [*_names(roster, who)] for who in among}) if typed else []
    return _single(typed, found) if found else None


def combatant_named(text: str, roster: Roster) -> str | None:
    """Returns the combatant here that a text names in whole or in brief; None if it names none.

    Raises:
        Ambiguous: It may name several.
    """
    among = [who for who, combatant in roster.who.items() if combatant.here]
    whole = named_exactly([text], roster, among)
    return whole[0] if whole is not None else named_briefly(text, roster, among)


def id_meant(roster: Roster, text: str) -> str:
    """Returns the id of the combatant that a text names in whole or in brief; the text itself if it names none.

    Raises:
        Ambiguous: It may name several.
    """
    who = id_of(roster, text)
    return who if who in roster else combatant_named(text, roster) or who


def is_numbered(word: str) -> bool:
    """Returns whether a word may briefly name one of several combatants: letters and a number, such as ``t2``."""
    return re.fullmatch(_NUMBERED, plain(unquoted(word))) is not None


def _single(typed: str, found: Sequence[str]) -> str:
    if len(found) > 1:
        raise Ambiguous(typed, found, "terms")
    return found[0]


def abbreviated(typed: str, names: Mapping[str, Collection[str]]) -> list[str]:
    """Returns the combatants of whose id or name the word is the beginning, or initials with the number.

    Args:
        typed: The word, plain.
        names: The plain names of each combatant.
    """
    begun = [who for who, known in names.items() if any(name.startswith(typed) for name in known)]
    numbered = re.fullmatch(_NUMBERED, typed)
    if begun or numbered is None:
        return begun
    letters, number = numbered.groups()
    ends = re.compile(rf"{letters}.*[^0-9]0*{number}")
    return [who for who, known in names.items() if any(ends.fullmatch(name) for name in known)]


def _names(roster: Roster, who: str) -> Iterator[str]:
    """Yields the names of a combatant: the id, the name, and for a hidden combatant the names that were typed."""
    combatant = roster[who]
    yield from map(plain, (who, combatant.name, *combatant.names))
