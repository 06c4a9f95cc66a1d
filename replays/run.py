"""The one loop: at each rest look the answer up; stop where there is none.

Play, script, rehearsal, correction, what-if and overruling differ only in where the answers come from
(`replays.answers`) and in what `perform` does with them.
"""

from collections.abc import Callable
from typing import Protocol

import msgspec

from ledger.commands import Command, DrawDice, Overrule, TypeDice
from ledger.entry import Who
from machines.ruleset import Ruleset
from projections.combat import Combat

_BY_HAND = {"typed", "scripted"}
"""What faces that a person gives may be said to be."""


class Asked(msgspec.Struct, frozen=True):
    """One command to perform, as it is to be written down and as it is to be decided."""

    command: Command
    by: Who
    decided: Command
    """What the rules are asked: the command itself, or the one whose figure an `Overrule` changes."""
    overrules: tuple[Overrule, ...] = ()
    origin: int | None = None


def by_hand(command: Command) -> Command:
    """A command as people may give it: dice are drawn by the door alone, and faces that are typed were not drawn."""
    match command:
        case DrawDice():
            return DrawDice(command.key, seen_by=command.seen_by)
        case TypeDice(provenance=provenance) if not {*provenance} <= _BY_HAND:
            return msgspec.structs.replace(command, provenance=())
        case _:
            return command


def plainly(command: Command, by: Who) -> Asked:
    """A command that is decided as it stands."""
    return Asked(command, by, command)


class Answers(Protocol):
    """Where answers come from."""

    def next(self, game: Ruleset | None, combat: Combat) -> Asked | None:
        """What to perform now, or None where there is no answer."""


Perform = Callable[[Asked], Combat]
"""Performs a command and returns what is so then."""


def run(game: Callable[[], Ruleset | None], combat: Combat, answers: Answers, perform: Perform) -> Combat:
    """Go on until there is no answer.

    Args:
        game: The rules, asked for anew each time: a script begins before its session has any.
        combat: What is so.
        answers: Where answers come from.
        perform: What to do with each.
    """
    while (asked := answers.next(game(), combat)) is not None:
        combat = perform(asked)
    return combat
