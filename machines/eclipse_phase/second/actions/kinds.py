"""What can be declared: each kind with its chart, its terms and what refuses it."""

from collections.abc import Mapping

from machines.contract.action import Action
from machines.eclipse_phase.family.actions import check_delay, check_suppress, check_task
from machines.eclipse_phase.family.care import check_first_aid, check_repair, check_surgery
from machines.eclipse_phase.second import chart
from machines.eclipse_phase.second.actions import terms as t
from machines.eclipse_phase.second.actions import validation
from machines.eclipse_phase.second.attack.targeting import check_attack
from machines.eclipse_phase.second.care import care_chart, resting, treating
from machines.eclipse_phase.second.harm import explosion, stress
from machines.eclipse_phase.second.success_tests import pools, recharging
from machines.eclipse_phase.second.turn import acting_order

# fmt: off
KINDS: Mapping[str, Action] = {
    "attack":       Action(title="attack", chart=chart.ATTACK, terms=t.AttackTerms, check=check_attack),
    "full_defense": Action(title="full defense", chart=chart.FULL_DEFENSE, terms=t.FullDefenseTerms, check=validation.check_full_defense),
    "aim":          Action(title="aim", chart=chart.AIM, terms=t.AimTerms, check=validation.check_aim),
    "reload":       Action(title="reload", chart=chart.RELOAD, terms=t.ReloadTerms, check=validation.check_reload),
    "move":         Action(title="move", chart=chart.MOVE, terms=t.MoveTerms, check=validation.check_move),
    "suppress":     Action(title="suppressive fire", chart=chart.SUPPRESS, terms=t.SuppressTerms, check=check_suppress),
    "hold":         Action(title="keep hold", chart=chart.HOLD, terms=t.HoldTerms, check=validation.check_hold),
    "break_free":   Action(title="break free", chart=chart.BREAK_FREE, terms=t.BreakFreeTerms, check=validation.check_break_free),
    "delay":        Action(title="delay", chart=chart.DELAY, terms=t.NoTerms, check=check_delay),
    "task":         Action(title="Task Action", chart=chart.TASK, terms=t.TaskTerms, check=check_task),
    "complex":      Action(title="Complex Action", chart=chart.COMPLEX, terms=t.ComplexTerms, check=validation.check_complex),
    "quick":        Action(title="Quick Action", chart=chart.QUICK, terms=t.QuickTerms, check=validation.check_quick),
    # At any time: breaking in on others, or outside a fight.
    "act":        Action(title="act now: delayed", chart=chart.ACT, terms=t.NoTerms, check=acting_order.check_act, anytime=True),
    "take_initiative": Action(title="take the initiative", chart=chart.TAKE_INITIATIVE, terms=t.TakeInitiativeTerms,
                            check=acting_order.check_take_initiative, anytime=True),
    "pool":       Action(title="a pool before the roll", chart=chart.BEFORE, terms=t.PoolTerms, check=pools.check_pool, anytime=True),
    "ongoing":    Action(title="a pool for an aptitude's skills", chart=care_chart.ONGOING, terms=t.OngoingTerms,
                       check=recharging.check_ongoing, anytime=True),
    "ignore":     Action(title="a pool to ignore harm", chart=care_chart.IGNORE, terms=t.IgnoreTerms, check=recharging.check_ignore, anytime=True),
    "suppressed": Action(title="suppressive fire hits", chart=chart.ATTACK, terms=t.SuppressedTerms, check=validation.check_suppressed,
                       anytime=True),
    "explosion":  Action(title="explosion", chart=care_chart.EXPLOSION, terms=t.ExplosionTerms, check=explosion.check_explosion, anytime=True),
    "stress":     Action(title="stress", chart=care_chart.STRESS, terms=t.StressTerms, check=stress.check_stress, anytime=True),
    "stabilize":  Action(title="stop the blood", chart=care_chart.STABILIZE, terms=t.TreatTerms, check=treating.check_stabilize, anytime=True),
    "wake":       Action(title="bring somebody round", chart=care_chart.WAKE, terms=t.WakeTerms, check=treating.check_wake, anytime=True),
    "first_aid":  Action(title="first aid", chart=care_chart.FIRST_AID, terms=t.TreatTerms, check=check_first_aid,          anytime=True),
    "surgery":    Action(title="surgery", chart=care_chart.SURGERY, terms=t.TreatTerms, check=check_surgery,          anytime=True),
    "repair":     Action(title="repair", chart=care_chart.REPAIR, terms=t.TreatTerms, check=check_repair,          anytime=True),
    "rest":       Action(title="rest", chart=care_chart.REST, terms=t.RestTerms, check=resting.check_rest, anytime=True),
    "recharge":   Action(title="recharge", chart=care_chart.RECHARGE, terms=t.RechargeTerms, check=recharging.check_recharge, anytime=True),
}
# fmt: on
