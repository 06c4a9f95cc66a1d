"""Defines what an amendment changes: fields of a command, its dice, inserted steps, or dropping the entry."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from ledger.commands import (
    COMMANDS,
    AmendSheet,
    AnyCommand,
    Choose,
    Command,
    Declare,
    DrawDice,
    Join,
    Overrule,
    TellDice,
    TypeDice,
)
from ledger.events import Audience, Json
from ledger.requests.command_checks import check_command
from machines.contract.dice_reading import counts_in_words
from replays.corrections.recorded_answers import ANY_ROLL, ROLLS
from replays.corrections.refusals import BadChange as BadChange  # noqa: PLC0414  raised by these functions
from replays.corrections.refusals import check_paths
from replays.sessions.intent import Intent

Faces = tuple[int, ...]
Thrown = Faces | dict[str, int]
"""The faces of a roll, or the counts or the total that a person gives in their place."""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A correction of one entry; its parts may be combined."""

    set: dict[str, Any] = {}
    """Corrected values by path in the command: ``terms.range``, ``sheet.skills.fray``, ``faces``."""
    insert: tuple[Json, ...] = ()
    """Script steps to perform before the entry, such as a reaction that was forgotten."""
    drop: bool = False
    """Whether the entry never happened."""
    dice: dict[str, Thrown] = {}
    """Faces that lay on the table, or counts of them (``hits``, ``ones``, ``total``), by the key of the roll."""


Which = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
"""An entry: its number, or the key of a roll or an exchange, or a shorthand of such a key."""


class EntryChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A change of a branch: an entry with what is different there, or commands that go on at its end, or both."""

    entry: Which | None = None
    """The entry's number, also one of the branch so far; or the key of a roll or exchange, or a shorthand."""
    change: Change = msgspec.field(default_factory=Change)
    """What is different there."""
    then: tuple[AnyCommand, ...] = ()
    """Commands to be performed at the end of the branch: faces, counts, choices, declarations. They draw no dice."""


def change_of(plain: Json) -> Change:
    """Returns a change from its form in the log.

    Raises:
        BadChange: A field is wrong or unknown.
    """
    try:
        return msgspec.convert(plain, Change)
    except msgspec.ValidationError as error:
        accepts = ", ".join(field.encode_name for field in msgspec.structs.fields(Change))
        inside = str(error).partition("`$")[2].rstrip("`")
        raise BadChange(f"the change is invalid: {error}", where=f"change{inside}", accepts=accepts) from error


