"""Splits a typed line into words and ``field=value`` pairs, and parses values by the type of their field.

>>> words("attack at=stoya what='draws a gun'")
['attack', 'at=stoya', "what='draws a gun'"]
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from ledger.errors import Refused
from ledger.events import Json

LONGEST = 4_000
"""Maximum length of a line, in characters."""
_MOST_CANDIDATES = 8
"""Maximum number of meanings that the refusal of an ambiguous word lists."""
FieldType = inspect.Type | inspect.Metadata

_CLOSING = {"[": "]", "{": "}", '"': '"', "'": "'"}
_QUOTES = "\"'"
_NUMBER = r"[+-]?[0-9]{1,18}"
_FIELD = r"[A-Za-z_][A-Za-z0-9_-]*"
_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_MANY = (inspect.VarTupleType, inspect.ListType, inspect.SetType, inspect.FrozenSetType)


class NotUnderstood(Refused):
    """The line means nothing here, or is ambiguous."""

    slug = "table/not-understood"


class Ambiguous(NotUnderstood):
    """A word may mean several things.

    Attributes:
        word: The word.
        candidates: What could be typed in its place, the likeliest first.
    """

    def __init__(self, word: str, candidates: Sequence[str], where: str) -> None:
        message = f"{word!r} is ambiguous: it may mean {len(candidates)} things"
        super().__init__(message, where=where, accepts="; ".join(candidates[:_MOST_CANDIDATES]))
        self.word, self.candidates = word, tuple(candidates)


class BadValue(NotUnderstood):
    """The value cannot be parsed."""

    slug = "table/value"


def words(line: str) -> list[str]:
    """Splits a line into words; text in quotes or brackets is one word."""
    found, word, open_ = [], "", list[str]()
    for letter in line:
        if open_ and letter == open_[-1]:
            open_.pop()
        elif not (open_ and open_[-1] in _QUOTES) and letter in _CLOSING and _may_open(letter, word):
            open_.append(_CLOSING[letter])
        if letter.isspace() and not open_:
            found.append(word)
            word = ""
        else:
            word += letter
    return line.split() if open_ else [each for each in (*found, word) if each]


def _may_open(letter: str, word: str) -> bool:
    """Returns whether a letter opens a quotation or bracket; an apostrophe within a word does not."""
    return letter not in _QUOTES or not word or word[-1] in "=[{,: "


def rest_of(line: str, taken: int) -> str:
    """Returns a line without its first words, as it was typed."""
    for _ in range(taken):
        line = line.lstrip()
        first = next(iter(words(line)), "")
        line = line[len(first) :]
    return line.strip()


def unquoted(word: str) -> str:
    """Returns a word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in _QUOTES else word


def number(text: str) -> int | None:
    """Returns a whole number, signed or not; None if the text has another form."""
    return int(text) if re.fullmatch(_NUMBER, text) else None


def number_or_word(text: str) -> int | str:
    """Returns a whole number, or the text without quotes."""
    found = number(text)
    return unquoted(text) if found is None else found


