"""The verbs `amend` and `whatif`: correct an old entry, or see what another course would have led to."""

import re
import tomllib
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
import typer

from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import CliContext, Json, Preview, Reason, Secret, SeenBy, SessionArgument, audience, worded
from replays.cli.views import correction_view
from replays.corrections.change import Change, Thrown
from replays.corrections.diff import Report
from replays.corrections.refusals import without_repeats
from replays.scripts.toml_value import value_of


class BadAmendArgument(Refused):
    """The text is not PATH=VALUE, KEY=FACES or a step."""

    slug = "amend/argument"


EntryArgument = Annotated[
    str, typer.Argument(metavar="ENTRY", help="The number of an entry, or the key of a roll or an exchange.")
]
Set = Annotated[
    list[str], typer.Option("--set", metavar="PATH=VALUE", help="Set a field of the entry's command: terms.range=long.")
]
Insert = Annotated[
    list[str], typer.Option("--insert", metavar="STEP", help="Insert a step before the entry, as in a script (TOML).")
]
Drop = Annotated[bool, typer.Option("--drop", help="Remove the entry: it never happened.")]
Dice = Annotated[
    list[str], typer.Option("--dice", metavar="KEY=FACES", help="Correct faces that were misread: to-hit=3,4,5.")
]
Named = Annotated[str | None, typer.Option("--session", help="An id or the beginning of one; by default the latest.")]


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    for verb in (amend, whatif):
        app.command()(verb)


def amend(
    context: typer.Context,
    entry: EntryArgument,
    session: SessionArgument = None,
    set_: Set = [],  # noqa: B006  typer only reads it
    insert: Insert = [],  # noqa: B006
    drop: Drop = False,
    dice: Dice = [],  # noqa: B006
    why: Reason = "",
    secret: Secret = False,
    seen_by: SeenBy = [],  # noqa: B006
    preview: Preview = False,
    consent: Annotated[
        bool, typer.Option("--consent", help="Amend even if today's rules decide entries differently than recorded.")
    ] = False,
    json: Json = False,
) -> None:
    """Correct an old entry. The dice stay, all that followed is decided anew, and the changes are shown."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    change = _change(set_, insert, dice, drop=drop)
    if preview:
        _show(opened.preview(entry, change, why=why, by=cli.who, consent=consent), json=json)
        return
    done = opened.amend(
        entry, change, why=worded(why), seen_by=audience(seen_by, secret=secret), by=cli.who, consent=consent
    )
    _show(done.report, json=json)


def whatif(
    context: typer.Context,
    entry: EntryArgument,
    session: SessionArgument = None,
    set_: Set = [],  # noqa: B006
    insert: Insert = [],  # noqa: B006
    drop: Drop = False,
    dice: Dice = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Show what another entry would have led to. The dice are the same, and nothing is written."""
    cli: CliContext = context.obj
    opened = cli.session(session)
    _show(opened.whatif(entry, _change(set_, insert, dice, drop=drop), by=cli.who), json=json)


_COUNT = re.compile(r"([0-9]{1,9})\s*([a-z]{1,20})")
_COUNTS = re.compile(r"(?:[0-9]{1,9}\s?[a-z]{1,20}[\s,]?){1,10}")


def _change(set_: list[str], insert: list[str], dice: list[str], *, drop: bool) -> Change:
    values = without_repeats(_pair(each, value_of) for each in set_)
    steps = tuple(_toml(each, "--insert") for each in insert)
    return Change(set=values, insert=steps, drop=drop, dice=without_repeats(_pair(each, _faces) for each in dice))


def _pair(text: str, read: Callable[[str], Any]) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadAmendArgument(f"{text!r} has no name and value", where=name or "=", accepts="NAME=VALUE")
    return name.strip(), read(value.strip())


def _faces(text: str) -> Thrown:
    """Returns faces, or counts in their place: ``4 hits 2 ones``."""
    if _COUNTS.fullmatch(text.strip()):
        return {name: int(number) for number, name in _COUNT.findall(text)}
    try:
        return tuple(int(face) for face in text.strip("[]").replace(",", " ").split())
    except ValueError as error:
        raise BadAmendArgument(
            f"{text!r} is not a list of faces", where="--dice", accepts="such as 3,4,5, or 4 hits 2 ones"
        ) from error


def _toml(text: str, where: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        accepts = 'such as choose = { stoya = "fray" }'
        raise BadAmendArgument(f"{text!r} is not a step: {error}", where=where, accepts=accepts) from error


def _show(report: Report, *, json: bool) -> None:
    if json:
        screen.document(msgspec.to_builtins(report))
    else:
        correction_view.report(screen.console(json=json), report)
