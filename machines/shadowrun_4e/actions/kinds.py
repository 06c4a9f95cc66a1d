"""What can be declared: each kind with its chart, its terms and what refuses it."""

from collections.abc import Mapping

from machines.contract.action import Action
from machines.shadowrun_4e import chart
from machines.shadowrun_4e.actions import other_chart, validation
from machines.shadowrun_4e.actions import terms as t
from machines.shadowrun_4e.attack import targeting
from machines.shadowrun_4e.harm import harm_chart
from machines.shadowrun_4e.success_tests import edge_chart, edge_uses
from machines.shadowrun_4e.success_tests import test_terms as tt
from machines.shadowrun_4e.success_tests.catalog import checked
from machines.shadowrun_4e.turn import turn

# fmt: off
KINDS: Mapping[str, Action] = {
    "attack":       Action(title="attack", chart=chart.COMBAT, terms=t.AttackTerms, check=targeting.check_attack),
    "cast":         Action(title="cast a spell", chart=chart.SPELLCASTING, terms=t.CastTerms, check=validation.check_cast),
    "aim":          Action(title="take aim", chart=other_chart.AIM, terms=t.AimTerms, check=validation.check_aim),
    "simple":       Action(title="Simple Action", chart=other_chart.SIMPLE, terms=t.SimpleTerms, check=validation.check_simple),
    "complex":      Action(title="Complex Action", chart=other_chart.COMPLEX, terms=t.ComplexTerms, check=validation.check_complex),
    "move":         Action(title="move", chart=other_chart.MOVE, terms=t.MoveTerms, check=validation.check_move),
    "reload":       Action(title="reload", chart=other_chart.RELOAD, terms=t.ReloadTerms, check=validation.check_reload),
    "shift":        Action(title="go to another plane", chart=other_chart.SHIFT, terms=t.ShiftTerms, check=validation.check_shift),
    "suppress":     Action(title="suppressive fire", chart=other_chart.SUPPRESS, terms=t.SuppressTerms, check=validation.check_suppress),
    "delay":        Action(title="delay", chart=other_chart.DELAY, terms=t.NoTerms, check=validation.check_delay),
    # In one's own phase, or at any time.
    "free":         Action(title="Free Action", chart=other_chart.FREE, terms=t.FreeTerms, check=validation.check_free, anytime=True),
    "summon":       Action(title="summon a spirit", chart=other_chart.SUMMON, terms=t.SummonTerms, check=validation.check_summon, anytime=True),
    "full_defense": Action(title="full defense", chart=other_chart.FULL_DEFENSE, terms=t.NoTerms, check=validation.check_full_defense, anytime=True),
    "counterspell": Action(title="counterspelling", chart=other_chart.COUNTERSPELL, terms=t.CounterspellTerms, check=validation.check_counterspell,
                         anytime=True),
    "drop":         Action(title="let a spell go", chart=other_chart.DROP, terms=t.DropTerms, check=validation.check_drop, anytime=True),
    "act":          Action(title="act now: delayed", chart=chart.ACT, terms=t.NoTerms, check=turn.check_act, anytime=True),
    "edge":         Action(title="Edge before the roll", chart=edge_chart.BEFORE, terms=t.RollTerms, check=edge_uses.check_edge, anytime=True),
    "buy":          Action(title="buy hits", chart=edge_chart.BUY, terms=t.RollTerms, check=edge_uses.check_buy, anytime=True),
    "extra_pass":   Action(title="Edge for a pass more", chart=edge_chart.EXTRA_PASS, terms=t.NoTerms, check=edge_uses.check_extra_pass, anytime=True),
    "go_first":     Action(title="Edge to act first", chart=edge_chart.GO_FIRST, terms=t.NoTerms, check=edge_uses.check_go_first, anytime=True),
    "burn":         Action(title="burn Edge", chart=edge_chart.BURN, terms=t.BurnTerms, check=edge_uses.check_burn, anytime=True),
    "suppressed":   Action(title="under suppressive fire", chart=harm_chart.SUPPRESSED, terms=t.SuppressedTerms, check=validation.check_suppressed,
                         anytime=True),
    "explosion":    Action(title="a blast", chart=harm_chart.EXPLOSION, terms=t.BlastTerms, check=validation.check_explosion, anytime=True),
    "dumpshock":    Action(title="cut off from the Matrix", chart=harm_chart.DUMPSHOCK, terms=t.NoTerms, check=validation.check_dumpshock, anytime=True),
    # The tests of the tables.
    "test":         Action(title="a test", chart=other_chart.TEST, terms=tt.SuccessTerms, check=checked("test"), anytime=True),
    "extended":     Action(title="an extended test", chart=other_chart.TEST, terms=tt.ExtendedTerms, check=checked("extended"), anytime=True),
    "perception":   Action(title="perception", chart=other_chart.TEST, terms=tt.PerceptionTerms, check=checked("perception"), anytime=True),
    "social":       Action(title="a social test", chart=other_chart.TEST, terms=tt.SocialTerms, check=checked("social"), anytime=True),
    "conceal":      Action(title="find what is hidden", chart=other_chart.TEST, terms=tt.ConcealTerms, check=checked("conceal"), anytime=True),
    "knowledge":    Action(title="knowledge", chart=other_chart.TEST, terms=tt.KnowledgeTerms, check=checked("knowledge"), anytime=True),
    "search":       Action(title="Matrix search", chart=other_chart.TEST, terms=tt.SearchTerms, check=checked("search"), anytime=True),
    "availability": Action(title="availability", chart=other_chart.TEST, terms=tt.AvailabilityTerms, check=checked("availability"), anytime=True),
    "build":        Action(title="build or repair", chart=other_chart.TEST, terms=tt.BuildTerms, check=checked("build"), anytime=True),
    "device":       Action(title="a device's test", chart=other_chart.TEST, terms=tt.DeviceTerms, check=checked("device", awake=False), anytime=True),
    "sensor":       Action(title="sensor test", chart=other_chart.TEST, terms=tt.SensorTerms, check=checked("sensor"), anytime=True),
    "drive":        Action(title="vehicle test", chart=other_chart.TEST, terms=tt.VehicleTerms, check=checked("drive"), anytime=True),
    "assense":      Action(title="assensing", chart=other_chart.TEST, terms=tt.AssenseTerms, check=checked("assense"), anytime=True),
    "track":        Action(title="astral tracking", chart=other_chart.TEST, terms=tt.TrackTerms, check=checked("track"), anytime=True),
    "stabilize":    Action(title="stabilize", chart=other_chart.TEST, terms=tt.StabilizeTerms, check=checked("stabilize"), anytime=True),
    "rest":         Action(title="rest", chart=other_chart.TEST, terms=tt.RestTerms, check=checked("rest", awake=False), anytime=True),
    "signal":       Action(title="a signal's range", chart=other_chart.SIGNAL, terms=tt.SignalTerms, check=validation.check_signal, anytime=True),
    "alert":        Action(title="response to an alert", chart=other_chart.ALERT, terms=tt.AlertTerms, check=validation.check_alert, anytime=True),
}
# fmt: on
