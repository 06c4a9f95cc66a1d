"""Declarations: actions of a moment, interruptions, and activities outside a fight."""

from collections.abc import Iterator

from ledger.commands import Declare
from ledger.events import Json
from machines.contract.action import Action, Actions
from machines.contract.assumptions import assuming
from machines.contract.offering import Words
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.family.care import check_first_aid, check_repair, check_surgery
from machines.eclipse_phase.family.menu import at_suppressed, while_in, words_of_stress
from machines.eclipse_phase.second import chart
from machines.eclipse_phase.second.actions import assumptions, validation
from machines.eclipse_phase.second.actions import terms as t
from machines.eclipse_phase.second.actions.menu import IN_MOMENT
from machines.eclipse_phase.second.care import care_chart, resting, treating
from machines.eclipse_phase.second.harm import explosion, stress
from machines.eclipse_phase.second.success_tests import pools, recharging
from machines.eclipse_phase.second.success_tests.success import LINKED, SPENT
from machines.eclipse_phase.second.tables.tables import HEALING_RATES, POOLS, SKILLS
from machines.eclipse_phase.second.turn import acting_order, turn_chart
from projections.combat import Combat


def _going_first(combat: Combat, who: str) -> Iterator[Json]:
    return ({"pool": pool} for pool in pools.purse(combat, who) if POOLS[pool].first)


def _before_rolls(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each pool that fits an open test of the combatant, for a bonus or against modifiers."""
    mine = [rest.key for rest in combat.rests if rest.by == who and LINKED.is_at(combat, rest.key)]
    for key in mine:
        if not SPENT.is_at(combat, key):
            hindered = any(part.value < 0 for part in combat.rolls.modifiers(key))
            for pool in pools.fitting(combat, who, LINKED.at(combat, key)):
                for use in ("bonus", "ignore") if hindered else ("bonus",):
                    which = {"roll": key} if len(mine) > 1 else {}
                    yield {"use": use, "pool": pool, **which}


def _pools(combat: Combat, declared: Declare) -> Words:
    return {"pool": tuple(pools.purse(combat, declared.by)) if declared.by in combat.roster else ()}


def _words_of_rest(_: Combat, __: Declare) -> Words:
    return {"means": tuple(name for name, row in HEALING_RATES.items() if not row.natural)}


# fmt: off
ACTIONS: Actions = {
    **IN_MOMENT,
    "act":        Action(title="act now: delayed", chart=turn_chart.ACT, terms=t.NoTerms, check=acting_order.check_act, anytime=True,
                         breaks_in=while_in(DELAYING)),
    "take_initiative": Action(title="take the initiative", chart=turn_chart.TAKE_INITIATIVE, terms=t.TakeInitiativeTerms,
                         check=acting_order.check_take_initiative, anytime=True, breaks_in=_going_first, words=_pools),
    "pool":       Action(title="a pool before the roll", chart=chart.BEFORE, terms=t.PoolTerms, check=pools.check_pool, anytime=True,
                         assumes=assuming(t.PoolTerms, "EP2 03/05 Using Pools", "use"), breaks_in=_before_rolls, words=_pools),
    "ongoing":    Action(title="a pool for an aptitude's skills", chart=care_chart.ONGOING, terms=t.OngoingTerms,
                         check=recharging.check_ongoing, anytime=True, assumes=assuming(t.OngoingTerms, "EP2 03/05 Using Pools", "points"), words=_pools),
    "ignore":     Action(title="a pool to ignore harm", chart=care_chart.IGNORE, terms=t.IgnoreTerms, check=recharging.check_ignore, anytime=True,
                         words=_pools),
    "suppressed": Action(title="suppressive fire hits", chart=chart.ATTACK, terms=t.SuppressedTerms, check=validation.check_suppressed,
                         anytime=True, breaks_in=at_suppressed),
    "explosion":  Action(title="explosion", chart=care_chart.EXPLOSION, terms=t.ExplosionTerms, check=explosion.check_explosion, anytime=True,
                         assumes=assumptions.of_explosion),
    "stress":     Action(title="stress", chart=care_chart.STRESS, terms=t.StressTerms, check=stress.check_stress, anytime=True,
                         words=words_of_stress),
    "stabilize":  Action(title="stop the blood", chart=care_chart.STABILIZE, terms=t.TreatTerms, check=treating.check_stabilize, anytime=True),
    "wake":       Action(title="bring somebody round", chart=care_chart.WAKE, terms=t.WakeTerms, check=treating.check_wake, anytime=True),
    "first_aid":  Action(title="first aid", chart=care_chart.FIRST_AID, terms=t.TreatTerms, check=check_first_aid, anytime=True,
                         words=lambda *_: {"skill": tuple(SKILLS)}),
    "surgery":    Action(title="surgery", chart=care_chart.SURGERY, terms=t.TreatTerms, check=check_surgery, anytime=True,
                         assumes=assuming(t.TreatTerms, "EP2 12/17 Critical Care", "hours")),
    "repair":     Action(title="repair", chart=care_chart.REPAIR, terms=t.TreatTerms, check=check_repair, anytime=True),
    "rest":       Action(title="rest", chart=care_chart.REST, terms=t.RestTerms, check=resting.check_rest, anytime=True,
                         words=_words_of_rest),
    "recharge":   Action(title="recharge", chart=care_chart.RECHARGE, terms=t.RechargeTerms, check=recharging.check_recharge, anytime=True),
}
# fmt: on
"""Declarations by kind."""
