"""Fields that name a row of a table. Their type says it once; checks, schemas and completion read it there.

range: Annotated[str, RowOf("ranges")] = ""
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

Tables = Mapping[str, tuple[msgspec.Struct, ...]]
"""A ruleset's tables by name, each with its rows."""


class RowOf:
    """Marks the type of a field, of its items or of its keys, as the name of a row.

    Args:
        tables: The names of the tables, as `Ruleset.tables` has them; the row may be in any of them.
        where: A column that must be true of the row; left out, any row will do.
    """

    def __init__(self, *tables: str, where: str = "") -> None:
        self.tables = tables
        self.where = where

    def names(self, tables: Tables) -> tuple[str, ...]:
        """Returns the names of the rows, in the order of the tables.

        Args:
            tables: Those of the ruleset.
        """
        rows = (row for table in self.tables for row in tables[table] if not self.where or getattr(row, self.where))
        return tuple(dict.fromkeys(getattr(row, "name") for row in rows))  # noqa: B009


class Unknown(NamedTuple):
    """A word that names no row."""

    path: str
    """Of the field, such as ``weapons.club.kind``."""
    word: str
    accepts: tuple[str, ...]
    """The names of the rows."""


class _Field(NamedTuple):
    name: str
    encoded: str
    hint: Any
    default: Any


def unknown_rows(value: msgspec.Struct, tables: Tables) -> Iterator[Unknown]:
    """Yields the words of a document that should name a row, and name none; a field's default is never one.

    Args:
        value: A sheet, the terms of a declaration, or the beginning of a fight.
        tables: Those of the ruleset.
    """
    for path, word, marked in _named(type(value), value, ""):
        accepts = marked.names(tables)
        if word not in accepts:
            yield Unknown(path, word, accepts)


def offered_words(terms: type[msgspec.Struct], tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Returns what the types of fields say that they may be: rows, a few words, or yes where they are not.

    Args:
        terms: What is said with a kind of declaration.
        tables: Those of the ruleset.
    """
    found = {field.encoded: _words(field.hint, field.default, tables) for field in _fields(terms)}
    return {field: words for field, words in found.items() if words}


def add_rows(schema: dict[str, Any], struct: type[msgspec.Struct], tables: Tables) -> None:
    """Adds to the JSON Schema of a document the names of the rows that its fields may name.

    Args:
        schema: Of the document, as msgspec makes it; it is changed.
        struct: What the document is read as.
        tables: Those of the ruleset.
    """
    for field in _marked_fields(struct):
        _add_rows(schema["properties"][field.encoded], field.hint, field.default, tables)


def structs_within(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yields a document's type and those of all that is inside it, each once."""
    seen, waiting = set[type[msgspec.Struct]](), [struct]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += [each for field in _fields(one) for each in _structs(field.hint)]


# ------------------------------------------------------------------------------------------------ types


@lru_cache(maxsize=1024)
def _fields(struct: type[msgspec.Struct]) -> tuple[_Field, ...]:
    hints = get_type_hints(struct, include_extras=True)
    return tuple(
        _Field(field.name, field.encode_name, hints[field.name], field.default)
        for field in msgspec.structs.fields(struct)
    )


@lru_cache(maxsize=1024)
def _marked_fields(struct: type[msgspec.Struct]) -> tuple[_Field, ...]:
    """The fields that name rows, themselves or somewhere inside."""
    return tuple(field for field in _fields(struct) if _is_marked(field.hint, (struct,)))


def _is_marked(hint: Any, within: tuple[type, ...]) -> bool:
    if _mark(hint) is not None:
        return True
    inner = (field.hint for one in _structs(hint) if one not in within for field in _fields(one))
    return any(_is_marked(each, (*within, *_structs(hint))) for each in (*get_args(hint), *inner))


def _structs(hint: Any) -> tuple[type[msgspec.Struct], ...]:
    """The types of documents that a type names."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return (hint,)
    return tuple(one for each in get_args(hint) for one in _structs(each))


def _mark(hint: Any) -> RowOf | None:
    meta = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((each for each in meta if isinstance(each, RowOf)), None)


# ------------------------------------------------------------------------------------------------ check


def _named(hint: Any, value: Any, path: str) -> Iterator[tuple[str, str, RowOf]]:
    """The words in a value that should name rows, with their paths."""
    origin, marked = get_origin(hint), _mark(hint)
    if marked is not None and isinstance(value, str):
        yield path, value, marked
    elif origin is Annotated:
        yield from _named(get_args(hint)[0], value, path)
    elif isinstance(value, msgspec.Struct):
        for field in _marked_fields(type(value)):
            inside = getattr(value, field.name)
            if inside != field.default:
                yield from _named(field.hint, inside, f"{path}.{field.encoded}".lstrip("."))
    elif origin in (Union, UnionType):
        yield from _named_by_one(get_args(hint), value, path)
    elif origin is dict and isinstance(value, dict):
        keys, values = get_args(hint)
        for key, each in value.items():
            yield from _named(keys, key, path)
            yield from _named(values, each, f"{path}.{key}")
    elif origin in (tuple, list) and isinstance(value, tuple | list):
        for each in value:
            yield from _named(get_args(hint)[0], each, path)


def _named_by_one(hints: Collection[Any], value: Any, path: str) -> Iterator[tuple[str, str, RowOf]]:
    """The same of a value that is of one of several types."""
    fixed = [word for each in hints if get_origin(each) is Literal for word in get_args(each)]
    if value not in fixed:
        for each in hints:
            if isinstance(value, str) == (_mark(each) is not None):
                yield from _named(each, value, path)


# ------------------------------------------------------------------------------------------------ completion


def _words(hint: Any, default: Any, tables: Tables) -> tuple[str, ...]:
    marked, origin = _mark(hint), get_origin(hint)
    if marked is not None:
        return marked.names(tables)
    if hint is bool:
        return ("true",) if default is False else ("false",)
    if origin is Literal:
        return tuple(str(word) for word in get_args(hint) if word)
    if origin in (Annotated, tuple, Union, UnionType):
        inner = (each for each in get_args(hint) if each not in (..., NoneType, str, int))
        return tuple(word for each in inner for word in _words(each, default, tables))
    return ()


# ------------------------------------------------------------------------------------------------ schema


_SHAPES: Mapping[Any, str] = {dict: "object", tuple: "array", list: "array"}
"""What JSON Schema calls a type."""


def _add_rows(schema: dict[str, Any], hint: Any, default: Any, tables: Tables) -> None:
    """Adds the names of rows where a type says so: to the word itself, to items, to keys and values."""
    marked, origin = _mark(hint), get_origin(hint)
    if marked is not None:
        schema["enum"] = [*([default] if default == "" else []), *marked.names(tables)]
    elif origin in (Union, UnionType):
        for each in get_args(hint):
            shape = "string" if _mark(each) is not None else _SHAPES.get(get_origin(each))
            alike = (one for one in schema.get("anyOf", ()) if one.get("type") == shape and "enum" not in one)
            if shape is not None:
                _add_rows(next(alike), each, None, tables)
    elif origin is dict:
        keys, values = get_args(hint)
        if _mark(keys) is not None:
            schema["propertyNames"] = {"enum": list(_mark(keys).names(tables))}  # type: ignore[union-attr]
        if isinstance(schema.get("additionalProperties"), dict):
            _add_rows(schema["additionalProperties"], values, None, tables)
    elif origin in (tuple, list):
        _add_rows(schema["items"], get_args(hint)[0], None, tables)
