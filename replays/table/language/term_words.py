"""Finds the fields and values of a declaration's terms that typed words mean.

A word is a value or its beginning, the name of a flag, or a word within a value: ``rifle`` is the automatic rifle.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from ledger.events import Json
from replays.table.language.grammar import Ambiguous, FieldType, NotUnderstood, fields, flat, number, plain, value

DISTANCE = "distance"
"""The field that a measured word such as ``8m`` fills."""
_UNIT = r"(?:m|y|yd|yds|yards?|met(?:er|re)s?)"
MOST = 40
"""Maximum number of words of a declaration."""
_MEASURED = rf"(?i)([0-9]{{1,6}})\s?{_UNIT}"
_OF_TARGET = ("target", "defender")
"""How values begin that describe the target, which are the likeliest meanings."""
_MOST_SHOWN = 8
"""Maximum number of fields or words that a refusal lists."""
_MANY = (inspect.VarTupleType, inspect.ListType)

Offered = Mapping[str, Sequence[str]]
"""The offered values of each field."""


class TermFields(NamedTuple):
    """The fields of a kind of declaration."""

    types: Mapping[str, FieldType]
    numbers: Sequence[str]
    """The required fields that are numbers: a bare number fills the first that is missing."""
    kind: str = "KIND"

    def with_word(self, word: str, terms: Json, offered: Offered) -> Json:
        """Returns the terms with what a bare word means; unchanged if it may mean a value that they have already.

        Raises:
            Ambiguous: The word may mean several values.
            NotUnderstood: The word means nothing.
        """
        every = self._found(word, offered)
        found = self._best(every, terms)
        if len(found) == 1:
            return self._add(terms, *found[0])
        if any(_has(terms, field, term) for field, term in every):
            return terms
        if found:
            found.sort(key=lambda each: not plain(str(each[1])).startswith(_OF_TARGET))
            raise Ambiguous(word, [as_pair(field, each) for field, each in found], "terms")
        wanted = next((field for field in self.numbers if field not in terms), None)
        if wanted is not None and number(word) is not None:
            return self._add(terms, wanted, word)
        problem = f"{word!r} is not a value of any field of this declaration"
        raise NotUnderstood(problem, where="terms", accepts=self._accepts(terms, offered))

    def _accepts(self, terms: Json, offered: Offered) -> str:
        """Returns some words that would be understood, or the fields if there are few, and where all are listed."""
        values = [str(each) for field, words in offered.items() if field not in terms for each in words]
        shown = [f"{field}=" for field in self.types] if len(self.types) <= _MOST_SHOWN else values[:_MOST_SHOWN]
        return ", ".join(shown) + (f", … (help {self.kind})" if len(self.types) > _MOST_SHOWN else "") or "no terms"

    def _found(self, word: str, offered: Offered) -> list[tuple[str, Any]]:
        """Returns the fields and values that a word may mean: equal ones, else flags, beginnings, or words within."""
        typed = plain(word)
        values = [(field, each, plain(each)) for field, words in offered.items() for each in words]
        exact: list[tuple[str, Any]] = [(field, each) for field, each, known in values if known == typed]
        flags = [field for field, kind in self.types.items() if isinstance(kind, inspect.BoolType)]
        return (
            exact
            or [(field, True) for field in flags if plain(field) == typed]
            or [(field, each) for field, each, known in values if known.startswith(typed)]
            or [(field, each) for field, each, known in values if f"_{typed}" in known]
        )

    def _best(self, found: list[tuple[str, Any]], terms: Json) -> list[tuple[str, Any]]:
        """Returns the candidates to prefer: missing fields with a single value come first."""
        missing = [each for each in found if each[0] not in terms]
        single = [each for each in missing or found if not isinstance(self.types[each[0]], _MANY)]
        return found if len(found) == 1 else single or missing or found

    def _add(self, terms: Json, field: str, term: Any) -> Json:
        """Returns the terms with one more value; a field with several values keeps the others."""
        kind = self.types[field]
        if isinstance(kind, _MANY):
            before = tuple(terms.get(field) or ())
            return {**terms, field: [*before, *(each for each in (term,) if each not in before)]}
        return {**terms, field: value(term, kind) if term is not True and number(term) is not None else term}


def _has(terms: Json, field: str, term: Any) -> bool:
    """Returns whether a field has a value already, alone or among others."""
    present = terms.get(field)
    return term in present if isinstance(present, list | tuple) else present is not None and term == present


def instead(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    """Returns corrected values of a field without the old ones that new ones replace.

    A value replaces another one with the same first and last word.

    >>> instead(["target in minor cover", "running"], ["target in minor cover", "running", "target in major cover"])
    ['running', 'target in major cover']
    """
    new = {_ends(each) for each in after if each not in before}
    return [each for each in after if each not in before or _ends(each) not in new]


def _ends(text: Any) -> tuple[str, str]:
    parts = str(text).split() or [""]
    return parts[0], parts[-1]


def as_pair(field: str, term: Any) -> str:
    """Returns a term as it could be typed: a flag is its name, and text with gaps is in quotes."""
    if term is True:
        return field
    text = str(term)
    return f"{field}={text}" if text.replace("-", "").isalnum() else f'{field}="{text}"'


def required_numbers(struct: type[msgspec.Struct]) -> list[str]:
    """Returns the required fields of terms that are numbers."""
    known = fields(struct)
    needed = [field.encode_name for field in msgspec.structs.fields(struct) if field.required]
    return [name for name in needed if any(isinstance(part, inspect.IntType) for part in flat(known[name]))]


def with_distance(bare: Sequence[str], given: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Moves a word such as ``8m``, or two such as ``12 yd``, from the bare words to the pairs, as the distance."""
    for place in range(len(bare) - 1):
        if bare[place].isdecimal() and re.fullmatch(_MEASURED, both := f"{bare[place]} {bare[place + 1]}"):
            bare = [*bare[:place], both, *bare[place + 2 :]]
            break
    measured = [found[1] for word in bare if (found := re.fullmatch(_MEASURED, word)) is not None]
    others = [word for word in bare if re.fullmatch(_MEASURED, word) is None]
    return others, {**given, DISTANCE: measured[0]} if measured else dict(given)


