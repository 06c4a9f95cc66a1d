"""Gives an example of a value that a type accepts."""

from typing import Any, Literal, get_args, get_origin

import msgspec

from machines.contract.documents.accepted import Catalog, alternatives, bare, bounds_of, metas_of, struct_of
from machines.contract.row_fields import mark_of, typed_fields


def example(hint: Any, catalog: Catalog) -> Any:
    """Returns a value that a type accepts: the example in its annotations, or else a simple one.

    Args:
        hint: The type of a field, with its annotations.
        catalog: The tables whose rows a field may name.

    >>> example(dict[str, int], Catalog("", {})), example(Literal["", "slow"], Catalog("", {}))
    ({'NAME': 1}, 'slow')
    """
    first = alternatives(hint)[0]
    given = next((meta.examples[0] for meta in metas_of(first) if meta.examples), None)
    mark, plain = mark_of(first), bare(first)
    if given is not None:
        return given
    if mark is not None:
        return mark.names(catalog.tables)[0]
    if get_origin(plain) is Literal:
        return next(word for word in get_args(plain) if word != "")
    struct = struct_of(plain)
    return _simple(first, plain, catalog) if struct is None else required_fields(struct, catalog)


def required_fields(struct: type[msgspec.Struct], catalog: Catalog) -> dict[str, Any]:
    """Returns an example of a document with the required fields of its type."""
    needed = {field.encode_name for field in msgspec.structs.fields(struct) if field.required}
    return {field.encoded: example(field.hint, catalog) for field in typed_fields(struct) if field.encoded in needed}


def _simple(hint: Any, plain: Any, catalog: Catalog) -> Any:
    origin, inner = get_origin(plain), get_args(plain)
    if plain is bool:
        return True
    if plain is int:
        least, most = bounds_of(hint)
        return max(1, least or 0) if most is None or most >= 1 else most
    if origin in (tuple, list):
        return [example(each, catalog) for each in inner if each is not Ellipsis]
    if origin is dict:
        key = example(inner[0], catalog) if mark_of(inner[0]) is not None else "NAME"
        return {key: example(inner[1], catalog)}
    return "text"
