"""Declarations: actions of a moment, interruptions, and activities outside a fight."""

from collections.abc import Iterator

from ledger.events import Json
from machines.contract.action import Action, Actions
from machines.contract.assumptions import assuming
from machines.eclipse_phase.family.actions import DELAYING, check_act
from machines.eclipse_phase.family.care import check_first_aid, check_repair, check_surgery
from machines.eclipse_phase.family.edition import TARGET
from machines.eclipse_phase.family.menu import at_suppressed, while_in, words_of_stress
from machines.eclipse_phase.first import chart
from machines.eclipse_phase.first.actions import assumptions, validation
from machines.eclipse_phase.first.actions import terms as t
from machines.eclipse_phase.first.actions.menu import IN_MOMENT
from machines.eclipse_phase.first.care import care_chart, resting, therapy
from machines.eclipse_phase.first.harm import explosion, stress
from machines.eclipse_phase.first.success_tests import moxie
from machines.eclipse_phase.first.tables.tables import SKILLS
from machines.eclipse_phase.first.turn import turn_chart
from projections.combat import Combat


def _going_first(combat: Combat, who: str) -> Iterator[Json]:
    if moxie.left(combat, who):
        yield {}


def _moxie(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each open test of a combatant who has Moxie left."""
    if moxie.left(combat, who):
        mine = (rest.key for rest in combat.rests if rest.by == who)
        yield from ({"roll": key} for key in mine if TARGET.is_at(combat, key))


# fmt: off
ACTIONS: Actions = {
    **IN_MOMENT,
    "act":        Action(title="act now: delayed", chart=turn_chart.ACT, terms=t.NoTerms, check=check_act, anytime=True,
                         breaks_in=while_in(DELAYING)),
    "act_first":  Action(title="act first: Moxie", chart=turn_chart.ACT_FIRST, terms=t.NoTerms, check=validation.check_act_first,
                         anytime=True, breaks_in=_going_first),
    "moxie":      Action(title="Moxie: no modifiers", chart=chart.BEFORE, terms=t.MoxieTerms, check=moxie.check_moxie, anytime=True,
                         breaks_in=_moxie),
    "suppressed": Action(title="suppressive fire hits", chart=chart.ATTACK, terms=t.SuppressedTerms, check=validation.check_suppressed,
                         anytime=True, breaks_in=at_suppressed),
    "explosion":  Action(title="explosion", chart=care_chart.EXPLOSION, terms=t.ExplosionTerms, check=explosion.check_explosion, anytime=True,
                         assumes=assumptions.of_explosion),
    "stress":     Action(title="stress", chart=care_chart.STRESS, terms=t.StressTerms, check=stress.check_stress, anytime=True,
                         words=words_of_stress),
    "first_aid":  Action(title="medical care", chart=care_chart.FIRST_AID, terms=t.TreatTerms, check=check_first_aid, anytime=True),
    "surgery":    Action(title="surgery", chart=care_chart.SURGERY, terms=t.TreatTerms, check=check_surgery, anytime=True,
                         assumes=assuming(t.TreatTerms, "EP1 208 Surgery", "hours")),
    "repair":     Action(title="repair", chart=care_chart.REPAIR, terms=t.TreatTerms, check=check_repair, anytime=True),
    "rest":       Action(title="rest", chart=care_chart.REST, terms=t.RestTerms, check=resting.check_rest, anytime=True,
                         assumes=assuming(t.RestTerms, "EP1 208 Natural Healing", "means")),
    "therapy":    Action(title="psychotherapy", chart=care_chart.THERAPY, terms=t.TherapyTerms, check=therapy.check_therapy, anytime=True,
                         words=lambda *_: {"skill": tuple(SKILLS)}),
    "reflect":    Action(title="a quiet month", chart=care_chart.REFLECT, terms=t.ReflectTerms, check=therapy.check_reflect, anytime=True),
}
# fmt: on
"""Declarations by kind."""
