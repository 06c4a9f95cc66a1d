"""Finds everything that is wrong in a document: each fault with its place, its value and what is accepted there."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from machines.contract.documents.accepted import (
    Catalog,
    accepted,
    alternatives,
    bare,
    fields_accepted,
    rows_accepted,
    struct_of,
)
from machines.contract.documents.nearest import did_you_mean
from machines.contract.row_fields import RowOf, mark_of, typed_fields, unknown_names

_LONGEST_VALUE = 60
"""Maximum length in characters of a value that is quoted in full."""


class FieldFault(NamedTuple):
    """Something wrong in a document."""

    path: str
    """The place, such as ``weapons.ak-97.damage``; empty for the whole document."""
    problem: str
    """What is wrong there, without the place: ``'lots' is not accepted``, ``it is missing``."""
    accepts: str
    """What is accepted there."""

    @property
    def sentence(self) -> str:
        """The place and the problem."""
        return f"{self.path}: {self.problem}" if self.path else self.problem


def faults(document: Any, struct: type[msgspec.Struct], catalog: Catalog) -> Iterator[FieldFault]:
    """Yields the faults of a document; none if its type accepts it, and each name of a row is one.

    Args:
        document: A sheet, the terms of a declaration, or the situation of a fight, as plain data.
        struct: The type that it should have.
        catalog: The tables whose rows its fields may name.
    """
    try:
        read = msgspec.convert(document, struct)
    except msgspec.ValidationError:
        yield from _faults(document, struct, catalog, "")
        return
    for path, word, mark in unknown_names(read, catalog.tables):
        yield _unknown_row(path, word, mark, catalog)


def _unknown_row(path: str, word: str, mark: RowOf, catalog: Catalog) -> FieldFault:
    names = mark.names(catalog.tables)
    return FieldFault(path, f"{word!r} is not accepted{did_you_mean(word, names)}", rows_accepted(mark, catalog))


def _faults(value: Any, hint: Any, catalog: Catalog, path: str) -> Iterator[FieldFault]:
    """Yields the faults within a value, or else the fault of the value as a whole."""
    found = False
    for fault in _within(value, hint, catalog, path):
        found = True
        yield fault
    if not found:
        yield from _of_value(value, hint, catalog, path)


def _of_value(value: Any, hint: Any, catalog: Catalog, path: str) -> Iterator[FieldFault]:
    """Yields the fault of a value whose parts have none."""
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        words = [word for each in alternatives(hint) for word in _literals(each)]
        hint_at_word = did_you_mean(value, words) if isinstance(value, str) else ""
        reason = "" if _has_wrong_shape(value, hint) or not isinstance(value, dict | list) else f": {error}"
        yield FieldFault(path, f"{_quoted(value)} is not accepted{reason}{hint_at_word}", accepted(hint, catalog))
        return
    for each in alternatives(hint):
        mark = mark_of(each)
        if mark is not None and isinstance(value, str) and not mark.has(value, catalog.tables):
            yield _unknown_row(path, value, mark, catalog)


def _within(value: Any, hint: Any, catalog: Catalog, path: str) -> Iterator[FieldFault]:
    """Yields the faults of the parts of a value, by the alternative of its type that has its shape."""
    for each in alternatives(hint):
        plain, struct = bare(each), struct_of(each)
        inner = get_args(plain)
        if struct is not None and isinstance(value, dict):
            yield from _of_fields(value, struct, catalog, path)
        elif get_origin(plain) is dict and isinstance(value, dict):
            yield from _of_table(value, inner, catalog, path)
        elif get_origin(plain) in (tuple, list) and isinstance(value, list | tuple):
            items = inner if len(inner) == len(value) and inner[-1] is not Ellipsis else inner[:1] * len(value)
            for item, kind in zip(value, items, strict=True):
                yield from _faults(item, kind, catalog, path)


def _of_fields(
    value: Mapping[str, Any], struct: type[msgspec.Struct], catalog: Catalog, path: str
) -> Iterator[FieldFault]:
    fields = {field.encoded: field for field in typed_fields(struct)}
    for name in value:
        if name not in fields:
            yield FieldFault(
                _joined(path, name), f"there is no such field{did_you_mean(str(name), fields)}", fields_accepted(struct)
            )
    for field in msgspec.structs.fields(struct):
        name = field.encode_name
        if name not in value:
            if field.required:
                yield FieldFault(_joined(path, name), "it is missing", accepted(fields[name].hint, catalog))
        elif value[name] != field.default:
            yield from _faults(value[name], fields[name].hint, catalog, _joined(path, name))


def _of_table(value: Mapping[str, Any], inner: tuple[Any, ...], catalog: Catalog, path: str) -> Iterator[FieldFault]:
    for key, each in value.items():
        yield from _faults(key, inner[0], catalog, _joined(path, key))
        yield from _faults(each, inner[1], catalog, _joined(path, key))


def _has_wrong_shape(value: Any, hint: Any) -> bool:
    """Returns whether a type accepts neither tables nor lists, where the value is one."""
    origins = [get_origin(bare(each)) for each in alternatives(hint)]
    takes_tables = any(struct_of(each) is not None for each in alternatives(hint)) or dict in origins
    takes_lists = tuple in origins or list in origins
    return not (takes_tables if isinstance(value, dict) else takes_lists)


def _literals(hint: Any) -> tuple[str, ...]:
    plain = bare(hint)
    return tuple(word for word in get_args(plain) if isinstance(word, str)) if get_origin(plain) is Literal else ()


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        text = repr(value)
    else:
        from json import dumps  # noqa: PLC0415  a fight is played without it

        text = dumps(value, default=str, skipkeys=True)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
