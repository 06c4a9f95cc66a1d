"""Ambushes: who lies in ambush, who may be surprised, and who notices."""

from collections.abc import Callable, Collection, Generator, Iterator

import msgspec

from ledger.events import ConditionGained, ConditionLost, Event, RollRequested
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.refusals import BadSituation
from machines.contract.toolkit import Telling
from machines.eclipse_phase.family.d100 import attacker_prevails
from machines.eclipse_phase.family.edition import edition
from machines.eclipse_phase.family.turn import moment_of
from projections.combat import Combat

SURPRISED = "surprised"
AMBUSHED = "ambushed"
"""Condition of combatants who noticed an ambush at the last moment, and of those who fight beside surprised ones."""


class Ambush(msgspec.Struct, frozen=True):
    """The ambush with which a fight begins."""

    ambushers: Collection[str]
    """Combatants in ambush, as stated when the fight began."""
    unable: Collection[str]
    """Conditions in which a combatant neither lies in wait nor notices anything."""
    key: Callable[[Combat, str], str]
    """(combat, combatant): the key of the combatant's roll."""

    def _awake(self, combat: Combat) -> Iterator[str]:
        return (who for who in combat.roster.here() if not combat.conditions.has(who, *self.unable))

    def lurking(self, combat: Combat) -> tuple[str, ...]:
        """Returns the combatants who lie in ambush.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return tuple(who for who in self._awake(combat) if who in self.ambushers)

    def walking_in(self, combat: Combat) -> tuple[str, ...]:
        """Returns the combatants who may be surprised.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return tuple(who for who in self._awake(combat) if who not in self.ambushers)

    def lurker(self, combat: Combat, skill: Callable[[str], int]) -> str:
        """Returns the ambusher with the highest skill, who rolls for all of them.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        return max(self.lurking(combat), key=skill)

    def tested(self, combat: Combat) -> dict[str, str]:
        """Returns the keys of the rolls to notice the ambush that were made, by combatant.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        keys = {who: self.key(combat, who) for who in combat.roster.who}
        return {who: key for who, key in keys.items() if combat.rolls[key].faces and who not in self.ambushers}

    def caught(self, combat: Combat) -> tuple[str, ...]:
        """Returns the combatants who do not win the opposed test against the ambushers' one roll.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        theirs, mine = self._opposed(combat)
        return tuple(who for who, roll in mine.items() if not attacker_prevails(roll, theirs))

    def beaten(self, combat: Combat) -> tuple[str, ...]:
        """Returns the combatants who lose to the ambushers' roll; they do not lose if both rolls fail.

        Source: EP2 12/21 Surprise, 03/02 Opposed Tests
        """
        theirs, mine = self._opposed(combat)
        return tuple(who for who, roll in mine.items() if attacker_prevails(theirs, roll))

    def _opposed(self, combat: Combat) -> tuple[tuple[str, int], dict[str, tuple[str, int]]]:
        """Returns the outcome and the roll of the ambushers, and those of each ambushed combatant."""
        keys = (self.key(combat, who) for who in combat.roster.who if who in self.ambushers)
        theirs = next(combat.rolls[key] for key in keys if combat.rolls[key].faces)
        mine = {who: combat.rolls[key] for who, key in self.tested(combat).items()}
        return (theirs.outcome, theirs.rolled), {who: (roll.outcome, roll.rolled) for who, roll in mine.items()}

    def still_free(self, combat: Combat, stat: Callable[[str], int]) -> tuple[str, ...]:
        """Returns the ambushers who have not yet had their free moment, the faster first.

        Source: EP1 204 Surprise; EP2 12/21 Surprise
        """
        free = (who for who in self.lurking(combat) if who not in combat.turn.acted)
        return tuple(sorted(free, key=lambda who: -stat(who)))


# ------------------------------------------------------------------------------------------------ boxes


def here(combat: Combat) -> Ambush:
    """Returns the ambush of this fight.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    sheets = edition(combat).sheets
    return Ambush(sheets.situation(combat).ambushers, sheets.unable, ambush_key)


