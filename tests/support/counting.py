"""Counts that may be given in place of faces."""

from ledger.commands import TellDice, TypeDice
from ledger.events import Audience
from machines.contract.dice_reading import THE_TOTAL, summary_of
from machines.contract.ruleset import Ruleset
from projections.combat import Combat
from projections.path import Rest
from projections.rolls import Roll

Faces = tuple[int, ...]


def counts_of(game: Ruleset, combat: Combat, dice: str, key: str, faces: Faces) -> dict[str, int]:
    """Returns all counts that could be given in place of faces; none if the rules need every face."""
    roll = Roll(dice=dice, faces=faces)
    counts = summary_of(dice, game.reading(combat, key))
    return {each.name: roll.total if each == THE_TOTAL else each.of(roll) for each in counts}


def counted(game: Ruleset, combat: Combat, rest: Rest, faces: Faces, seen_by: Audience = None) -> TypeDice | TellDice:
    """Returns the counts of faces as the answer to an open roll; the faces if the rules need every face."""
    counts = counts_of(game, combat, rest.dice, rest.key, faces)
    return TellDice(rest.key, counts, seen_by=seen_by) if counts else TypeDice(rest.key, faces, seen_by=seen_by)