def grouped(bare: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Joins words that together are the beginning of a value, or are all in one value only: ``cover minor``.

    Raises:
        NotUnderstood: There are more than `MOST` words.
    """
    if len(bare) > MOST:  # each span of them is looked up
        raise NotUnderstood(f"{len(bare)} words are too many for a declaration", where="terms", accepts=f"up to {MOST}")
    known = list(dict.fromkeys(plain(each) for each in values if isinstance(each, str)))
    longest = max((each.count("_") + 1 for each in known), default=1)
    found, start = [], 0
    while start < len(bare):
        ends = range(min(len(bare), start + longest), start, -1)
        joined = ((_joined(bare[start:end], known), end) for end in ends)
        word, start = next((each for each in joined if each[0]), (bare[start], start + 1))
        found.append(word)
    return found


def _joined(words: Sequence[str], known: Sequence[str]) -> str:
    """Returns the text that words mean together; empty if they mean nothing together."""
    text = " ".join(words)
    if any(each.startswith(plain(text)) for each in known):
        return text
    within = [each for each in known if all(f"_{plain(word)}" in f"_{each}" for word in words)]
    return within[0] if len(words) > 1 and len(within) == 1 else ""


def unmatched(offer: Json, bare: Iterable[str]) -> list[str]:
    """Returns the words that match nothing in the terms of an offer."""
    values = [each for each in offer.values() if isinstance(each, str)]
    values += [field for field, each in offer.items() if each is True]
    left = []
    for word in bare:
        fitting = next((each for each in values if plain(each).startswith(plain(word))), None)
        if fitting is None:
            left.append(word)
        else:
            values.remove(fitting)
    return left
