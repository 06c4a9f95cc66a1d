"""Loads printed tables: strict TOML files with typed rows, each of which cites its page."""

from typing import Any, ClassVar, TypeVar

import msgspec

from ledger import source
from ledger.errors import BadSource
from machines.contract.parsed_files import parsed
from machines.contract.refusals import BadTable


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of a printed table."""

    source: str
    """Book, page, heading."""
    confidence: int = 100
    """The confidence in percent; below 70, the figures are from memory alone."""
    ruling: str = ""
    """The ruling because of which the row differs from the page, if it does."""
    signed: ClassVar[tuple[str, ...]] = ()
    """The columns that are printed with a sign."""
    open_ended: ClassVar[tuple[str, ...]] = ()
    """The columns that are printed as ``16+`` if `more` is true."""

    def printed(self) -> dict[str, Any]:
        """Returns the cells, with numbers formatted as printed."""
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
    """Whether pages are cited. Loose sheets have none, and those of some quoted books are unknown: headings suffice."""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A numbered answer to a question on which a book is silent or contradicts itself."""

    id: str
    question: str
    answer: str
    because: str
    field: str = ""
    """The profile field for other answers, if there are playable ones."""
    source: str


R = TypeVar("R", bound=msgspec.Struct)


def load(package: str, name: str, row: type[R], field: str = "row") -> tuple[R, ...]:
    """Loads a table.

    Args:
        package: The package of the ruleset.
        name: The path of the file below it, such as ``tables/ranges.toml``.
        row: The type of a row.
        field: The name of the array of rows.

    Raises:
        BadTable: The file is not valid, or a row has no valid citation.
    """
    try:
        table = msgspec.convert(parsed(package, name), dict[str, list[row]], str_keys=True)  # type: ignore[valid-type]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadTable(f"{name}: {error}", where=f"{package}/{name}") from error
    if list(table) != [field]:
        raise BadTable(f"{name}: {', '.join(table)} instead of {field}", where=f"{package}/{name}", accepts=field)
    for each in table[field]:
        _cites(each, f"{package}/{name}")
    return tuple(table[field])


def load_named(package: str, name: str, row: type[R]) -> dict[str, R]:
    """Loads a table below ``tables`` whose rows have names, by name."""
    return {getattr(each, "name"): each for each in load(package, f"tables/{name}.toml", row)}  # noqa: B009


def filled(row: Row, kind: type[R]) -> R:
    """Returns a struct of another type with the columns that both have."""
    plain = {field: getattr(row, field) for field in kind.__struct_fields__ if hasattr(row, field)}
    return msgspec.convert(plain, kind)


def load_sheets(package: str, name: str, sheet: type[R]) -> dict[str, dict[str, Any]]:
    """Loads the sheets that ship with a game, by name.

    Raises:
        BadTable: The file is not valid, or a sheet is not.
    """
    try:
        plain = msgspec.convert(parsed(package, name), dict[str, dict[str, Any]])
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
