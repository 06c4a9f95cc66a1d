"""What an amendment changes of an old entry: fields of its command, its dice, what comes before it, or all of it."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.asking import check_command
from ledger.commands import COMMANDS, AmendSheet, Choose, Command, Declare, DrawDice, Join, Overrule, TypeDice
from ledger.events import Audience, Json
from replays.corrections.recorded_answers import ROLLS
from replays.corrections.refusals import BadChange as BadChange  # noqa: PLC0414  refused by what is here
from replays.corrections.refusals import check_paths
from replays.sessions.asked import Asked

Faces = tuple[int, ...]


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A correction of one entry; its parts may be combined."""

    set: dict[str, Any] = {}
    """By path in the entry's command, ``terms.range``, ``sheet.skills.fray``, ``faces``: the value that is right."""
    insert: tuple[Json, ...] = ()
    """Steps, as in a script, that come before the entry: a reaction that came too late."""
    drop: bool = False
    """Did it never happen?"""
    dice: dict[str, Faces] = {}
    """By the key of a roll: the faces that lay on the table."""


def change_of(plain: Json) -> Change:
    """A change as the log has it.

    Raises:
        BadChange: It has a wrong or unknown field.
    """
    try:
        return msgspec.convert(plain, Change)
    except msgspec.ValidationError as error:
        accepts = ", ".join(field.encode_name for field in msgspec.structs.fields(Change))
        inside = str(error).partition("`$")[2].rstrip("`")
        raise BadChange(f"no change: {error}", where=f"change{inside}", accepts=accepts) from error


def checked(change: Change) -> Change:
    """The same change, if each of its fields is of its type and fit to be written.

    Raises:
        BadChange: It is none, or has a wrong field.
    """
    if not isinstance(change, Change):
        raise BadChange(f"{type(change).__name__} is no change", where="change", accepts="a Change")
    try:
        return msgspec.convert(plain(change), Change)
    except (msgspec.MsgspecError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise BadChange(f"no change: {error}", where="change", accepts="plain values") from error


def plain(change: Change) -> Json:
    """A change as the log has it."""
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
        raise BadChange(str(error), where=f"set.{where}".rstrip("."), accepts="a value of that field's kind") from error
    is_as_thrown = "faces" not in change.set and getattr(found, "key", "") == getattr(command, "key", "")
    return found if is_as_thrown else _typed(found)


_ALWAYS_KEPT = {"seen_by", "given_at", "provenance"}
"""Fields that no correction changes: who may see it, where it was given, where faces came from."""


def _not_corrected(command: Command, field: str, path: str, fields: set[str]) -> BadChange:
    problem = f"{type(command).__name__} has no {field!r}"
    if field == "provenance" and isinstance(command, ROLLS):
        problem = "where faces came from is not corrected: they are the same faces, or others that a person says"
    return BadChange(problem, where=path, accepts=", ".join(sorted(fields)))


def _rooted(command: Command, path: str, fields: set[str]) -> str:
    """A path in the command; of a declaration in its terms, of a combatant in the sheet, where it has no such field."""
    inside = "terms" if isinstance(command, Declare) else "sheet" if isinstance(command, Join | AmendSheet) else ""
    return f"{inside}.{path}" if inside and path.partition(".")[0] not in fields else path


def _typed(command: Command) -> Command:
    """Returns a roll whose faces or whose key a person corrects, as faces that a person says."""
    if isinstance(command, ROLLS):
        return TypeDice(command.key, command.faces, seen_by=command.seen_by)
    return command


def _put(inside: Any, path: list[str], value: Any, whole: str) -> Any:
    """A value with another one somewhere inside; None takes a field out."""
    if not path:
        return value
    if not isinstance(inside, Mapping):
        raise BadChange(f"there is nothing inside {whole!r}", where=whole, accepts="a path to a field")
    first, *rest = path
    if value is None and not rest:
        return {name: each for name, each in inside.items() if name != first}
    return {**inside, first: _put(inside.get(first, {}), rest, value, whole)}


def corrected(asked: Asked, change: Change) -> Asked:
    """What was recorded, as it is right.

    Raises:
        BadChange: There is no such field, or not such a value there.
        BadCommand: What it would be then is beyond a bound.
    """
    command = changed(asked.command, change)
    if change.set:
        check_command(asked.by, command)
    if asked.command is asked.decided:
        return rerolled(Asked(command, asked.by, command, asked.overrules, asked.origin), change.dice)
    assert isinstance(command, Overrule), "only an overruling is decided as something else"
    others = tuple(each for each in asked.overrules if each != asked.command)
    return rerolled(Asked(command, asked.by, asked.decided, (*others, command), asked.origin), change.dice)


def rerolled(asked: Asked, dice: Mapping[str, Faces]) -> Asked:
    """A roll with the faces that lay on the table; what the gamemaster said of its figures is said again."""
    command = asked.decided
    if not isinstance(command, ROLLS) or command.key not in dice:
        return asked
    typed = TypeDice(command.key, dice[command.key], seen_by=command.seen_by)
    return Asked(typed, asked.by, typed, asked.overrules, asked.origin)


def audience(command: Command, change: Change) -> Audience:
    """Who may see what is corrected: whoever may see what was asked, or the sheet that is changed."""
    if (
        isinstance(command, Join)
        and command.sheet_seen_by is not None
        and any(path.startswith("sheet") for path in change.set)
    ):
        return command.sheet_seen_by
    return command.seen_by


def said(command: Command) -> str:
    """A command in a few words, for the lists of what was not used."""
    match command:
        case Declare():
            terms = ", ".join(f"{name} {shown(value)}" for name, value in command.terms.items())
            return f"{command.by} declares {command.kind}" + (f": {terms}" if terms else "")
        case TypeDice() | DrawDice():
            return f"{' '.join(map(str, command.faces))} for {command.key}"
        case Choose():
            return f"{command.option} for {command.key}"
        case Overrule():
            return f"overrule {command.figure} of {command.key}: {command.value}"
        case _:
            return kind_in_words(command)


def kind_in_words(command: Command) -> str:
    """What sort of command it is, as people say it.

    >>> from ledger.commands import AmendSheet
    >>> kind_in_words(AmendSheet("ann", {}))
    'amend sheet'
    """
    return _CAPITALS.sub(" ", type(command).__name__).lower()


_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")


def in_words(change: Json) -> str:
    """A change as the log has it, in a few words."""
    parts = [f"{path} = {shown(value)}" for path, value in change.get("set", {}).items()]
    parts += [f"a modifier of {each['value']:+d}" for name, each in change.items() if name == "modify"]
    parts += [f"{each['figure']} = {each['value']}" for name, each in change.items() if name == "overrule"]
    parts += [f"before it: {shown(step)}" for step in change.get("insert", ())]
    parts += [f"{key} = {' '.join(map(str, faces))}" for key, faces in change.get("dice", {}).items()]
    return ", ".join(parts + (["it never happened"] if change.get("drop") else []))


def shown(value: Any) -> str:
    """A value, as people say it.

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
"""What can be corrected; the opening binds the session, a nonce its dice, and history is only continued."""
