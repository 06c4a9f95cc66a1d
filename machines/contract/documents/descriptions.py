"""Describes each field of a document: its meaning, what it accepts, and its default."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from machines.contract.documents.accepted import Catalog, accepted, alternatives, is_named
from machines.contract.documents.meanings import meanings
from machines.contract.row_fields import typed_fields

_NOTHING = ("", None, (), msgspec.NODEFAULT)
"""Defaults that are not worth stating."""


class DescribedField(NamedTuple):
    """A field with what people want to know of it."""

    encoded: str
    """The name in documents."""
    hint: Any
    default: Any
    meaning: str
    is_required: bool

    def words(self, catalog: Catalog) -> str:
        """Returns the meaning of the field, what it accepts, and its default."""
        default = "" if self.default in _NOTHING or self.is_required else f"; {_shown(self.default)} if omitted"
        text = f"{self.accepts(catalog)}{'; required' if self.is_required else default}."
        return f"{self.meaning} {text[:1].upper()}{text[1:]}".strip()

    def accepts(self, catalog: Catalog) -> str:
        """Returns what the field accepts."""
        text = accepted(self.hint, catalog)
        is_name = any(is_named(each) for each in alternatives(self.hint))
        return f"one of: {text}" if is_name and not text.startswith("one of") else text


def described_fields(struct: type[msgspec.Struct]) -> Sequence[DescribedField]:
    """Returns the fields of a struct, the required ones first."""
    documented = meanings(struct)
    fields = zip(typed_fields(struct), msgspec.structs.fields(struct), strict=True)
    described = [
        DescribedField(each.encoded, each.hint, each.default, documented.get(each.encoded, ""), stated.required)
        for each, stated in fields
    ]
    return sorted(described, key=lambda field: not field.is_required)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
