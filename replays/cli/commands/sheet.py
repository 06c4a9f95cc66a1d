"""The verbs `sheet new` and `sheet check`: writes a commented sheet to start from, and checks a file of sheets."""

import sys
from typing import Annotated

import typer

from machines.contract.documents.faults import FieldFault
from machines.contract.documents.nearest import did_you_mean, same_name
from machines.contract.refusals import BadSheet
from machines.contract.ruleset import Ruleset, ruleset
from machines.registry import installed
from replays.cli import screen
from replays.cli.context import Json
from replays.scripts.format import Player
from replays.scripts.sheet_check import sheet_faults, sheet_summary
from replays.scripts.sheet_files import BadFile, NoSuchSheet, read_combatants, read_file, ruleset_of
from replays.scripts.sheet_template import sheet_template

_REFUSED = 2


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    group = typer.Typer(name="sheet", help="Write your own character, and check it.", no_args_is_help=True)
    group.command()(new)
    group.command()(check)
    app.add_typer(group)


def new(
    game: Annotated[str, typer.Argument(metavar="RULESET", help="The ruleset; `affray rules` lists them.")],
    like: Annotated[str, typer.Option(help="The ready sheet to start from; by default the game's first.")] = "",
    name: Annotated[str, typer.Option(help="The character's name; by default that of the ready sheet.")] = "",
    json: Json = False,
) -> None:
    """Write a commented sheet to start from, as TOML."""
    rules = ruleset(game)
    text = sheet_template(rules, _ready(rules, like), name)
    if json:
        screen.document({"ruleset": rules.name, "toml": text})
    else:
        screen.line(text.removesuffix("\n").encode())


def check(
    file: Annotated[str, typer.Argument(help="A TOML file with a sheet, or a script.")],
    game: Annotated[
        str | None, typer.Option("--ruleset", help="The ruleset; by default the one that the file states.")
    ] = None,
    json: Json = False,
) -> None:
    """Check a sheet, and list everything that is wrong with it."""
    raw, name = read_file(file)
    stated = game or ruleset_of(raw, name)
    if not stated:
        accepts = f'ruleset = "NAME" in the file, or --ruleset NAME: {", ".join(installed())}'
        raise BadFile(f"{name} does not state its ruleset", where=name, accepts=accepts)
    rules = ruleset(stated)
    combatants = read_combatants(rules, raw, name)
    found = {who: list(sheet_faults(rules, one.sheet)) for who, one in combatants.items()}
    if json:
        screen.document(_document(rules, combatants, found))
    else:
        _print(rules, name, combatants, found)
    if any(found.values()):
        raise typer.Exit(_REFUSED)


def _ready(rules: Ruleset, like: str) -> str:
    """Returns the ready sheet of a name in any case; empty if no name is given.

    Raises:
        NoSuchSheet: The ruleset has no such sheet.
    """
    found = same_name(like, rules.sheets)
    if like and not found:
        message = f"{rules.name} has no ready sheet {like!r}{did_you_mean(like, rules.sheets)}"
        raise NoSuchSheet(message, where="--like", accepts=", ".join(rules.sheets))
    return found


def _print(rules: Ruleset, file: str, combatants: dict[str, Player], found: dict[str, list[FieldFault]]) -> None:
    console = screen.console(json=False)
    for who, one in combatants.items():
        place = who if len(combatants) > 1 else file
        for fault in found[who]:
            refusal = BadSheet(f"{place}: {fault.sentence}", accepts=fault.accepts)
            print(refusal, file=sys.stderr)
        if not found[who]:
            screen.print_line(console, f"OK: {one.name or who}, {rules.title}")
            for line in sheet_summary(rules, one.sheet):
                screen.print_line(console, f"  {line}")


def _document(rules: Ruleset, combatants: dict[str, Player], found: dict[str, list[FieldFault]]) -> dict[str, object]:
    sheets = {
        who: {
            "name": one.name or who,
            "ok": not found[who],
            "faults": [fault._asdict() for fault in found[who]],
            "summary": [] if found[who] else list(sheet_summary(rules, one.sheet)),
        }
        for who, one in combatants.items()
    }
    return {"ruleset": rules.name, "ok": not any(found.values()), "combatants": sheets}
