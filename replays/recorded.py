"""Recorded answers: what was decided, asked for again by key.

A recorded command that answers a rest is used when a rest of its key is open, the latest standing answer first; one
that answers none (a note, a gamemaster's modifier) comes again where it was given. What is not reached waits, and is
left over if it never is.
"""

from collections.abc import Callable, Iterable

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TypeDice
from ledger.dice import parse
from ledger.entry import Entry
from ledger.errors import Refused
from machines.decider import decide
from machines.ruleset import Ruleset
from projections.combat import Combat
from replays.run import Asked


def underlying(entry: Entry, of: Callable[[int], Entry]) -> tuple[Command, tuple[Overrule, ...]]:
    """What the rules were asked when an entry was decided, and the gamemaster's word on its figures.

    Args:
        entry: An entry.
        of: Finds an entry by its number.
    """
    overrules: list[Overrule] = []
    while isinstance(entry.command, Overrule):
        overrules.append(entry.command)
        assert entry.origin is not None, "an overruling performs an entry again"
        entry = of(entry.origin)
    newest: dict[tuple[str, str], Overrule] = {}
    for each in reversed(overrules):
        newest[each.key, each.figure] = each
    return entry.command, tuple(newest.values())


def again(entry: Entry, of: Callable[[int], Entry]) -> Asked:
    """An entry's command, to be performed again."""
    decided, overrules = underlying(entry, of)
    return Asked(entry.command, entry.by, decided, overrules, entry.seq)


class Recorded:
    """Answers out of a stretch of the log."""

    def __init__(self, entries: Iterable[Entry], of: Callable[[int], Entry]) -> None:
        self.left = [again(entry, of) for entry in entries]
        """Not used yet, in the order of the log."""

    def next(self, game: Ruleset | None, combat: Combat) -> Asked | None:
        """The first recorded command that fits what the table waits for."""
        assert game is not None
        for place, recorded in enumerate(self.left):
            asked = fitted(recorded, combat)
            if _is_reached(asked.decided, combat) and _is_legal(game, combat, asked):
                del self.left[place]
                return asked
        return None


def fitted(asked: Asked, combat: Combat) -> Asked:
    """What was recorded, as it answers what the table waits for now."""
    fewer = fewer_faces(asked.decided, combat)
    command = fewer if asked.command is asked.decided else asked.command
    return Asked(command, asked.by, fewer, asked.overrules, asked.origin)


def fewer_faces(command: Command, combat: Combat) -> Command:
    """Dice for a pool that has become smaller since: its first faces; the others are set aside."""
    rest = next((rest for rest in combat.rests if isinstance(command, _DICE) and rest.key == command.key), None)
    if rest is None or not isinstance(command, _DICE):
        return command
    sides, faces = parse(rest.dice).sides, len(command.faces)
    if len(sides) >= faces or len(set(sides)) != 1:
        return command
    return msgspec.structs.replace(
        command, faces=command.faces[: len(sides)], provenance=command.provenance[: len(sides)]
    )


_DICE = (TypeDice, DrawDice)


def answers_rest(command: Command, combat: Combat) -> bool:
    """Does this command answer something that the table waits for? What breaks in answers nothing."""
    if isinstance(command, Declare):
        mine = (rest for rest in combat.rests if rest.by == command.by)
        return any(option.option == command.kind for rest in mine for option in rest.options)
    return isinstance(command, TypeDice | DrawDice | Choose)


def _is_reached(command: Command, combat: Combat) -> bool:
    """Is a rest open that this answers, or is the table where it was given?"""
    match command:
        case TypeDice() | DrawDice() | Choose():
            return any(rest.key == command.key for rest in combat.rests)
        case Declare() if command.given_at is None:
            return not combat.rests or any(rest.by == command.by and rest.options for rest in combat.rests)
        case _:
            given_at = command.given_at
            return given_at is None or not combat.rests or any(rest.key == given_at for rest in combat.rests)


def _is_legal(game: Ruleset, combat: Combat, asked: Asked) -> bool:
    try:
        decide(game, combat, asked.decided, asked.overrules)
    except Refused:
        return False
    return True
