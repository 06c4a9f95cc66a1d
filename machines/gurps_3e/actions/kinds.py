"""What can be declared: each kind with its chart, its terms and what refuses it."""

from collections.abc import Mapping

from machines.contract.ruleset import Kind
from machines.gurps_3e import chart
from machines.gurps_3e.actions import maneuver_chart, validation
from machines.gurps_3e.actions import terms as t
from machines.gurps_3e.attack import targeting

# fmt: off
KINDS: Mapping[str, Kind] = {
    "attack":          Kind(title="attack", chart=chart.ATTACK, terms=t.AttackTerms, check=targeting.check_attack),
    "feint":           Kind(title="feint", chart=maneuver_chart.FEINT, terms=t.FeintTerms, check=validation.check_feint),
    "all_out_defense": Kind(title="all-out defense", chart=maneuver_chart.ALL_OUT_DEFENSE, terms=t.NoTerms, check=validation.check_plain),
    "aim":             Kind(title="aim", chart=maneuver_chart.AIM, terms=t.AimTerms, check=validation.check_aim),
    "wait":            Kind(title="wait", chart=maneuver_chart.WAIT, terms=t.WaitTerms, check=validation.check_plain),
    "posture":         Kind(title="change posture", chart=maneuver_chart.POSTURE, terms=t.PostureTerms, check=validation.check_posture),
    "ready":           Kind(title="ready", chart=maneuver_chart.READY, terms=t.ReadyTerms, check=validation.check_ready),
    "move":            Kind(title="move", chart=maneuver_chart.MOVE, terms=t.MoveTerms, check=validation.check_move),
    "concentrate":     Kind(title="concentrate", chart=maneuver_chart.CONCENTRATE, terms=t.ConcentrateTerms, check=validation.check_plain),
    # In somebody else's turn, or outside a fight.
    "opportunity":     Kind(title="attack from waiting", chart=chart.ATTACK, terms=t.AttackTerms, check=targeting.check_opportunity, anytime=True),
    "come_round":      Kind(title="come round", chart=maneuver_chart.COME_ROUND, terms=t.NoTerms, check=validation.check_come_round, anytime=True),
}
# fmt: on