def pairs(tokens: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Separates bare words from ``field=value`` pairs; returns the words, and the values by field."""
    bare, given = [], {}
    for token in tokens:
        field, equals, value = token.partition("=")
        if equals and re.fullmatch(_FIELD, field):
            given[field] = value
        else:
            bare.append(unquoted(token))
    return bare, given


def plain(word: str) -> str:
    """Normalizes a word for comparing: lower case, and an underscore for every gap.

    >>> plain("Point-Blank Range")
    'point_blank_range'
    """
    return re.sub(r"[\s_-]+", "_", word.strip().lower())


def one_of(word: str, among: Iterable[str]) -> str | None:
    """Returns the known word that is equal, or else the only one with this beginning; None if none or several fit."""
    known = list(dict.fromkeys(among))
    normal = plain(word)
    exact = [each for each in known if each == word] or [each for each in known if plain(each) == normal]
    found = exact or [each for each in known if normal and plain(each).startswith(normal)]
    return found[0] if len(found) == 1 else None


def among(word: str, known: Iterable[str]) -> str | None:
    """Returns the known text that a word means, as `one_of` does, or else the only one with a word that begins so."""
    texts = list(known)
    within = [each for each in texts if plain(word) and f"_{plain(word)}" in f"_{plain(each)}"]
    return one_of(word, texts) or (within[0] if len(within) == 1 else None)


def as_words(candidates: Sequence[str]) -> Mapping[str, str]:
    """Returns the meanings of an ambiguous word by the words for them: without the field, if that is enough."""
    bare = [unquoted(each.partition("=")[2] or each) for each in candidates]
    return {word if bare.count(word) == 1 else each: each for word, each in zip(bare, candidates, strict=True)}


# ------------------------------------------------------------------------------------------------ values


def fields(struct: type[msgspec.Struct]) -> Mapping[str, FieldType]:
    """Returns the types of a Struct's fields, by name; for the terms of declarations, situations and profiles."""
    known = inspect.type_info(struct)
    return {field.encode_name: field.type for field in known.fields} if isinstance(known, inspect.StructType) else {}


def typed(given: Mapping[str, str], struct: type[msgspec.Struct] | None) -> Json:
    """Parses values by the types of their fields; the name of a field may be abbreviated.

    Raises:
        BadValue: A value cannot be parsed.
    """
    known = fields(struct) if struct is not None else {}
    named = {one_of(field, known) or field: raw for field, raw in given.items()}
    return {field: value(raw, known.get(field, inspect.AnyType())) for field, raw in named.items()}


def value(raw: str, kind: FieldType) -> Any:
    """Parses a value by its type: TOML if it begins like TOML, a list if it has commas, else a number or text.

    Raises:
        BadValue: The value cannot be parsed.

    >>> value("running,smartlink", inspect.VarTupleType(inspect.StrType()))
    ['running', 'smartlink']
    """
    parts = tuple(flat(kind))
    many = next((part.item_type for part in parts if isinstance(part, _MANY)), None)
    table = next((part for part in parts if isinstance(part, inspect.DictType)), None)
    scalars = [part for part in parts if not isinstance(part, (*_MANY, inspect.DictType, inspect.StructType))]
    alone = [part for part in scalars if not isinstance(part, inspect.NoneType)]
    if raw[:1] in _CLOSING and raw:
        parsed = _toml(raw)
        return [parsed] if many is not None and not alone and not isinstance(parsed, list) else parsed
    if table is not None and (":" in raw or not alone):
        couples = (each.partition(":") for each in raw.split(",") if each.strip())
        return {key.strip(): value(each.strip(), table.value_type) for key, _, each in couples}
    if many is not None and ("," in raw or not alone):
        return [value(each.strip(), many) for each in raw.split(",") if each.strip()]
    return _scalar(raw, tuple(scalars))


def flat(kind: FieldType) -> Iterator[inspect.Type]:
    """Yields the alternatives of a union type; any other type yields itself."""
    if isinstance(kind, inspect.Metadata):
        yield from flat(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from flat(each)
    else:
        yield kind


def _scalar(raw: str, kinds: tuple[inspect.Type, ...]) -> Any:
    anything = any(isinstance(kind, inspect.AnyType) for kind in kinds)
    if raw.lower() in _YES_NO and (anything or any(isinstance(kind, inspect.BoolType) for kind in kinds)):
        return _YES_NO[raw.lower()]
    literal = any(isinstance(kind, inspect.LiteralType) and _ints(kind) for kind in kinds)
    if anything or literal or any(isinstance(kind, inspect.IntType) for kind in kinds):
        found = number(raw)
        return raw if found is None else found
    return raw


def _ints(kind: inspect.LiteralType) -> bool:
    return all(isinstance(value, int) for value in kind.values)


def _toml(raw: str) -> Any:
    import tomllib  # noqa: PLC0415  most values are words and numbers

    try:
        parsed = tomllib.loads(f"x = {raw}")["x"]
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadValue(f"{raw} cannot be parsed", where="value", accepts='words, numbers, "words", [a list]') from error
    return _checked(parsed, raw)


def _checked(parsed: Any, raw: str) -> Any:
    """Refuses what a log cannot store: fractions, dates, very large numbers.

    Raises:
        BadValue: The value, or a value in it, cannot be stored.
    """
    inner = parsed.values() if isinstance(parsed, dict) else parsed if isinstance(parsed, list) else ()
    for each in inner:
        _checked(each, raw)
    if not isinstance(parsed, dict | list | str | bool | int) or (isinstance(parsed, int) and abs(parsed) >= 10**18):
        raise BadValue(f"{raw} cannot be stored in the log", where="value", accepts="whole numbers, words, true, false")
    return parsed
