"""What can be declared: each kind with its chart, its terms and what refuses it."""

from collections.abc import Mapping

from machines.contract.action import Action
from machines.eclipse_phase.family.actions import check_act, check_delay, check_suppress, check_task
from machines.eclipse_phase.family.care import check_first_aid, check_repair, check_surgery
from machines.eclipse_phase.first import chart
from machines.eclipse_phase.first.actions import terms as t
from machines.eclipse_phase.first.actions import validation
from machines.eclipse_phase.first.attack.targeting import check_attack
from machines.eclipse_phase.first.care import care_chart, resting, therapy
from machines.eclipse_phase.first.harm import explosion, stress
from machines.eclipse_phase.first.success_tests import moxie

# fmt: off
KINDS: Mapping[str, Action] = {
    "attack":       Action(title="attack", chart=chart.ATTACK, terms=t.AttackTerms, check=check_attack),
    "full_defense": Action(title="full defense", chart=chart.FULL_DEFENSE, terms=t.FullDefenseTerms, check=validation.check_whole_phase),
    "aim":          Action(title="aim", chart=chart.AIM, terms=t.AimTerms, check=validation.check_aim),
    "reload":       Action(title="reload", chart=chart.RELOAD, terms=t.ReloadTerms, check=validation.check_reload),
    "move":         Action(title="move", chart=chart.MOVE, terms=t.MoveTerms, check=validation.check_move),
    "suppress":     Action(title="suppressive fire", chart=chart.SUPPRESS, terms=t.SuppressTerms, check=check_suppress),
    "break_free":   Action(title="break free", chart=chart.BREAK_FREE, terms=t.BreakFreeTerms, check=validation.check_break_free),
    "delay":        Action(title="delay", chart=chart.DELAY, terms=t.NoTerms, check=check_delay),
    "task":         Action(title="Task Action", chart=chart.TASK, terms=t.TaskTerms, check=check_task),
    "complex":      Action(title="Complex Action", chart=chart.COMPLEX, terms=t.ComplexTerms, check=validation.check_complex),
    "quick":        Action(title="Quick Action", chart=chart.QUICK, terms=t.QuickTerms, check=validation.check_quick),
    # At any time: breaking in on others, or outside a fight.
    "act":        Action(title="act now: delayed", chart=chart.ACT, terms=t.NoTerms, check=check_act,            anytime=True),
    "act_first":  Action(title="act first: Moxie", chart=chart.ACT_FIRST, terms=t.NoTerms, check=validation.check_act_first, anytime=True),
    "moxie":      Action(title="Moxie: no modifiers", chart=chart.BEFORE, terms=t.MoxieTerms, check=moxie.check_moxie, anytime=True),
    "suppressed": Action(title="suppressive fire hits", chart=chart.ATTACK, terms=t.SuppressedTerms, check=validation.check_suppressed,
                       anytime=True),
    "explosion":  Action(title="explosion", chart=care_chart.EXPLOSION, terms=t.ExplosionTerms, check=explosion.check_explosion, anytime=True),
    "stress":     Action(title="stress", chart=care_chart.STRESS, terms=t.StressTerms, check=stress.check_stress, anytime=True),
    "first_aid":  Action(title="medical care", chart=care_chart.FIRST_AID, terms=t.TreatTerms, check=check_first_aid,         anytime=True),
    "surgery":    Action(title="surgery", chart=care_chart.SURGERY, terms=t.TreatTerms, check=check_surgery,         anytime=True),
    "repair":     Action(title="repair", chart=care_chart.REPAIR, terms=t.TreatTerms, check=check_repair,         anytime=True),
    "rest":       Action(title="rest", chart=care_chart.REST, terms=t.RestTerms, check=resting.check_rest, anytime=True),
    "therapy":    Action(title="psychotherapy", chart=care_chart.THERAPY, terms=t.TherapyTerms, check=therapy.check_therapy, anytime=True),
    "reflect":    Action(title="a quiet month", chart=care_chart.REFLECT, terms=t.ReflectTerms, check=therapy.check_reflect, anytime=True),
}
# fmt: on
