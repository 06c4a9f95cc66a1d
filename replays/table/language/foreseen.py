"""Foresees the roll that a declaration leads to, before others have chosen: its key and its number."""

from collections.abc import Iterable

from ledger.commands import Choose, Command, DrawDice
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold

_MOST_CHOICES = 4
"""Maximum number of choices of others that are foreseen."""


def at_roll(game: Ruleset, combat: Combat, exchange: str) -> tuple[str, Combat] | None:
    """Returns the key of the roll that an open exchange is about, and the state in which it is asked for.

    Others are supposed to take their default, or else their first option.

    Args:
        game: The rules.
        combat: The state after the declaration.
        exchange: The key of the exchange.

    Returns:
        None if other dice come first, or the exchange has no such roll.

    Raises:
        Refused: The rules do not accept such a choice.
    """
    frame = next((each for each in combat.exchange.frames if each.key == exchange), None)
    roll = game.kinds[frame.kind].roll if frame is not None else ""
    for _ in range(_MOST_CHOICES if roll else 0):
        inside = [rest for rest in combat.rests if rest.key.startswith(f"{exchange}/")]
        found = next((rest for rest in inside if rest.dice and rest.key.endswith(f"/{roll}")), None)
        if found is not None:
            return found.key, combat
        choice = next((rest for rest in inside if rest.options), None)
        if choice is None:
            break
        option = choice.default or choice.options[0].option
        combat = after(game, combat, [Choose(choice.key, option)])
    return None


def after(game: Ruleset, combat: Combat, commands: Iterable[Command]) -> Combat:
    """Returns the state after commands; draws of dice, whose faces are not known yet, are passed over.

    Raises:
        Refused: The rules do not accept one of them.
    """
    for each in commands:
        if not isinstance(each, DrawDice):
            combat = fold(decide(game, combat, each), combat)
    return combat


def number_of(game: Ruleset, combat: Combat, key: str) -> str:
    """Returns the sum of an open roll in words: a target number, or a number of dice; empty if it is hidden."""
    sums = game.vocabulary.sums
    if not combat.figures.holds(key, sums.total) or combat.figures.partly(key, sums.goals) == "":
        return ""
    number = combat.figures.number(key, sums.total)
    return f"{number} dice" if game.counted else str(number)
