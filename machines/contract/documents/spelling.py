"""Corrects the case of names in a document: ``Ares Predator IV`` names the row ``ares predator iv``."""

from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

import msgspec

from machines.contract.documents.accepted import Catalog, alternatives, bare, struct_of
from machines.contract.documents.nearest import same_name
from machines.contract.row_fields import mark_of, typed_fields


def spelled(value: Any, hint: Any, catalog: Catalog) -> Any:
    """Returns a document with fields, rows and words written as the ruleset writes them.

    Names are recognized in any case, with hyphens or underscores for spaces. Everything else stays as it is.

    Args:
        value: A document, or a part of one, as plain data.
        hint: The type that it should have.
        catalog: The tables whose rows its fields may name.
    """
    for each in alternatives(hint):
        plain, inner, struct = bare(each), get_args(bare(each)), struct_of(each)
        if isinstance(value, str):
            value = same_name(value, _names(each, catalog)) or value
        elif struct is not None and isinstance(value, dict):
            return _fields(value, struct, catalog)
        elif get_origin(plain) is dict and isinstance(value, dict):
            return {spelled(key, inner[0], catalog): spelled(one, inner[1], catalog) for key, one in value.items()}
        elif get_origin(plain) in (tuple, list) and isinstance(value, list | tuple):
            return [spelled(one, inner[0], catalog) for one in value]
    return value


def _fields(value: dict[str, Any], struct: type[msgspec.Struct], catalog: Catalog) -> dict[str, Any]:
    hints = {field.encoded: field.hint for field in typed_fields(struct)}
    named = {_free_name(name, same_name(name, hints), value): one for name, one in value.items()}
    return {name: spelled(one, hints.get(name, Any), catalog) for name, one in named.items()}


def _free_name(name: str, right: str | None, value: dict[str, Any]) -> str:
    """Returns the right spelling of a name; the name as it is if there is none, or if the value has that field too."""
    return right if right and right not in value else name


def _names(hint: Any, catalog: Catalog) -> Iterable[str]:
    mark, plain = mark_of(hint), bare(hint)
    if mark is not None:
        return mark.names(catalog.tables)
    return (word for word in get_args(plain) if isinstance(word, str)) if get_origin(plain) is Literal else ()
