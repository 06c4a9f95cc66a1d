"""Parses combatants to be added: ``guard:3``, ``stoya=stoya.toml@kira``, a script with all of its combatants.

The form is ``[ID=]WHAT[:N][@PLAYER[/SIDE]]``; ``@/SIDE`` gives a side without a player. WHAT is a sheet of the
ruleset, a TOML file (see `sheet_files`), or a shipped example. Before it may stand a number and ``like``; after it
``as NAME[@PLAYER[/SIDE]]``, and values that differ: ``like swordsman st=13 broadsword=16 as kira``,
``4 thug pistol="heavy pistol"``.
"""

import re
from collections.abc import Collection, Iterable, Iterator

import msgspec

from ledger.commands import Join
from machines.contract.refusals import BadId
from replays.scripts.format import Player
from replays.scripts.scripted_answers import join
from replays.scripts.sheet_files import BadFile, NoSuchSheet, id_of_name
from replays.table.language.answers import DRAWN
from replays.table.language.grammar import unquoted
from replays.table.language.known_sheets import MOST, KnownSheets
from replays.table.language.overriding import names_place, overridden

FORM = "[ID=]WHAT[:N][@PLAYER[/SIDE]]"
"""How a combatant is named."""
_LIKE, _AS = "like", "as"
_PLAIN = r"[a-z0-9-]+"
_VALUE = r"""(?s)("[^"]+"|'[^']+'|[^\s="']+)=(.+)"""
_WHAT = r"(?:(?P<who>[a-z0-9][a-z0-9_-]*)=)?(?P<what>.+?)(?:@(?P<a>[^@:]+))?(?::(?P<n>[0-9]{1,4}))?(?:@(?P<b>[^@:]+))?"


class Added(msgspec.Struct, kw_only=True):
    """Combatants as they were typed: a sheet, how many, their id, name and player, and values that differ."""

    what: str
    count: str = ""
    who: str = ""
    name: str = ""
    player: str = ""
    side: str = ""
    values: list[tuple[str, str]] = []


def joins(
    sheets: KnownSheets, texts: Iterable[str], taken: Iterable[str], reserved: Collection[str] = frozenset()
) -> list[Join]:
    """Returns the commands that add combatants.

    Args:
        sheets: The sheets that can be named.
        texts: The words of a line, such as ``guard:3`` or ``like``, ``swordsman``, ``st=13``, ``as``, ``kira``.
        taken: Ids that are in use.
        reserved: Words of the table, which no id may be.

    Raises:
        NoSuchSheet: There is no such sheet and no such file.
        BadFile: The file has no combatant, or combatants of another ruleset.
        BadSheet: A sheet has no such place, or does not accept a value there.
        BadId: An id is a number or a reserved word.
    """
    known, made = set(taken), list[Join]()
    reserved = {*reserved, *DRAWN, *sheets.game.kinds, _LIKE, _AS}
    for added in _additions(sheets, list(texts)):
        for command in _joined(sheets, added, known):
            _check_id(command.who, reserved, added.what)
            known.add(command.who)
            made.append(command)
    return made


def _additions(sheets: KnownSheets, texts: list[str]) -> list[Added]:
    """Returns the combatants that the words of a line mean."""
    found, place, count = list[Added](), 0, ""
    while place < len(texts):
        text, after = texts[place], texts[place + 1 : place + 2]
        place += 1
        if text.isdecimal() and after and not count:
            count = text
        elif text.lower() == _AS and found and after:
            _name(found[-1], after[0])
            place += 1
        elif found and not count and _is_value(sheets, found[-1], text):
            name, _, raw = _split(text)
            found[-1].values = [*found[-1].values, (name, raw)]
        elif text.lower() != _LIKE or not after:
            found.append(_addition(unquoted(text), count))
            count = ""
    return found


