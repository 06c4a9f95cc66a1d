"""The grammar of a line: words, pairs of a field and a value, values by the type of their field.

>>> words("attack at=stoya what='draws a gun'")
['attack', 'at=stoya', "what='draws a gun'"]
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import inspect

from ledger.errors import Refused
from ledger.events import Json

LONGEST = 4_000
"""Characters of a line."""
Kind = inspect.Type | inspect.Metadata

_CLOSING = {"[": "]", "{": "}", '"': '"', "'": "'"}
_QUOTES = "\"'"
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_MANY = (inspect.VarTupleType, inspect.ListType, inspect.SetType, inspect.FrozenSetType)


class NotUnderstood(Refused):
    """A line that means nothing here, or more than one thing."""

    slug = "table/not-understood"


class BadValue(NotUnderstood):
    """A value that cannot be read."""

    slug = "table/value"


def words(line: str) -> list[str]:
    """The words of a line; what stands in quotes or brackets stays together."""
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
    """An apostrophe within a word is a letter."""
    return letter not in _QUOTES or not word or word[-1] in "=[{,: "


def rest_of(line: str, taken: int) -> str:
    """What is left of a line behind its first words, as it was typed."""
    for _ in range(taken):
        line = line.lstrip()
        first = next(iter(words(line)), "")
        line = line[len(first) :]
    return line.strip()


def unquoted(word: str) -> str:
    """A word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in _QUOTES else word


def number(text: str) -> int | None:
    """A whole number, signed or not; None where the text is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def number_or_word(text: str) -> int | str:
    """A number where it is one, else a word."""
    found = number(text)
    return unquoted(text) if found is None else found


def pairs(tokens: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Bare words, and values by their field."""
    bare, given = [], {}
    for token in tokens:
        field, equals, value = token.partition("=")
        if equals and _FIELD.fullmatch(field):
            given[field] = value
        else:
            bare.append(unquoted(token))
    return bare, given


def plain(word: str) -> str:
    """A word for comparing: small letters, and one sign for every gap.

    >>> plain("Point-Blank Range")
    'point_blank_range'
    """
    return re.sub(r"[\s_-]+", "_", word.strip().lower())


def one_of(word: str, among: Iterable[str]) -> str | None:
    """The word that is meant: itself, else the only one that begins so; None where none or several do."""
    known = list(dict.fromkeys(among))
    asked = plain(word)
    exact = [each for each in known if each == word] or [each for each in known if plain(each) == asked]
    found = exact or [each for each in known if asked and plain(each).startswith(asked)]
    return found[0] if len(found) == 1 else None


# ------------------------------------------------------------------------------------------------ values


def fields(struct: type[msgspec.Struct]) -> Mapping[str, Kind]:
    """The fields of a declaration's terms, a situation, a profile, with their types."""
    known = inspect.type_info(struct)
    return {field.encode_name: field.type for field in known.fields} if isinstance(known, inspect.StructType) else {}


def typed(given: Mapping[str, str], struct: type[msgspec.Struct] | None) -> Json:
    """Values as their fields want them; the name of a field may be shortened.

    Raises:
        BadValue: One cannot be read.
    """
    known = fields(struct) if struct is not None else {}
    named = {one_of(field, known) or field: raw for field, raw in given.items()}
    return {field: value(raw, known.get(field, inspect.AnyType())) for field, raw in named.items()}


def value(raw: str, kind: Kind) -> Any:
    """A value by its type: TOML where it looks so, a list where commas make one, else a number or words.

    Raises:
        BadValue: It cannot be read.

    >>> value("running,smartlink", inspect.VarTupleType(inspect.StrType()))
    ['running', 'smartlink']
    """
    parts = tuple(flat(kind))
    many = next((part.item_type for part in parts if isinstance(part, _MANY)), None)
    table = next((part for part in parts if isinstance(part, inspect.DictType)), None)
    scalars = [part for part in parts if not isinstance(part, (*_MANY, inspect.DictType, inspect.StructType))]
    alone = [part for part in scalars if not isinstance(part, inspect.NoneType)]
    if raw[:1] in _CLOSING and raw:
        said = _toml(raw)
        return [said] if many is not None and not alone and not isinstance(said, list) else said
    if table is not None and (":" in raw or not alone):
        couples = (each.partition(":") for each in raw.split(",") if each.strip())
        return {key.strip(): value(each.strip(), table.value_type) for key, _, each in couples}
    if many is not None and ("," in raw or not alone):
        return [value(each.strip(), many) for each in raw.split(",") if each.strip()]
    return _scalar(raw, tuple(scalars))


def flat(kind: Kind) -> Iterator[inspect.Type]:
    """The types that a type is made of, if it is one of several."""
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
    try:
        said = tomllib.loads(f"x = {raw}")["x"]
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadValue(f"{raw} cannot be read", where="value", accepts='words, numbers, "words", [a list]') from error
    return _whole(said, raw)


def _whole(said: Any, raw: str) -> Any:
    """Refuse what no log can hold: fractions, dates, numbers without end."""
    inner = said.values() if isinstance(said, dict) else said if isinstance(said, list) else ()
    for each in inner:
        _whole(each, raw)
    if not isinstance(said, dict | list | str | bool | int) or (isinstance(said, int) and abs(said) >= 10**18):
        raise BadValue(f"{raw} cannot be kept", where="value", accepts="whole numbers, words, true, false")
    return said
