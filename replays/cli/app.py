"""The verbs, gathered; and what becomes of a refusal.

Exit codes: 0; 1 the answer is no; 2 refused or wrong usage; 70 our fault. A refusal is ``slug: sentence`` on standard
error, under ``--json`` an object there. Never a traceback.
"""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version as installed
from typing import Annotated, Any

import msgspec
import typer

from ledger.errors import Inconsistent, Refused
from replays.cli import system_words
from replays.cli.commands import (
    amend,
    audit,
    backup,
    dice,
    fight,
    odds,
    operate,
    play,
    rehearse,
    report,
    serve,
    show,
    transfer,
    verify,
)
from replays.cli.context import Door, No, make_door
from replays.scripts.expectations import Expected

NO, REFUSED, OUR_FAULT = 1, 2, 70

_WrongUsage: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
"""What typer raises for wrong usage; where it lives depends on typer's version."""

app = typer.Typer(
    name="affray",
    help="A combat ledger for tabletop roleplaying games.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _door(
    context: typer.Context,
    ledger: Annotated[str | None, typer.Option(help="Such as sqlite:///affray.db; else AFFRAY_LEDGER.")] = None,
    who: Annotated[
        str | None, typer.Option("--as", metavar="NAME[:SEAT]", help="Who speaks: gm, player or spectator.")
    ] = None,
    heads: Annotated[
        str | None, typer.Option(help="Where the ledger's heads file is, such as on another disk; else AFFRAY_HEADS.")
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Say the version and exit.")] = False,
) -> None:
    if version:
        print(f"affray {installed('affray')}")
        raise typer.Exit
    doors: list[Door] = context.obj
    context.obj = make_door(ledger, who, heads)
    doors.append(context.obj)


for _verbs in (
    play, fight, show, verify, transfer, backup, dice, amend, report, rehearse, audit, odds,
    operate, serve,
):  # fmt: skip
    _verbs.add_to(app)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns its exit code."""
    doors: list[Door] = []
    try:
        return _run(arguments, doors)
    finally:
        for door in doors:
            door.close()


def _run(arguments: Sequence[str], doors: list[Door]) -> int:
    as_json = "--json" in arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(args=list(arguments), standalone_mode=False, prog_name="affray", obj=doors)
        sys.stdout.flush()
    except No as no:
        return _say(as_json, no.because.slug, no.because.message, no.because.where, NO)
    except Refused as refusal:
        return _refused(as_json, doors, refusal)
    except Expected as mismatch:
        return _say(as_json, "expect/failed", str(mismatch), f"step {mismatch.step}", NO)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, UnicodeError, OverflowError) as error:
        return _say(as_json, "system/refused", system_words.refusal(error), "", REFUSED)
    except Exception as error:
        if isinstance(error, _WrongUsage):
            return _say(as_json, "usage", error.format_message(), "", REFUSED)
        return _fail(as_json, doors, error)
    return code if isinstance(code, int) else 0


def _refused(as_json: bool, doors: Sequence[Door], refusal: Refused) -> int:
    """Reports a refusal; rules that cannot read a record may find it altered."""
    if isinstance(refusal, Inconsistent):
        for damaged in filter(None, (door.damage() for door in doors)):
            return _say(as_json, damaged.slug, damaged.message, damaged.where, REFUSED)
    message = str(refusal).removeprefix(f"{refusal.slug}: ")
    return _say(as_json, refusal.slug, message, refusal.where, REFUSED)


def _fail(as_json: bool, doors: Sequence[Door], error: Exception) -> int:
    """Reports an error that no refusal foresees: rules that read a damaged record may fail in any way."""
    if os.environ.get("AFFRAY_DEBUG"):
        traceback.print_exc()
    for damaged in filter(None, (door.damage() for door in doors)):
        return _say(as_json, damaged.slug, damaged.message, damaged.where, REFUSED)
    return _say(as_json, "internal", f"this is our fault: {type(error).__name__}: {error}", "", OUR_FAULT)


def _say(as_json: bool, slug: str, message: str, where: str, code: int) -> int:
    message, where = _written(message), _written(where)
    if as_json:
        text = msgspec.json.encode({"error": {"slug": slug, "message": message, "where": where}}).decode()
    else:
        text = f"{slug}: {message}"
    with suppress(OSError):  # where not even this has a place, the code alone tells
        print(text, file=sys.stderr, flush=True)
    return code


def _written(text: str) -> str:
    """A text that can be written: arguments that are no UTF-8 have letters in them that cannot."""
    return text.encode("utf-8", "backslashreplace").decode()