def _name(added: Added, text: str) -> None:
    """Names a combatant ``NAME[@PLAYER[/SIDE]]``, as it was typed after ``as``."""
    name, at, owner = unquoted(text).partition("@")
    added.who, added.name = id_of_name(name), name
    if at:
        added.player, _, added.side = owner.partition("/")


def _addition(text: str, count: str) -> Added:
    match = re.fullmatch(_WHAT, text)
    if match is None:
        raise NoSuchSheet(f"{text!r} names no combatant", where="add", accepts=FORM)
    player, _, side = (match["a"] or match["b"] or "").partition("/")
    return Added(what=match["what"], count=count or match["n"] or "", who=match["who"] or "", player=player, side=side)


def _split(text: str) -> tuple[str, str, str]:
    """Splits ``NAME=VALUE``; a name in quotes may have any characters."""
    match = re.fullmatch(_VALUE, text)
    return (unquoted(match[1]), "=", match[2]) if match is not None else (text, "", "")


def _is_value(sheets: KnownSheets, added: Added, text: str) -> bool:
    """Returns whether a word sets a value of the combatant before it, and does not name another one."""
    name, equals, raw = _split(text)
    if not equals:
        return False
    what = re.fullmatch(_WHAT, unquoted(raw))
    is_combatant = what is not None and bool(sheets.is_known(what["what"]) or what["n"] or what["a"] or what["b"])
    found = [each.sheet for each in sheets.found(added.what).values()]
    return not is_combatant or any(names_place(sheets.game, sheet, name) for sheet in found)


def _joined(sheets: KnownSheets, added: Added, taken: set[str]) -> Iterator[Join]:
    found = sheets.found(added.what)
    if len(found) > 1 and (added.who or added.count):
        message = f"{added.what} has {len(found)} combatants, and takes no ID and no number"
        raise BadFile(message, where="add", accepts=added.what)
    for who, given in found.items():
        sheet = given.sheet
        for name, raw in added.values:
            sheet = overridden(sheets.game, sheet, name, raw)
        combatant = msgspec.structs.replace(
            given,
            sheet=sheet,
            name=added.name or given.name,
            player=added.player or given.player,
            side=added.side or given.side,
        )
        if added.count:
            yield from _several(added.who or who, combatant, int(added.count), taken)
        else:
            fixed = added.who or (who if len(found) > 1 else "")
            yield _named(fixed or next(_free(who, taken, first="")), combatant)


def _check_id(who: str, reserved: Collection[str], what: str) -> None:
    """Rejects an id that a line could not name: a number, or a word of the table.

    Raises:
        BadId: With another id.
    """
    accepts = (
        f"another id, such as {what.lower()}-{who} in {what}-{who}={what}"
        if re.fullmatch(_PLAIN, what)
        else "another id"
    )
    if who.isdecimal():
        raise BadId(f"{who!r} cannot be an id: a number answers a choice or a roll", where="add", accepts=accepts)
    if who in reserved:
        raise BadId(f"{who!r} cannot be an id: it is a word of the table", where="add", accepts=accepts)


def _named(who: str, combatant: Player) -> Join:
    """Returns the command that adds a combatant; one without a name is named like its id."""
    named = combatant if combatant.name else msgspec.structs.replace(combatant, name=who.replace("-", " "))
    return join(who, named)


def _several(who: str, combatant: Player, count: int, taken: set[str]) -> Iterator[Join]:
    if not 1 <= count <= MOST:
        raise NoSuchSheet(f"{count} combatants cannot be added at once", where="add", accepts=f"1 to {MOST}")
    numbers = _free(who, taken, first="-1")
    for _ in range(count):
        each = next(numbers)
        number = each.removeprefix(who + "-")
        name = f"{combatant.name} {number}" if combatant.name else ""
        yield _named(each, msgspec.structs.replace(combatant, name=name))


def _free(who: str, taken: set[str], first: str) -> Iterator[str]:
    """Yields unused ids made from `who`."""
    yield from (each for each in (who + first, *(f"{who}-{n}" for n in range(2, 10_000))) if each not in taken)