def checked(change: Change) -> Change:
    """Returns the change, after checking that each field has its type and can be stored.

    Raises:
        BadChange: It is not a `Change`, or a field is wrong.
    """
    if not isinstance(change, Change):
        raise BadChange(f"{type(change).__name__} is not a change", where="change", accepts="a Change")
    try:
        return msgspec.convert(plain(change), Change)
    except (msgspec.MsgspecError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise BadChange(f"the change is invalid: {error}", where="change", accepts="plain values") from error


def plain(change: Change) -> Json:
    """Returns a change in its form in the log."""
    return dict(msgspec.json.decode(msgspec.json.encode(change)))


def changed(command: Command, change: Change) -> Command:
    """A command with the values that are right.

    Raises:
        BadChange: It has no such field, or not such a value there.
    """
    if not change.set:
        return command
    plain = dict(msgspec.to_builtins(command))
    fields = {field.encode_name for field in msgspec.structs.fields(type(command))} - _ALWAYS_KEPT
    paths = {path: _rooted(command, path, fields).split(".") for path in change.set}
    check_paths(change.set, paths)
    for path, value in change.set.items():
        first, *inner = paths[path]
        if first not in fields:
            raise _not_corrected(command, first, path, fields)
        plain[first] = _put(plain.get(first, {}), inner, value, path)
    try:
        found: Command = msgspec.convert(plain, type(command))
    except msgspec.ValidationError as error:
        where = str(error).partition("`$.")[2].rstrip("`")
        raise BadChange(str(error), where=f"set.{where}".rstrip("."), accepts="a value of that field's type") from error
    is_as_thrown = "faces" not in change.set and getattr(found, "key", "") == getattr(command, "key", "")
    return found if is_as_thrown else _typed(found)


_ALWAYS_KEPT = {"seen_by", "given_at", "provenance"}
"""Fields that no correction changes: the audience, the rest it was given at, the provenance of faces."""


def _not_corrected(command: Command, field: str, path: str, fields: set[str]) -> BadChange:
    problem = f"{type(command).__name__} has no {field!r}"
    if field == "provenance" and isinstance(command, ROLLS):
        problem = "the provenance of faces cannot be corrected: faces that a person corrects count as typed"
    return BadChange(problem, where=path, accepts=", ".join(sorted(fields)))


def _rooted(command: Command, path: str, fields: set[str]) -> str:
    """Returns the full path of a field; by default it is inside a declaration's terms or a combatant's sheet."""
    inside = "terms" if isinstance(command, Declare) else "sheet" if isinstance(command, Join | AmendSheet) else ""
    return f"{inside}.{path}" if inside and path.partition(".")[0] not in fields else path


def _typed(command: Command) -> Command:
    """Returns a roll whose faces or key a person corrects as typed dice."""
    if isinstance(command, ROLLS):
        return TypeDice(command.key, command.faces, seen_by=command.seen_by)
    return command


def _put(inside: Any, path: list[str], value: Any, whole: str) -> Any:
    """Returns a value with one field inside it replaced; None removes the field."""
    if not path:
        return value
    if not isinstance(inside, Mapping):
        raise BadChange(f"{whole!r} leads to no field", where=whole, accepts="a path to a field")
    first, *rest = path
    if value is None and not rest:
        return {name: each for name, each in inside.items() if name != first}
    return {**inside, first: _put(inside.get(first, {}), rest, value, whole)}


def corrected(intent: Intent, change: Change) -> Intent:
    """Returns a recorded command as corrected.

    Raises:
        BadChange: A field does not exist or cannot have that value.
        BadCommand: A corrected value exceeds a bound.
    """
    command = changed(intent.command, change)
    if change.set:
        check_command(intent.by, command)
    if intent.command is intent.decided:
        return rerolled(Intent(command, intent.by, command, intent.overrules, intent.origin), change.dice)
    assert isinstance(command, Overrule), "only an overrule is decided as another command"
    others = tuple(each for each in intent.overrules if each != intent.command)
    return rerolled(Intent(command, intent.by, intent.decided, (*others, command), intent.origin), change.dice)


def rerolled(intent: Intent, dice: Mapping[str, Thrown]) -> Intent:
    """Returns a roll with its faces or counts corrected; overrules of its figures stay in force."""
    command = intent.decided
    if not isinstance(command, ANY_ROLL) or command.key not in dice:
        return intent
    right = as_command(command.key, dice[command.key], command.seen_by)
    return Intent(right, intent.by, right, intent.overrules, intent.origin)


def as_command(key: str, thrown: Thrown, seen_by: Audience) -> TypeDice | TellDice:
    """Returns the command that answers a roll with faces, or with counts in their place."""
    kind = TellDice if isinstance(thrown, Mapping) else TypeDice
    return kind(key, thrown, seen_by=seen_by)  # type: ignore[arg-type]


def thrown_in_words(thrown: Thrown) -> str:
    """Returns faces, or counts in their place, in words.

    >>> thrown_in_words((4, 5)), thrown_in_words({"hits": 2})
    ('4 5', '2 hits')
    """
    return counts_in_words(thrown) if isinstance(thrown, Mapping) else " ".join(map(str, thrown))


def audience(command: Command, change: Change) -> Audience:
    """Returns who may see a correction: the audience of the command, or of the sheet that is changed."""
    if (
        isinstance(command, Join)
        and command.sheet_seen_by is not None
        and any(path.startswith("sheet") for path in change.set)
    ):
        return command.sheet_seen_by
    return command.seen_by


def summary(command: Command) -> str:
    """Returns a short description of a command, for lists of unused answers."""
    match command:
        case Declare():
            terms = ", ".join(f"{name} {shown(value)}" for name, value in command.terms.items())
            return f"{command.by} declares {command.kind}" + (f": {terms}" if terms else "")
        case TypeDice() | DrawDice():
            return f"{' '.join(map(str, command.faces))} for {command.key}"
        case TellDice():
            return f"{counts_in_words(command.counts)} for {command.key}"
        case Choose():
            return f"{command.option} for {command.key}"
        case Overrule():
            return f"overrule {command.figure} of {command.key}: {command.value}"
        case _:
            return kind_in_words(command)


def kind_in_words(command: Command) -> str:
    """Returns the kind of a command in words.

    >>> from ledger.commands import AmendSheet
    >>> kind_in_words(AmendSheet("ann", {}))
    'amend sheet'
    """
    return re.sub(_CAPITALS, " ", type(command).__name__).lower()


_CAPITALS = r"(?<!^)(?=[A-Z])"


def in_words(change: Json) -> str:
    """Returns a short description of a change in its form in the log."""
    parts = [f"{path} = {_set(path, value)}" for path, value in change.get("set", {}).items()]
    parts += [f"a modifier of {each['value']:+d}" for name, each in change.items() if name == "modify"]
    parts += [f"{each['figure']} = {each['value']}" for name, each in change.items() if name == "overrule"]
    parts += [f"before it: {shown(step)}" for step in change.get("insert", ())]
    parts += [f"{key} = {thrown_in_words(thrown)}" for key, thrown in change.get("dice", {}).items()]
    return ", ".join(parts + (["it never happened"] if change.get("drop") else []))


def _set(path: str, value: Any) -> str:
    """Returns a corrected value in words; faces stand side by side, as they were typed."""
    return " ".join(map(str, value)) if path == "faces" and isinstance(value, list | tuple) else shown(value)


def shown(value: Any) -> str:
    """Returns a value in words.

    >>> shown(["partial cover", "running"]), shown(True), shown({"ap": -5})
    ('partial cover and running', 'true', '(ap -5)')
    """
    if isinstance(value, list | tuple):
        return " and ".join(map(shown, value))
    if isinstance(value, Mapping):
        return f"({', '.join(f'{name} {shown(each)}' for name, each in value.items())})"
    return str(value).lower() if isinstance(value, bool) else str(value)


_FINAL = ("OpenSession", "Rewind", "Amend", "GiveNonce", "Reveal", "CloseSession")
AMENDABLE = tuple(each for each in COMMANDS if each.__name__ not in _FINAL)
"""Commands that can be corrected. The opening binds the session, a nonce its dice; the history is only continued."""