def ambush_key(combat: Combat, who: str) -> str:
    """Returns the key of a combatant's roll to lie in ambush or to notice one.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    lurks = who in edition(combat).sheets.situation(combat).ambushers
    return role(f"{combat.clock.period}/{who}", "ambush" if lurks else "notice")


def lurker(combat: Combat) -> str:
    """Returns the ambusher with the highest skill, who rolls for all of them.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    sneaking = edition(combat).words.sneaking
    return here(combat).lurker(combat, lambda who: edition(combat).proficiency(combat, who, sneaking))


def is_ambush(combat: Combat) -> bool:
    """Returns whether a combatant attacks out of hiding.

    Raises:
        BadSituation: The situation of the fight names a combatant who is absent.
    """
    situation, ambush = edition(combat).sheets.situation(combat), here(combat)
    check_situation(combat, ambushers=situation.ambushers, alert=situation.alert, acclimated=situation.acclimated)
    return bool(ambush.lurking(combat)) and bool(ambush.walking_in(combat))


def surprise_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests one roll for all ambushers and one for each ambushed combatant."""
    first = lurker(combat)
    yield RollRequested(ambush_key(combat, first), first, "1d100", "lie in ambush", "")
    for who in here(combat).walking_in(combat):
        yield RollRequested(ambush_key(combat, who), who, "1d100", "notice an ambush", "")


def caught_off_guard(combat: Combat, caught: Collection[str], until: str, source: str) -> Generator[Event, Combat, str]:
    """Applies the outcome of an ambush.

    Where all are surprised, the ambushers have a free moment. Otherwise the surprised act late; where some or none
    are surprised, all ambushed combatants lose Initiative.

    Args:
        combat: The state.
        caught: The combatants who did not notice the ambush.
        until: When the surprised have caught up, if others noticed the ambush.
        source: The citation of the rule.

    Source: EP1 204 Surprise; EP2 12/21 Surprise; Ruling: EP1-N20, EP2-N16
    """
    tested = here(combat).tested(combat)
    alone = len(caught) == len(tested)
    for who in caught:
        end = "Initiative is rolled" if alone else until
        yield ConditionGained(who, SURPRISED, None, end, "", "did not notice the ambush", source)
    for who in () if alone else tested:
        yield ConditionGained(who, AMBUSHED, None, "Initiative is rolled", "", "ambushed", source)
    return "surprised" if alone else "noticed"


def forget_ambush(combat: Combat) -> Telling:
    """Ends the conditions that an ambush in an earlier fight left.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    for who in combat.roster.here():
        for name in (SURPRISED, AMBUSHED):
            if combat.conditions.has(who, name):
                combat = yield ConditionLost(who, name, "that was another fight")
    return combat


def free(combat: Combat) -> tuple[str, ...]:
    """Returns the ambushers who still have their free moment, the faster first.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    return here(combat).still_free(combat, lambda who: edition(combat).stat(combat, who))


def any_ambusher_left(combat: Combat) -> bool:
    """Returns whether an ambusher still has a free moment before Initiative is rolled."""
    return bool(free(combat))


def begin_free_moment(combat: Combat) -> Deed:
    """Begins the free moment of the ambusher with the highest Initiative stat."""
    yield from moment_of(combat, free(combat)[0])
    return None


def check_situation(combat: Combat, **fields: Collection[str]) -> None:
    """Rejects a situation that names a combatant who is absent.

    Raises:
        BadSituation: Names the field.

    Source: EP1 204 Surprise; EP2 12/21 Surprise
    """
    for field, names in fields.items():
        for who in names:
            if who not in combat.roster.here():
                accepts = ", ".join(combat.roster.here())
                raise BadSituation(f"there is no {who!r} here", where=f"begin.{field}", accepts=accepts)
