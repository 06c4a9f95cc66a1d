"""Parses combatants to be added: ``guard:3``, ``stoya=stoya.toml@kira``, a script with all of its combatants.

The form is ``[ID=]WHAT[:N][@PLAYER[/SIDE]]``; ``@/SIDE`` gives a side without a player. WHAT is a sheet of the
ruleset, a TOML file with a sheet (its fields at the top, or ``name``, ``player``, ``side`` and ``[sheet]``), or a
script or shipped example, which adds all of its combatants.
"""

import os
import re
from collections.abc import Iterable, Iterator

import msgspec

from ledger.commands import Join
from machines.contract.documents.nearest import did_you_mean
from machines.contract.ruleset import Ruleset
from replays.scripts.format import Player, examples
from replays.scripts.scripted_answers import join
from replays.scripts.sheet_files import BadFile, NoSuchSheet, id_of_name, read_combatants, read_file
from replays.table.language.grammar import one_of, plain

MOST = 50
"""Maximum number of combatants with the same sheet that can be added at once."""
FORM = "[ID=]WHAT[:N][@PLAYER[/SIDE]]"
"""How a combatant is named."""
_WHAT = re.compile(
    r"(?:(?P<who>[a-z0-9][a-z0-9_-]*)=)?(?P<what>.+?)(?:@(?P<a>[^@:]+))?(?::(?P<n>[0-9]{1,4}))?(?:@(?P<b>[^@:]+))?"
)


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
        return {id_of_name(shipped): Player(sheet=dict(game.sheets[shipped]))}
    fight = examples().get(what)
    if fight is None or os.path.isfile(os.path.expanduser(what)):
        return _of_file(game, what)
    return read_combatants(game, fight.read_bytes(), fight.name)


def _shipped(game: Ruleset, what: str) -> str | None:
    exact = [name for name in game.sheets if plain(name) == plain(what)]
    return exact[0] if exact else None if os.path.exists(what) else one_of(what, game.sheets)


def _of_file(game: Ruleset, what: str) -> dict[str, Player]:
    try:
        raw, file = read_file(what)
    except NoSuchSheet as error:
        message = f"there is no sheet or file {what!r}{did_you_mean(what, game.sheets)}"
        raise NoSuchSheet(message, where="add", accepts=", ".join([*game.sheets, "a file.toml"])) from error
    return read_combatants(game, raw, file)
