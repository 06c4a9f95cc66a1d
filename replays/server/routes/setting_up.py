"""Routes for setting up a fight: they check a file of combatants, and draw the link of a seat as a QR code."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from litestar import Controller, Response, post
from litestar.params import FromPath, JSONBody

from ledger.bounds import VISIBLE, Viewers
from ledger.events import Json
from machines.contract.refusals import BadSheet
from machines.contract.ruleset import Ruleset, ruleset
from replays.scripts.format import Player
from replays.scripts.scripted_answers import audience
from replays.scripts.sheet_check import sheet_faults
from replays.scripts.sheet_files import BadFile, read_combatants
from replays.server.callers.callers import InjectedHolder
from replays.server.reference.qr_codes import LONGEST, QrCode, qr_code
from replays.server.routes.common import READS, SECURITY, refusals

_MOST_DOTS = 100
"""Maximum number of dots in a line of a file."""
_NAMED = 5
"""Number of faults that one refusal names."""


class QrText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text to be drawn."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    """Such as the link of a seat; the largest code has room for 2,953 bytes."""


class SheetText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a file of combatants."""

    text: Annotated[str, msgspec.Meta(max_length=100_000)]
    """A sheet, or a script with all of its combatants, as TOML."""
    file: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=VISIBLE)] = "sheet.toml"
    """The name of the file, for refusals, and for the id of a sheet without a name."""


class FileCombatant(msgspec.Struct, frozen=True):
    """A combatant of a file, ready to join a fight with."""

    id: str
    name: str
    sheet: Json
    player: str
    """The name of the person who plays it; `gm` by default."""
    side: str
    """The side that it fights on; empty if the file has none."""
    thing: bool
    """Whether it is a thing that can be harmed."""
    seen_by: Viewers
    """The combatants whose players may see it; an empty list: the gamemaster alone; null: all."""


class FileCombatants(msgspec.Struct, frozen=True):
    """The combatants of a file."""

    ruleset: str
    combatants: tuple[FileCombatant, ...]


class SheetFiles(Controller):
    """Checks files of combatants, which are sent as texts; no file of the server is read."""

    path = "/v1/rulesets/{name:str}/sheets/check"
    tags = ("Rulesets",)
    security = SECURITY

    @post("/", operation_id="checkSheets", status_code=200, responses=refusals(401, 403, 404, 413, 422), **READS)
    async def check(
        self, holder: InjectedHolder, name: FromPath[str], data: JSONBody[SheetText]
    ) -> Response[FileCombatants]:
        """Checks a file of combatants, and returns them: a sheet, or a script with all of its combatants.

        A refusal names the first faults; `where` is the path of the first one.
        """
        found = await holder.run(lambda: file_combatants(ruleset(name), data))
        return Response(found, headers={"cache-control": "no-store"})


class QrCodes(Controller):
    """Draws QR codes."""

    path = "/v1/qr"
    tags = ("Seats",)
    security = SECURITY

    @post("/", operation_id="drawQrCode", status_code=200, responses=refusals(401, 403, 404, 413, 422), **READS)
    async def draw(self, holder: InjectedHolder, data: JSONBody[QrText]) -> Response[QrCode]:
        """Draws a text as a QR code; the text is neither kept nor logged, because a link of a seat holds its token."""
        drawn = await holder.run(lambda: qr_code(data.text))
        return Response(drawn, headers={"cache-control": "no-store"})


def file_combatants(game: Ruleset, given: SheetText) -> FileCombatants:
    """Returns the combatants of a file.

    Raises:
        BadFile: It is not TOML, has no combatant, or those of another ruleset.
        BadSheet: A sheet has faults.
    """
    if any(line.count(".") > _MOST_DOTS for line in given.text.splitlines()):  # a key of many parts takes long to read
        raise BadFile("a line has too many dots", where=given.file, accepts=f"up to {_MOST_DOTS} in a line")
    found = read_combatants(game, given.text.encode(), given.file)
    for who, each in found.items():
        _check(game, who if len(found) > 1 else given.file, who, each)
    return FileCombatants(game.name, tuple(_documents(found)))


def _check(game: Ruleset, place: str, who: str, combatant: Player) -> None:
    faults = list(sheet_faults(game, combatant.sheet))
    if faults:
        named = "; ".join(fault.sentence for fault in faults[:_NAMED])
        more = f"; and {len(faults) - _NAMED} more" if len(faults) > _NAMED else ""
        where = f"combatants.{who}.sheet.{faults[0].path}".rstrip(".")
        raise BadSheet(f"{place}: {named}{more}", where=where, accepts=faults[0].accepts)


def _documents(found: dict[str, Player]) -> Iterator[FileCombatant]:
    for who, one in found.items():
        name, seen_by = one.name or who.replace("-", " "), audience(one.secret)
        yield FileCombatant(who, name, one.sheet, one.player, one.side, one.thing, seen_by)
