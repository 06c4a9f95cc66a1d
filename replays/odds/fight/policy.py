"""The policy by which fights are played on: how each open roll and choice is answered.

A choice is answered as an empty line answers it at the table: with the default, else with the best option. In a turn a
combatant first does what other actions have to wait for, such as standing up, and then makes the first legal attack
that the rules offer against a foe; the foe is chosen at random. The turn ends when no such attack is legal. Nothing is
done out of turn, and combatants who are out of the fight end their turns.
"""

from collections.abc import Callable, Collection, Iterator
from random import Random

from ledger.commands import Choose, Command, Declare, TypeDice
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decided
from machines.engine.options import best_first
from projections.combat import Combat
from projections.path import Rest
from replays.odds.engine.dice_space import throw

POLICY = (
    "Dice are thrown at random. A choice is answered with its default, else with the option of the highest target. "
    "In a turn what is urgent comes first, such as standing up, and then the first legal attack that the rules offer "
    "against a foe that is chosen at random; nothing else is tried. A combatant who is out of the fight stays out."
)
"""The policy in words."""


class Policy:
    """Answers the open rolls and choices of a fight.

    Args:
        game: The rules.
        random: Throws the dice and chooses the foes.
        on_step: Is called before each run of the rules.
    """

    def __init__(self, game: Ruleset, random: Random, on_step: Callable[[], None]) -> None:
        self._game, self._random, self._on_step = game, random, on_step

    def answered(self, combat: Combat, out: Collection[str]) -> Combat:
        """Returns the state after the first open roll or choice was answered.

        Args:
            combat: A state in which something is open.
            out: The combatants who are out of the fight.

        Raises:
            Refused: No answer is legal, for example because the fight was begun under other rules.
        """
        rest = combat.rests[0]
        refused: Refused | None = None
        for command in self._answers(combat, rest, out):
            self._on_step()
            try:
                return decided(self._game, combat, command)[1]
            except Refused as refusal:
                refused = refusal
        assert refused is not None, "an open choice has options"
        raise refused

    def _answers(self, combat: Combat, rest: Rest, out: Collection[str]) -> Iterator[Command]:
        """Yields answers to an open roll or choice, the best first."""
        if rest.dice:
            yield TypeDice(rest.key, throw(rest.dice, self._random.randrange))
            return
        kinds = {option.option for option in rest.options if option.option in self._game.kinds}
        if kinds and rest.by not in out:
            yield from (each for each in self._acts(combat, rest.by, out) if each.kind in kinds)
        yield from (Choose(rest.key, option) for option in best_first(rest) if option not in kinds)

    def _acts(self, combat: Combat, who: str, out: Collection[str]) -> Iterator[Declare]:
        """Yields what a combatant does in a turn: what is urgent, then attacks on foes."""
        kinds = self._game.kinds
        for kind, action in kinds.items():
            yield from (Declare(kind, who, terms) for terms in action.urgent(combat, who))
        by_foe: dict[str, list[Declare]] = {}
        for kind in (kind for kind, action in kinds.items() if action.roll):
            for terms in kinds[kind].offers(combat, who):
                attack = Declare(kind, who, terms)
                by_foe.setdefault(_foe_in(combat, attack, out), []).append(attack)
        by_foe.pop("", None)
        for foe in self._random.sample(list(by_foe), len(by_foe)):
            yield from by_foe[foe]


def _foe_in(combat: Combat, attack: Declare, out: Collection[str]) -> str:
    """Returns the foe that an attack names; empty unless it names one combatant, who is still standing."""
    roster = combat.roster
    named = [value for value in attack.terms.values() if isinstance(value, str) and value in roster]
    if len(named) != 1 or named[0] in out or roster.is_among_friends(attack.by, named):
        return ""
    return named[0]
