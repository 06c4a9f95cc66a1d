"""Fields that name a row of a table: checks, schemas and completion derive from a mark in the type of the field.

range: Annotated[str, RowOf("ranges")] = ""
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

Tables = Mapping[str, tuple[msgspec.Struct, ...]]
"""The tables of a ruleset, by name."""


class RowOf:
    """Marks the type of a field, of its items or of its keys as the name of a row.

    Args:
        tables: The names of tables in `Ruleset.tables`; the row may be in any of them.
        where: A column that must be true in the row; by default any row is accepted.
        fields: A column that must be true in rows whose name may be followed by a colon and a field, such as
            ``exotic: whip``; by default no name may.
        column: The column with the name of the row, or with several names.
        also: Words that are accepted beside the names of rows.
    """

    def __init__(
        self, *tables: str, where: str = "", fields: str = "", column: str = "name", also: tuple[str, ...] = ()
    ) -> None:
        self.tables = tables
        self.where = where
        self.fields = fields
        self.column = column
        self.also = also

    def names(self, tables: Tables) -> tuple[str, ...]:
        """Returns the names of the rows, in the order of the tables.

        Args:
            tables: The tables of the ruleset.
        """
        rows = (row for row in self._rows(tables) if not self.where or getattr(row, self.where))
        return tuple(dict.fromkeys((*self.also, *(name for row in rows for name in self._named(row)))))

    def has(self, word: str, tables: Tables) -> bool:
        """Returns whether a word is the name of such a row.

        Args:
            word: The word.
            tables: The tables of the ruleset.
        """
        name, colon, _ = word.partition(":") if self.fields else (word, "", "")
        if word in self.also:
            return True
        for table in self.tables:
            for row in tables[table]:
                named = getattr(row, self.column)
                is_named = named == name if isinstance(named, str) else name in named
                if is_named and self._is_allowed(row, with_field=bool(colon)):
                    return True
        return False

    def schema(self, tables: Tables, *others: str) -> dict[str, Any]:
        """Returns the JSON Schema of such a name.

        Args:
            tables: The tables of the ruleset.
            others: Further words that are accepted.
        """
        names = {"enum": [*others, *self.names(tables)]}
        open_ended = [re.escape(name) for name in self.names(tables) if self.fields and self.has(f"{name}:", tables)]
        return {"anyOf": [names, {"pattern": f"^(?:{'|'.join(open_ended)}):"}]} if open_ended else names

    def _rows(self, tables: Tables) -> Iterator[msgspec.Struct]:
        return (row for table in self.tables for row in tables[table])

    def _is_allowed(self, row: msgspec.Struct, *, with_field: bool) -> bool:
        """Returns whether the columns that must be true in a row are true."""
        if self.where and not getattr(row, self.where):
            return False
        return not with_field or bool(getattr(row, self.fields))

    def _named(self, row: msgspec.Struct) -> tuple[str, ...]:
        named = getattr(row, self.column)
        return (named,) if isinstance(named, str) else tuple(named)


class UnknownRow(NamedTuple):
    """A value that should name a row, and names none."""

    path: str
    """The path of the field, such as ``weapons.club.kind``."""
    word: str
    accepts: tuple[str, ...]
    """The names of the rows."""


class TypedField(NamedTuple):
    """A field of a struct, and what a text in it may name."""

    name: str
    encoded: str
    """The name in documents."""
    hint: Any
    """The type with its annotations."""
    default: Any
    names: tuple[tuple[str, ...], tuple[RowOf, ...]]
    """Literals that a text may be instead of the name of a row, and its marks; no marks if it names no row."""


def unknown_rows(value: msgspec.Struct, tables: Tables) -> Iterator[UnknownRow]:
    """Yields the values of a document that should name a row, and name none. Default values are not checked.

    Args:
        value: A sheet, the terms of a declaration, or the situation of a fight.
        tables: The tables of the ruleset.
    """
    for path, word, marked in unknown_names(value, tables):
        yield UnknownRow(path, word, marked.names(tables))


def unknown_names(value: msgspec.Struct, tables: Tables) -> Iterator[tuple[str, str, RowOf]]:
    """Yields the path, the value and the mark of each field that should name a row, and names none."""
    return (named for named in _named(type(value), value, "") if not named[2].has(named[1], tables))


def offered_words(terms: type[msgspec.Struct], tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Returns the values that follow from the types of fields: names of rows, literals, or the opposite of a default.

    Args:
        terms: The type of the terms of a kind of declaration.
        tables: The tables of the ruleset.
    """
    found = {field.encoded: _words(field.hint, field.default, tables) for field in typed_fields(terms)}
    return {field: words for field, words in found.items() if words}


def add_rows(schema: dict[str, Any], struct: type[msgspec.Struct], tables: Tables) -> None:
    """Adds the names of rows to the JSON Schema of a document.

    Args:
        schema: The schema of the document, as generated by msgspec; changed in place.
        struct: The type of the document.
        tables: The tables of the ruleset.
    """
    for field in _marked_fields(struct):
        _add_rows(schema["properties"][field.encoded], field.hint, field.default, tables)


