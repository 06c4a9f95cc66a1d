"""Parses combatants to be added: ``guard:3``, ``stoya=stoya.toml@kira``, a script with all of its combatants.

The form is ``[ID=]WHAT[:N][@PLAYER[/SIDE]]``; ``@/SIDE`` gives a side without a player. WHAT is a sheet of the
ruleset, a TOML file with a sheet (its fields at the top, or ``name``, ``player``, ``side`` and ``[sheet]``), or a
script or shipped example, which adds all of its combatants.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ledger.commands import Join
from ledger.errors import Refused
from ledger.events import Json
from machines.contract.ruleset import Ruleset
from replays.scripts.format import Player, examples
from replays.scripts.scripted_answers import join
from replays.table.language.grammar import one_of, plain

MOST = 50
"""Maximum number of combatants with the same sheet that can be added at once."""
FORM = "[ID=]WHAT[:N][@PLAYER[/SIDE]]"
"""How a combatant is named."""
_WHAT = re.compile(
    r"(?:(?P<who>[a-z0-9][a-z0-9_-]*)=)?(?P<what>.+?)(?:@(?P<a>[^@:]+))?(?::(?P<n>[0-9]{1,4}))?(?:@(?P<b>[^@:]+))?"
)


class NoSuchSheet(Refused):
    """There is no such sheet: neither one of the ruleset nor a file."""

    slug = "sheet/unknown"


class BadFile(Refused):
    """The file has no combatant of this ruleset."""

    slug = "sheet/file"


def joins(game: Ruleset, texts: Iterable[str], taken: Iterable[str]) -> list[Join]:
    """Returns the commands that add combatants.

    Args:
        game: The ruleset.
        texts: The combatants, each ``[ID=]WHAT[:N][@PLAYER[/SIDE]]``.
        taken: Ids that are in use.

    Raises:
        NoSuchSheet: There is no such sheet and no such file.
        BadFile: The file has no combatant, or combatants of another ruleset.
    """
    known, made = set(taken), list[Join]()
    for text in texts:
        for command in _read(game, text, known):
            known.add(command.who)
            made.append(command)
    return made


def _read(game: Ruleset, text: str, taken: set[str]) -> Iterator[Join]:
    match = _WHAT.fullmatch(text)
    if match is None:
        raise NoSuchSheet(f"{text!r} names no combatant", where="add", accepts=FORM)
    found = _found(game, match["what"])
    player, _, side = (match["a"] or match["b"] or "").partition("/")
    if len(found) > 1 and (match["who"] or match["n"]):
        message = f"{match['what']} has {len(found)} combatants, and takes no ID and no number"
        raise BadFile(message, where="add", accepts=match["what"])
    for who, given in found.items():
        combatant = msgspec.structs.replace(given, player=player or given.player, side=side or given.side)
        if match["n"]:
            yield from _several(match["who"] or who, combatant, int(match["n"]), taken)
        else:
            fixed = match["who"] or (who if len(found) > 1 else "")
            yield _named(fixed or next(_free(who, taken, first="")), combatant)


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


# ------------------------------------------------------------------------------------------------ sheets


def _found(game: Ruleset, what: str) -> dict[str, Player]:
    """Returns the combatants of a sheet, a file or an example, by id."""
    shipped = _shipped(game, what)
    if shipped is not None:
        return {_id(shipped): Player(sheet=dict(game.sheets[shipped]))}
    fight = examples().get(what)
    if fight is None or os.path.isfile(os.path.expanduser(what)):
        return _of_file(game, what)
    return _of_text(game, fight.read_bytes(), fight.name)


def _shipped(game: Ruleset, what: str) -> str | None:
    exact = [name for name in game.sheets if plain(name) == plain(what)]
    return exact[0] if exact else None if os.path.exists(what) else one_of(what, game.sheets)


def _of_file(game: Ruleset, what: str) -> dict[str, Player]:
    path = Path(os.path.expanduser(what))
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        accepts = ", ".join([*game.sheets, "a file.toml"])
        raise NoSuchSheet(f"there is no sheet or file {what!r}", where="add", accepts=accepts) from error
    return _of_text(game, raw, path.name)


def _of_text(game: Ruleset, raw: bytes, file: str) -> dict[str, Player]:
    try:
        document = tomllib.loads(raw.decode())
        if document.get("ruleset", game.name) != game.name:
            message = f"{file} is for the ruleset {document['ruleset']!r}"
            raise BadFile(message, where=file, accepts=game.name)
        if isinstance(document.get("combatants"), dict):
            return {who: msgspec.convert(each, Player) for who, each in document["combatants"].items()}
        combatant = _player(game, document)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise BadFile(f"{file} cannot be read as a sheet: {error}", where=file, accepts="a sheet in TOML") from error
    return {_id(combatant.name or Path(file).stem): combatant}


def _player(game: Ruleset, document: Json) -> Player:
    if isinstance(document.get("sheet"), dict):
        return msgspec.convert(document, Player)
    own = {field.encode_name for field in msgspec.structs.fields(game.sheet)}
    about: dict[str, Any] = {
        name: document[name] for name in ("name", "player", "thing", "side") if name in document and name not in own
    }
    return msgspec.convert(
        {**about, "sheet": {field: value for field, value in document.items() if field not in about}}, Player
    )


def _id(name: str) -> str:
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return found if found not in ("", "gm") else "somebody"
