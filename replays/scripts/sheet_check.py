"""Checks a sheet by the rules of its game, without a session."""

from collections.abc import Iterator
from typing import Any

from ledger.commands import Join, OpenSession
from ledger.errors import Refused
from ledger.events import Event, Json, ResourceOpened, TrackOpened
from machines.contract.documents.faults import FieldFault
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold

_WHO = "the-combatant"
_PLACE = f"combatants.{_WHO}.sheet"


def sheet_faults(game: Ruleset, sheet: Json) -> Iterator[FieldFault]:
    """Yields everything that is wrong with a sheet; nothing if a combatant with it can join.

    Args:
        game: The ruleset.
        sheet: The sheet.
    """
    found = False
    for fault in game.faults(sheet, game.sheet):
        found = True
        yield fault
    try:
        if not found:
            _joined(game, sheet)
    except Refused as refusal:
        path = refusal.where.removeprefix(_PLACE).removeprefix(".")
        problem = refusal.message.removeprefix(f"{_WHO}: ").replace(f"{_WHO}'s", "its")
        yield FieldFault(path, problem, refusal.accepts)


def sheet_summary(game: Ruleset, sheet: Json) -> Iterator[str]:
    """Yields lines that describe a sheet: the tracks and resources that the rules derive, its numbers, and its lists.

    Args:
        game: The ruleset.
        sheet: A sheet without faults.
    """
    events = _joined(game, sheet)
    tracks = [f"{event.track} {event.capacity}" for event in events if isinstance(event, TrackOpened)]
    resources = [f"{event.resource} {event.of}" for event in events if isinstance(event, ResourceOpened)]
    scalars = [f"{field} {value}" for field, value in sheet.items() if not isinstance(value, dict | list | bool)]
    for line in ([*tracks, *resources], scalars):
        if line:
            yield ", ".join(line).replace("_", " ")
    for field, value in sheet.items():
        if value and isinstance(value, dict | list):
            yield f"{field.replace('_', ' ')}: {', '.join(_words(value))}"


def _words(value: Any) -> Iterator[str]:
    """Yields the parts of a list or table in words; nested tables by their names alone."""
    if isinstance(value, list):
        yield from map(str, value)
        return
    for name, each in value.items():
        is_list = isinstance(each, list)
        yield name if isinstance(each, dict) else f"{name} {', '.join(map(str, each)) if is_list else each}"


def _joined(game: Ruleset, sheet: Json) -> tuple[Event, ...]:
    """Returns what happens when a combatant with a sheet joins a new session.

    Raises:
        Refused: The rules do not accept the sheet.
    """
    combat = fold(decide(game, Combat(), OpenSession("", game.name)), Combat())
    return decide(game, combat, Join(_WHO, sheet))
