"""What ``help`` shows of a kind of declaration, and of a field: the values that could be typed now."""

from collections.abc import Iterator

import msgspec

from ledger.commands import Declare
from replays.table.at_table import TableContext
from replays.table.language.grammar import plain


def terms_of(table: TableContext, kind: str) -> Iterator[str]:
    """Yields the fields of a kind of declaration, one on each line."""
    yield f"{kind}: {table.game.kinds[kind].title}"
    yield from (f"  {line}" for _, line in _fields_of(table, kind))


def words_of(table: TableContext, field: str) -> Iterator[str]:
    """Yields the values of a field, one line for each kind of declaration that has it."""
    for kind in table.game.kinds:
        yield from (f"{kind}: {line}" for name, line in _fields_of(table, kind) if name == plain(field))


def _fields_of(table: TableContext, kind: str) -> Iterator[tuple[str, str]]:
    question = table.question()
    by = question.rest.by if question.rest is not None else ""
    offers = [each.command for each in question.legal if isinstance(each.command, Declare) and each.word == kind]
    offered = table.declaration_parser(question).words(next(iter(offers), Declare(kind, by)))
    for field in msgspec.structs.fields(table.game.kinds[kind].terms):
        name, needed = field.encode_name, "" if field.required else "?"
        yield name, f"{name}{needed}  {', '.join(offered.get(name, ()))}".rstrip()
