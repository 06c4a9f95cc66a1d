"""States in words what the type of a field accepts."""

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from machines.contract.row_fields import RowOf, Tables, mark_of

_MOST_NAMES = 24
"""Maximum number of rows that are listed by name; beyond it, the command is named that lists them."""


class Catalog(NamedTuple):
    """The tables of a ruleset, with the name under which people find them."""

    game: str
    tables: Tables


def alternatives(hint: Any) -> tuple[Any, ...]:
    """Returns the types that a field accepts, without None; a type that is no union is its only alternative."""
    if get_origin(hint) is Annotated and get_origin(get_args(hint)[0]) in (Union, UnionType):
        hint = get_args(hint)[0]
    every = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(each for each in every if each is not NoneType)


def bare(hint: Any) -> Any:
    """Returns a type without its annotations."""
    return bare(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def metas_of(hint: Any) -> Iterator[msgspec.Meta]:
    """Yields the bounds and descriptions in the annotations of a type."""
    yield from (each for each in get_args(hint)[1:] if isinstance(each, msgspec.Meta))


def struct_of(hint: Any) -> type[msgspec.Struct] | None:
    """Returns the struct that a type is; None if it is none."""
    plain = bare(hint)
    return plain if isinstance(plain, type) and issubclass(plain, msgspec.Struct) else None


def bounds_of(hint: Any) -> tuple[int | None, int | None]:
    """Returns the least and the greatest number that a type accepts; None for no limit."""
    if get_origin(hint) is not Annotated:
        return None, None
    least, most = bounds_of(get_args(hint)[0])
    for meta in metas_of(hint):
        least = least if meta.ge is None else int(meta.ge)
        most = most if meta.le is None else int(meta.le)
    return least, most


def description_of(hint: Any) -> str:
    """Returns the description in the annotations of a type; empty if it has none."""
    return next((meta.description for meta in metas_of(hint) if meta.description), "")


def is_named(hint: Any) -> bool:
    """Returns whether a type accepts some names only: rows of tables, or words."""
    return mark_of(hint) is not None or get_origin(bare(hint)) is Literal


def accepted(hint: Any, catalog: Catalog) -> str:
    """Returns what a type accepts, in words.

    Args:
        hint: The type of a field, with its annotations.
        catalog: The tables whose rows a field may name.

    >>> accepted(Annotated[int, msgspec.Meta(ge=1, le=6)], Catalog("", {})), accepted(bool, Catalog("", {}))
    ('a whole number from 1 to 6', 'true or false')
    """
    return ", or ".join(_alternative(each, catalog) for each in alternatives(hint))


def rows_accepted(mark: RowOf, catalog: Catalog) -> str:
    """Returns the names of the rows that a field may name, or the commands that list them if they are many."""
    names = mark.names(catalog.tables)
    with_field = [name for name in names if mark.fields and mark.has(f"{name}:", catalog.tables)][:1]
    more = "".join(f", and a field after some, as in {name}: FIELD" for name in with_field)
    if len(names) <= _MOST_NAMES:
        return ", ".join(names) + more
    first, *others = mark.tables
    also = f" (and {', '.join(others)})" if others else ""
    return f"one of {len(names)} names: affray rules {catalog.game} {first}{also}{more}"


def fields_accepted(struct: type[msgspec.Struct]) -> str:
    """Returns the names of a struct's fields; those that may be omitted are marked with ``?``."""
    return ", ".join(field.encode_name + ("" if field.required else "?") for field in msgspec.structs.fields(struct))


def keys_accepted(table: Any, catalog: Catalog) -> str:
    """Returns which names the entries of a table have, if they name rows; else an empty text.

    Args:
        table: The type of a table by name, without annotations.
        catalog: The tables whose rows the names may be.
    """
    mark = mark_of(get_args(table)[0])
    return "" if mark is None else f"; NAME is {rows_accepted(mark, catalog)}"


def _alternative(hint: Any, catalog: Catalog) -> str:
    mark, plain = mark_of(hint), bare(hint)
    origin, inner = get_origin(plain), get_args(plain)
    if mark is not None:
        return rows_accepted(mark, catalog)
    if origin is Literal:
        return ", ".join(str(word) for word in inner if word != "")
    struct = struct_of(plain)
    if struct is not None:
        return f"a table with {fields_accepted(struct)}"
    if origin is dict:
        return f"a table of NAME = {accepted(inner[1], catalog)}{keys_accepted(plain, catalog)}"
    if origin in (tuple, list):
        return _list(inner, catalog)
    return _scalar(hint, plain)


def _list(inner: tuple[Any, ...], catalog: Catalog) -> str:
    if inner[-1] is Ellipsis or len(inner) == 1:
        return f"a list of: {accepted(inner[0], catalog)}"
    return f"a list of {len(inner)}: {'; '.join(accepted(each, catalog) for each in inner)}"


def _scalar(hint: Any, plain: Any) -> str:
    if plain is bool:
        return "true or false"
    if plain is int:
        return f"a whole number{_range(*bounds_of(hint))}"
    description = description_of(hint)
    return description[:1].lower() + description[1:] if description else "text"


def _range(least: int | None, most: int | None) -> str:
    if least is None and most is None:
        return ""
    if least is None:
        return f", {most} or less"
    return f", {least} or more" if most is None else f" from {least} to {most}"
