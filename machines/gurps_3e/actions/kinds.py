"""All actions that can be declared: maneuvers, attacks from waiting, waking up after a fight, and death rolls."""

from collections.abc import Iterator

from ledger.commands import Declare
from ledger.events import Json
from machines.contract.action import Action, Actions
from machines.contract.offering import Words, others
from machines.gurps_3e import chart
from machines.gurps_3e.actions import assumptions, maneuver_chart, validation
from machines.gurps_3e.actions import terms as t
from machines.gurps_3e.actions.menu import IN_TURN, attacks_on, words_of_attack
from machines.gurps_3e.attack import targeting
from machines.gurps_3e.attack.spending import WAITING
from machines.gurps_3e.harm.dying import death_rolls_due
from machines.gurps_3e.sheet.sheet_access import UNABLE, UNCONSCIOUS, weapons_of
from projections.combat import Combat


def words(combat: Combat, declared: Declare) -> Words:
    """Returns completions for the fields that all declarations have: targets and weapons."""
    mine = weapons_of(combat, declared.by) if declared.by in combat.roster else {}
    return {"at": others(combat, declared.by, *UNABLE), "using": tuple(mine)}


def _attacks_from_waiting(combat: Combat, who: str) -> Iterator[Json]:
    """Yields an attack with each weapon on the acting combatant, for a combatant who waits."""
    if combat.conditions.has(who, WAITING) and combat.turn.who not in (None, who):
        yield from attacks_on(combat, who, combat.turn.who)


def _attempts_to_wake(combat: Combat, who: str) -> Iterator[Json]:
    """Yields one offer to an unconscious combatant after a fight."""
    if combat.conditions.has(who, UNCONSCIOUS) and not combat.clock.fighting:
        yield {}


def _death_rolls(combat: Combat, who: str) -> Iterator[Json]:
    """Yields one offer to a combatant who must roll to survive."""
    if death_rolls_due(combat, who):
        yield {}


ACTIONS: Actions = {
    **IN_TURN,
    "opportunity": Action(
        title="attack from waiting",
        chart=chart.ATTACK,
        terms=t.AttackTerms,
        check=validation.moving("wait", targeting.check_opportunity),
        assumes=assumptions.of_attack,
        anytime=True,
        breaks_in=_attacks_from_waiting,
        words=words_of_attack,
    ),
    "come_round": Action(
        title="come round",
        chart=maneuver_chart.COME_ROUND,
        terms=t.NoTerms,
        check=validation.check_come_round,
        anytime=True,
        breaks_in=_attempts_to_wake,
    ),
    "survive": Action(
        title="roll for life",
        chart=maneuver_chart.SURVIVE,
        terms=t.NoTerms,
        check=validation.check_survive,
        anytime=True,
        breaks_in=_death_rolls,
    ),
}
