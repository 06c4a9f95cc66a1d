"""Printed tables: strict TOML files, one a table, as typed rows; each row says where it is printed."""

from importlib.resources import files
from typing import Any, ClassVar, TypeVar

import msgspec

from ledger import source
from ledger.errors import BadSource
from machines.contract.refusals import BadTable


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of a printed table."""

    source: str
    """Book, page, heading."""
    confidence: int = 100
    """In percent; below 70 only memory backs the figures."""
    ruling: str = ""
    """The ruling by which it differs from the page, if it does."""
    signed: ClassVar[tuple[str, ...]] = ()
    """Columns that the page prints with a sign."""
    open_ended: ClassVar[tuple[str, ...]] = ()
    """Columns that it prints as ``16+`` where `more` is so."""

    def printed(self) -> dict[str, Any]:
        """Its cells, with numbers as the page has them."""
        cells: dict[str, Any] = msgspec.to_builtins(self)
        for column in self.signed:
            cells[column] = f"{cells[column]:+d}" if cells[column] else "0"
        if self.open_ended:
            more = "+" if cells.pop("more", False) else ""
            cells |= {column: f"{cells[column]}{more}" for column in self.open_ended}
        return cells


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A book that rows and rules cite."""

    code: str
    title: str
    edition: str = ""
    paged: bool = True
    """Are its pages known? Loose sheets have none, and of what others quote some are not: headings stand for them."""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Our numbered answer where a book is silent or contradicts itself."""

    id: str
    question: str
    answer: str
    because: str
    field: str = ""
    """The profile field that answers it otherwise, where tables may differ."""
    source: str


R = TypeVar("R", bound=msgspec.Struct)


def load(package: str, name: str, row: type[R], field: str = "row") -> tuple[R, ...]:
    """Read one table file.

    Args:
        package: The ruleset's package.
        name: The file below it, such as ``tables/ranges.toml``.
        row: What a line is.
        field: The name of the array of lines.

    Raises:
        BadTable: It is not valid, or a row cites nothing.
    """
    text = files(package).joinpath(name).read_bytes()
    try:
        table = msgspec.toml.decode(text, type=dict[str, list[row]])  # type: ignore[valid-type]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadTable(f"{name}: {error}", where=f"{package}/{name}") from error
    if list(table) != [field]:
        raise BadTable(f"{name}: {', '.join(table)} instead of {field}", where=f"{package}/{name}", accepts=field)
    for each in table[field]:
        _cites(each, f"{package}/{name}")
    return tuple(table[field])


def load_named(package: str, name: str, row: type[R]) -> dict[str, R]:
    """Read one table file below ``tables`` whose lines have names, by name."""
    return {getattr(each, "name"): each for each in load(package, f"tables/{name}.toml", row)}  # noqa: B009


def filled(row: Row, kind: type[R]) -> R:
    """What a row fills in: the columns that both have."""
    plain = {field: getattr(row, field) for field in kind.__struct_fields__ if hasattr(row, field)}
    return msgspec.convert(plain, kind)


def load_sheets(package: str, name: str, sheet: type[R]) -> dict[str, dict[str, Any]]:
    """Read the sheets that ship with a game, by name.

    Raises:
        BadTable: One is not a sheet.
    """
    try:
        plain = msgspec.toml.decode(files(package).joinpath(name).read_bytes(), type=dict[str, dict[str, Any]])
        msgspec.convert(plain, dict[str, sheet])  # type: ignore[valid-type]
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadTable(f"{name}: {error}", where=f"{package}/{name}") from error
    return plain


def _cites(row: msgspec.Struct, where: str) -> None:
    if not hasattr(row, "source"):
        return
    try:
        source.parse(row.source)
    except BadSource as error:
        raise BadTable(f"{error.message} in {row}", where=where, accepts=error.accepts) from error
