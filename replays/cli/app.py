"""Runs a command line, and turns refusals and errors into messages and exit codes.

Exit codes: 0; 1 a check failed; 2 refused or wrong usage; 70 internal error. A refusal is ``slug: sentence`` on
standard error, or an object there with ``--json``. A traceback is never printed.
"""

import gc
import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from shutil import get_terminal_size
from typing import Annotated, Any

import msgspec
import typer

from ledger.errors import Inconsistent, Refused
from machines.registry import installed
from replays import __version__
from replays.cli import system_words
from replays.cli.commands import VERBS, GroupOfVerbs
from replays.cli.context import AnswerIsNo, CliContext, make_context
from replays.scripts.expectations import Expected

NO, REFUSED, INTERNAL = 1, 2, 70

_WrongUsage: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
"""The class that typer raises for wrong usage; its module depends on typer's version."""

_WELCOME = """\
Affray runs a fight by the rules of its game, and keeps a record of every die.

  affray play stoya
      watches a fight that ships with Affray
  affray why stoya.wounds
      explains a number of it: the dice, the modifiers, the pages
  affray rules
      lists the games, with their ready sheets
  affray sheet new gurps_3e --like swordsman > me.toml
      writes a character of your own, to be edited
  affray fight gurps_3e --with me.toml --with guard:2
      plays a fight

affray --help lists all verbs; affray VERB --help explains one."""

app = typer.Typer(
    name="affray",
    cls=GroupOfVerbs,
    help="A combat ledger for tabletop roleplaying games.",
    add_completion=False,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _options(
    context: typer.Context,
    ledger: Annotated[
        str | None, typer.Option(help="The address of the ledger, such as sqlite:///affray.db; else AFFRAY_LEDGER.")
    ] = None,
    who: Annotated[
        str | None, typer.Option("--as", metavar="NAME[:SEAT]", help="Your name and seat: gm, player or spectator.")
    ] = None,
    heads: Annotated[
        str | None,
        typer.Option(help="Path of the ledger's heads file, for example on another disk; else AFFRAY_HEADS."),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        print(f"affray {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(_WELCOME)
        raise typer.Exit
    if not gc.isenabled():  # `main` has disabled it; now the modules of the verb are loaded
        gc.freeze()
        gc.enable()
    contexts: list[CliContext] = context.obj
    context.obj = make_context(ledger, who, heads)
    contexts.append(context.obj)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line; returns its exit code."""
    contexts: list[CliContext] = []
    try:
        return _run(arguments, contexts)
    finally:
        for cli in contexts:
            cli.close()


def _run(arguments: Sequence[str], contexts: list[CliContext]) -> int:
    as_json = "--json" in arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(args=list(arguments), standalone_mode=False, prog_name="affray", obj=contexts)
        sys.stdout.flush()
    except AnswerIsNo as no:
        return _print_error(as_json, no.because.slug, no.because.message, no.because.where, NO)
    except Refused as refusal:
        return _refused(as_json, contexts, refusal)
    except Expected as mismatch:
        return _print_error(as_json, "expect/failed", str(mismatch), f"step {mismatch.step}", NO)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, UnicodeError, OverflowError) as error:
        return _print_error(as_json, "system/refused", system_words.refusal(error), "", REFUSED)
    except Exception as error:
        if isinstance(error, _WrongUsage):
            return _print_error(as_json, "usage", _usage(arguments, error.format_message()), "", REFUSED)
        return _fail(as_json, contexts, error)
    return code if isinstance(code, int) else 0


def _usage(arguments: Sequence[str], message: str) -> str:
    """Returns what is wrong with the use of a verb; where --json belongs, if it stands before the verb."""
    verbs = [place for place, argument in enumerate(arguments) if argument in VERBS]
    if "--json" in arguments and arguments.index("--json") < (verbs[0] if verbs else len(arguments)):
        verb = arguments[verbs[0]] if verbs else "VERB"
        return f"--json comes after the verb: affray {verb} --json"
    if message.lower().endswith("'ruleset'."):
        return f"{message.removesuffix('.')} (accepted: {', '.join(installed())})"
    return message


def _refused(as_json: bool, contexts: Sequence[CliContext], refusal: Refused) -> int:
    """Reports a refusal; if the rules cannot read a record, checks whether it is damaged."""
    if isinstance(refusal, Inconsistent):
        for damaged in filter(None, (cli.damage() for cli in contexts)):
            return _print_error(as_json, damaged.slug, damaged.message, damaged.where, REFUSED)
    message = str(refusal).removeprefix(f"{refusal.slug}: ")
    return _print_error(as_json, refusal.slug, message, refusal.where, REFUSED)


def _fail(as_json: bool, contexts: Sequence[CliContext], error: Exception) -> int:
    """Reports an unexpected error; its cause may be a damaged record."""
    if os.environ.get("AFFRAY_DEBUG"):
        traceback.print_exc()
    for damaged in filter(None, (cli.damage() for cli in contexts)):
        return _print_error(as_json, damaged.slug, damaged.message, damaged.where, REFUSED)
    return _print_error(
        as_json, "internal", f"internal error, please report it: {type(error).__name__}: {error}", "", INTERNAL
    )


def _print_error(as_json: bool, slug: str, message: str, where: str, code: int) -> int:
    message, where = _printable(message), _printable(where)
    if as_json:
        text = msgspec.json.encode({"error": {"slug": slug, "message": message, "where": where}}).decode()
    else:
        text = _wrapped(f"{slug}: {message}")
    with suppress(OSError):  # if standard error is closed too, the exit code remains
        print(text, file=sys.stderr, flush=True)
    return code


def _wrapped(text: str) -> str:
    """Wraps each line between words where standard error is a terminal."""
    if not sys.stderr.isatty():
        return text
    from replays.cli.screen import hanging  # noqa: PLC0415  only an error at a terminal needs it

    width = get_terminal_size().columns
    return "\n".join(part for line in text.splitlines() for part in hanging(line, width))


def _printable(text: str) -> str:
    """Escapes characters that cannot be encoded, and replaces those that a terminal would obey or not show."""
    encodable = text.encode("utf-8", "backslashreplace").decode()
    return "".join(each if each.isprintable() or each == "\n" else "\N{REPLACEMENT CHARACTER}" for each in encodable)
