"""An ambush: who lies in it, who walks into it, and who of them notices."""

from collections.abc import Callable, Collection, Iterator

import msgspec

from machines.contract import refusals as no
from machines.eclipse_phase.family.d100 import attacker_prevails
from projections.combat import Combat


class Ambush(msgspec.Struct, frozen=True):
    """One ambush, when the fight begins."""

    ambushers: Collection[str]
    """As was said."""
    unable: Collection[str]
    """Conditions in which nobody lies in wait, or notices anything."""
    key: Callable[[Combat, str], str]
    """(combat, who): of their roll."""

    def _awake(self, combat: Combat) -> Iterator[str]:
        return (who for who in combat.roster.here() if not combat.conditions.has(who, *self.unable))

    def lurking(self, combat: Combat) -> tuple[str, ...]:
        """Those who lie in ambush.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return tuple(who for who in self._awake(combat) if who in self.ambushers)

    def walking_in(self, combat: Combat) -> tuple[str, ...]:
        """Those who may be surprised.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return tuple(who for who in self._awake(combat) if who not in self.ambushers)

    def lurker(self, combat: Combat, skill: Callable[[str], int]) -> str:
        """Whoever of the ambushers is best at it rolls for all.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return max(self.lurking(combat), key=skill)

    def tested(self, combat: Combat) -> dict[str, str]:
        """By who was ambushed, the keys of their rolls: of those who did roll.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        keys = {who: self.key(combat, who) for who in combat.roster.who}
        return {who: key for who, key in keys.items() if combat.rolls[key].faces and who not in self.ambushers}

    def caught(self, combat: Combat) -> tuple[str, ...]:
        """Those who do not win the opposed test against the ambushers' one roll.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        theirs, mine = self._opposed(combat)
        return tuple(who for who, roll in mine.items() if not attacker_prevails(roll, theirs))

    def beaten(self, combat: Combat) -> tuple[str, ...]:
        """Those against whom the ambushers' one roll wins; where both fail, nobody does.

        Source: EP2 12/21 Surprise, 03/02 Opposed Tests
        """
        theirs, mine = self._opposed(combat)
        return tuple(who for who, roll in mine.items() if attacker_prevails(theirs, roll))

    def _opposed(self, combat: Combat) -> tuple[tuple[str, int], dict[str, tuple[str, int]]]:
        """The ambushers' outcome and roll, and those of the ambushed."""
        keys = (self.key(combat, who) for who in combat.roster.who if who in self.ambushers)
        theirs = next(combat.rolls[key] for key in keys if combat.rolls[key].faces)
        mine = {who: combat.rolls[key] for who, key in self.tested(combat).items()}
        return (theirs.outcome, theirs.rolled), {who: (roll.outcome, roll.rolled) for who, roll in mine.items()}

    def still_free(self, combat: Combat, stat: Callable[[str], int]) -> tuple[str, ...]:
        """Ambushers who have not had the moment for themselves yet, the faster first.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        free = (who for who in self.lurking(combat) if who not in combat.turn.acted)
        return tuple(sorted(free, key=lambda who: -stat(who)))


def check_situation(combat: Combat, **fields: Collection[str]) -> None:
    """Refuse a fight's beginning that names somebody who is not here.

    Raises:
        BadSituation: With the field.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    for field, names in fields.items():
        for who in names:
            if who not in combat.roster.here():
                accepts = ", ".join(combat.roster.here())
                raise no.BadSituation(f"there is no {who!r} here", where=f"begin.{field}", accepts=accepts)