def structs_within(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yields the type of a document and the types of all structs inside it, each once."""
    seen, waiting = set[type[msgspec.Struct]](), [struct]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += [each for field in typed_fields(one) for each in _structs(field.hint)]


# ------------------------------------------------------------------------------------------------ types


@lru_cache(maxsize=1024)
def typed_fields(struct: type[msgspec.Struct]) -> tuple[TypedField, ...]:
    """Returns the fields of a struct, with their types."""
    hints = get_type_hints(struct, include_extras=True)
    return tuple(
        TypedField(field.name, field.encode_name, hints[field.name], field.default, _marks_of_text(hints[field.name]))
        for field in msgspec.structs.fields(struct)
    )


@lru_cache(maxsize=1024)
def _marked_fields(struct: type[msgspec.Struct]) -> tuple[TypedField, ...]:
    """Returns the fields that name rows, directly or in a nested value."""
    return tuple(field for field in typed_fields(struct) if _is_marked(field.hint, (struct,)))


def _is_marked(hint: Any, within: tuple[type, ...]) -> bool:
    if mark_of(hint) is not None:
        return True
    inner = (field.hint for one in _structs(hint) if one not in within for field in typed_fields(one))
    return any(_is_marked(each, (*within, *_structs(hint))) for each in (*get_args(hint), *inner))


def _structs(hint: Any) -> tuple[type[msgspec.Struct], ...]:
    """Returns the structs that a type refers to."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return (hint,)
    return tuple(one for each in get_args(hint) for one in _structs(each))


def _marks_of_text(hint: Any) -> tuple[tuple[str, ...], tuple[RowOf, ...]]:
    """Returns the literals of a type, and the marks of a text in it that is none of them."""
    marked, origin = mark_of(hint), get_origin(hint)
    if marked is not None:
        return (), (marked,)
    if origin is Annotated:
        return _marks_of_text(get_args(hint)[0])
    inner = get_args(hint) if origin in (Union, UnionType) else ()
    words = tuple(word for each in inner if get_origin(each) is Literal for word in get_args(each))
    return words, tuple(mark for each in inner if (mark := mark_of(each)) is not None)


def mark_of(hint: Any) -> RowOf | None:
    """Returns the mark in the annotations of a type; None if it names no row."""
    for each in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        if isinstance(each, RowOf):
            return each
    return None


# ------------------------------------------------------------------------------------------------ check


def _named(hint: Any, value: Any, path: str) -> Iterator[tuple[str, str, RowOf]]:
    """Yields the values that should name rows: path, value, mark."""
    origin = get_origin(hint)
    if isinstance(value, str):
        yield from _of_text(value, path, *_marks_of_text(hint))
    elif isinstance(value, msgspec.Struct):
        for field in _marked_fields(type(value)):
            inside = getattr(value, field.name)
            if inside != field.default:
                where = f"{path}.{field.encoded}" if path else field.encoded
                is_text = isinstance(inside, str)
                yield from _of_text(inside, where, *field.names) if is_text else _named(field.hint, inside, where)
    elif origin is Annotated:
        yield from _named(get_args(hint)[0], value, path)
    elif origin in (Union, UnionType):
        for each in get_args(hint):
            yield from _named(each, value, path)
    elif origin is dict and isinstance(value, dict):
        keys, values = get_args(hint)
        for key, each in value.items():
            yield from _named(keys, key, f"{path}.{key}")
            yield from _named(values, each, f"{path}.{key}")
    elif origin in (tuple, list) and isinstance(value, tuple | list):
        for each in value:
            yield from _named(get_args(hint)[0], each, path)


def _of_text(
    text: str, path: str, words: tuple[str, ...], marks: tuple[RowOf, ...]
) -> Collection[tuple[str, str, RowOf]]:
    """Returns what a text should name: nothing if it is one of some words."""
    return [(path, text, mark) for mark in marks] if text not in words else ()


# ------------------------------------------------------------------------------------------------ completion


def _words(hint: Any, default: Any, tables: Tables) -> tuple[str, ...]:
    marked, origin = mark_of(hint), get_origin(hint)
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
"""The name of a type in JSON Schema."""


def _add_rows(schema: dict[str, Any], hint: Any, default: Any, tables: Tables) -> None:
    """Adds the names of rows to the schema of a marked type: to the value, to items, to keys and values."""
    marked, origin = mark_of(hint), get_origin(hint)
    if marked is not None:
        schema.update(marked.schema(tables, *([default] if default == "" else [])))
    elif origin in (Union, UnionType):
        for each in get_args(hint):
            shape = "string" if mark_of(each) is not None else _SHAPES.get(get_origin(each))
            alike = (one for one in schema.get("anyOf", ()) if one.get("type") == shape and "enum" not in one)
            if shape is not None:
                _add_rows(next(alike), each, None, tables)
    elif origin is dict:
        keys, values = get_args(hint)
        if (named := mark_of(keys)) is not None:
            schema["propertyNames"] = named.schema(tables)
        if isinstance(schema.get("additionalProperties"), dict):
            _add_rows(schema["additionalProperties"], values, None, tables)
    elif origin in (tuple, list):
        _add_rows(schema["items"], get_args(hint)[0], None, tables)
