"""Reads the meanings of a struct's fields: the docstrings below them in the source."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import msgspec


@lru_cache(maxsize=256)
def meanings(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """Returns the docstrings of a struct's fields in plain text, by the name of the field.

    A field without a docstring has the description in its type, if there is one, or else no entry. So has every field
    if the source of the class is not available.

    Args:
        struct: The type of a document, or of a part of one.
    """
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found.update(_documented(base))
    return {field.encode_name: found[field.name] for field in msgspec.structs.fields(struct) if field.name in found}


def about(struct: type[msgspec.Struct]) -> str:
    """Returns the docstring of a struct in plain text."""
    return _plain(inspect.getdoc(struct) or "")


def _documented(struct: type) -> Iterator[tuple[str, str]]:
    """Yields the fields of a class with the docstrings below them."""
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    for field, below in pairwise(body):
        is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            yield field.target.id, _plain(str(below.value.value))  # type: ignore[attr-defined]


def _plain(docstring: str) -> str:
    return " ".join(docstring.replace("``", "").split())
