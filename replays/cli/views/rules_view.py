"""Shows a ruleset for people: its ready sheets, and the fields of its documents, in 80 columns."""

import textwrap
from collections.abc import Iterator

import msgspec
from rich.console import Console

from machines.contract.documents.accepted import Catalog
from machines.contract.documents.descriptions import described_fields
from machines.contract.documents.meanings import about
from machines.contract.row_fields import structs_within
from machines.contract.ruleset import Ruleset
from replays.cli.screen import print_line
from replays.scripts.sheet_check import sheet_summary

_WIDTH = 80


def game(console: Console, rules: Ruleset) -> None:
    """Shows a game and the names of its ready sheets."""
    print_line(console, f"{rules.name}  {rules.title}")
    _wrapped(console, f"sheets: {', '.join(rules.sheets) or 'none'}", 2)


def ready_sheets(console: Console, rules: Ruleset) -> None:
    """Shows what the rules make of each ready sheet."""
    for name, sheet in rules.sheets.items():
        print_line(console, name)
        for line in sheet_summary(rules, sheet):
            _wrapped(console, line, 2)
    print_line(console, f"affray sheet new {rules.name} --like SHEET > me.toml")


def schemas_in_words(console: Console, rules: Ruleset) -> None:
    """Shows the fields of sheets, of the beginning of a fight, and of each kind of declaration."""
    catalog = Catalog(rules.name, rules.tables)
    titles = {rules.sheet: "sheet"} | ({rules.situation: "begin"} if rules.situation is not None else {})
    for kind, action in rules.kinds.items():
        titles[action.terms] = f"{titles[action.terms]}, {kind}" if action.terms in titles else f"declare {kind}"
    for struct in dict.fromkeys(inner for each in titles for inner in _sorted(each)):
        title = titles.get(struct, f"{struct.__name__}, a part of the others")
        _wrapped(console, f"{title}: {about(struct)}", 0)
        for field in described_fields(struct):
            _wrapped(console, f"{field.encoded}{'' if field.is_required else '?'}: {field.words(catalog)}", 2)
        print_line(console, "")


def _sorted(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yields the type of a document, and then the types within it."""
    yield struct
    yield from (each for each in structs_within(struct) if each is not struct)


def _wrapped(console: Console, text: str, indent: int) -> None:
    for line in textwrap.wrap(
        text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    ):
        print_line(console, line)
