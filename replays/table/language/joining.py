"""Bringing combatants in: ``guard:3``, ``stoya=stoya.toml@kira``, a script with all of its combatants.

``[ID=]WHAT[:N][@PLAYER]``, where WHAT is a sheet that ships with the game, a TOML file with a sheet (its fields at the
top, or ``name``, ``player`` and ``[sheet]``), or a script or shipped example, which brings everybody in it.
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
"""Of one kind at once."""
_WHAT = re.compile(
    r"(?:(?P<who>[a-z0-9][a-z0-9_-]*)=)?(?P<what>.+?)(?:@(?P<a>[^@:]+))?(?::(?P<n>[0-9]{1,4}))?(?:@(?P<b>[^@:]+))?"
)


class NoSuchSheet(Refused):
    """Neither a shipped sheet nor a file."""

    slug = "sheet/unknown"


class BadFile(Refused):
    """A file that holds no combatant of this game."""

    slug = "sheet/file"


def joins(game: Ruleset, texts: Iterable[str], taken: Iterable[str]) -> list[Join]:
    """The commands that bring somebody in.

    Args:
        game: Whose sheets they are.
        texts: Each ``[ID=]WHAT[:N][@PLAYER]``.
        taken: Ids that are in use.

    Raises:
        NoSuchSheet: There is no such sheet, and no such file.
        BadFile: The file holds no combatant, or those of another game.
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
        raise NoSuchSheet(f"{text!r} says nobody", where="add", accepts="[ID=]WHAT[:N][@PLAYER]")
    found = _found(game, match["what"])
    player = match["a"] or match["b"] or ""
    if len(found) > 1 and (match["who"] or match["n"]):
        raise BadFile(f"{match['what']} holds {len(found)} combatants", where="add", accepts="its name alone")
    for who, one in found.items():
        one = msgspec.structs.replace(one, player=player or one.player)  # noqa: PLW2901
        if match["n"]:
            yield from _several(match["who"] or who, one, int(match["n"]), taken)
        else:
            fixed = match["who"] or (who if len(found) > 1 else "")
            yield _named(fixed or next(_free(who, taken, first="")), one)


def _named(who: str, one: Player) -> Join:
    """Whoever has no name is called by the id."""
    return join(who, one if one.name else msgspec.structs.replace(one, name=who.replace("-", " ")))


def _several(who: str, one: Player, count: int, taken: set[str]) -> Iterator[Join]:
    if not 1 <= count <= MOST:
        raise NoSuchSheet(f"{count} at once cannot be added", where="add", accepts=f"1 to {MOST}")
    numbers = _free(who, taken, first="-1")
    for _ in range(count):
        each = next(numbers)
        number = each.removeprefix(who + "-")
        yield _named(each, msgspec.structs.replace(one, name=f"{one.name} {number}") if one.name else one)


def _free(who: str, taken: set[str], first: str) -> Iterator[str]:
    """Ids that nobody has."""
    yield from (each for each in (who + first, *(f"{who}-{n}" for n in range(2, 10_000))) if each not in taken)


# ------------------------------------------------------------------------------------------------ sheets


def _found(game: Ruleset, what: str) -> dict[str, Player]:
    """Who is meant, by id."""
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
        raise NoSuchSheet(f"there is no sheet {what!r}", where="add", accepts=accepts) from error
    return _of_text(game, raw, path.name)


def _of_text(game: Ruleset, raw: bytes, file: str) -> dict[str, Player]:
    try:
        plain_ = tomllib.loads(raw.decode())
        if plain_.get("ruleset", game.name) != game.name:
            raise BadFile(f"{file} is for {plain_['ruleset']!r}", where=file, accepts=game.name)
        if isinstance(plain_.get("combatants"), dict):
            return {who: msgspec.convert(one, Player) for who, one in plain_["combatants"].items()}
        one = _player(game, plain_)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise BadFile(f"{file}: {error}", where=file, accepts="a sheet in TOML") from error
    return {_id(one.name or Path(file).stem): one}


def _player(game: Ruleset, said: Json) -> Player:
    if isinstance(said.get("sheet"), dict):
        return msgspec.convert(said, Player)
    own = {field.encode_name for field in msgspec.structs.fields(game.sheet)}
    about: dict[str, Any] = {
        name: said[name] for name in ("name", "player", "thing") if name in said and name not in own
    }
    return msgspec.convert({**about, "sheet": {k: v for k, v in said.items() if k not in about}}, Player)


def _id(name: str) -> str:
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return found if found not in ("", "gm") else "somebody"
