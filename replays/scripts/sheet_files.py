"""Reads the combatants of a TOML file: a sheet, or a script with all of its combatants.

A sheet has its fields at the top, or ``name``, ``player`` and a table ``sheet``. ``ruleset`` may name its game.
"""

import re
from pathlib import Path
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.events import Json
from machines.contract.documents.accepted import Catalog
from machines.contract.documents.spelling import spelled
from machines.contract.ruleset import Ruleset
from replays.scripts.format import LONGEST, Player

_ABOUT = tuple(each for each in Player.__struct_encode_fields__ if each != "sheet")
"""What a file states of a combatant beside the sheet."""


class BadFile(Refused):
    """The file has no combatant of this ruleset."""

    slug = "sheet/file"


class NoSuchSheet(Refused):
    """There is no such sheet: neither one of the ruleset nor a file."""

    slug = "sheet/unknown"


def read_file(path: str) -> tuple[bytes, str]:
    """Returns the content of a file of combatants, and its name.

    Raises:
        NoSuchSheet: There is no such file, or it cannot be read.
        BadFile: It is longer than a script may be.
    """
    try:
        with Path(path).expanduser().open("rb") as opened:
            raw = opened.read(LONGEST + 1)
    except (OSError, ValueError, RuntimeError) as error:
        raise NoSuchSheet(f"there is no file {path!r}", where="file", accepts="the path of a TOML file") from error
    if len(raw) > LONGEST:
        raise BadFile(f"{path} is too long for a sheet", where="file", accepts=f"up to {LONGEST:,} bytes")
    return raw, Path(path).name


def ruleset_of(raw: bytes, file: str) -> str:
    """Returns the name of the ruleset that a file states; empty if it states none.

    Raises:
        BadFile: The file is not TOML.
    """
    stated = _parsed(raw, file).get("ruleset", "")
    return stated if isinstance(stated, str) else ""


def read_combatants(game: Ruleset, raw: bytes, file: str) -> dict[str, Player]:
    """Returns the combatants of a file by id. Names of fields and rows may be written in any case.

    Args:
        game: The ruleset.
        raw: The content of the file.
        file: Its name, for refusals and for the id of a sheet without a name.

    Raises:
        BadFile: It has no combatant, or those of another ruleset.
    """
    document = _parsed(raw, file)
    stated = document.pop("ruleset", game.name)
    if stated != game.name:
        raise BadFile(f"{file} is for the ruleset {stated!r}", where=file, accepts=game.name)
    try:
        if isinstance(document.get("combatants"), dict):
            return {who: msgspec.convert(each, Player) for who, each in document["combatants"].items()}
        combatant = _player(game, document)
    except msgspec.ValidationError as error:
        accepts = f"{', '.join(_ABOUT)}, and a table sheet"
        raise BadFile(f"{file} cannot be read as a sheet: {error}", where=file, accepts=accepts) from error
    return {id_of_name(combatant.name or Path(file).stem): combatant}


def id_of_name(name: str) -> str:
    """Returns the id of a combatant of that name."""
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return found if found not in ("", "gm") else "somebody"


def with_spelling(game: Ruleset, sheet: Json) -> Json:
    """Returns a sheet with the names of fields and rows written as the ruleset writes them."""
    named: Json = spelled(sheet, game.sheet, Catalog(game.name, game.tables))
    return named


def _parsed(raw: bytes, file: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  most sheets are shipped ones

    try:
        return tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, a huge number, or deep nesting
        raise BadFile(f"{file} cannot be read as a sheet: {error}", where=file, accepts="a sheet in TOML") from error


def _player(game: Ruleset, document: Json) -> Player:
    if not isinstance(document.get("sheet"), dict):
        own = {field.encode_name for field in msgspec.structs.fields(game.sheet)}
        about = {name: document[name] for name in _ABOUT if name in document and name not in own}
        document = {**about, "sheet": {name: value for name, value in document.items() if name not in about}}
    combatant = msgspec.convert(document, Player)
    return msgspec.structs.replace(combatant, sheet=with_spelling(game, combatant.sheet))
