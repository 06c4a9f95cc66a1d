"""What can be declared: each kind with its chart, its terms and what refuses it."""

from collections.abc import Mapping

from machines.contract.ruleset import Kind
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
KINDS: Mapping[str, Kind] = {
    "attack":       Kind(title="attack", chart=chart.COMBAT, terms=t.AttackTerms, check=targeting.check_attack),
    "cast":         Kind(title="cast a spell", chart=chart.SPELLCASTING, terms=t.CastTerms, check=validation.check_cast),
    "aim":          Kind(title="take aim", chart=other_chart.AIM, terms=t.AimTerms, check=validation.check_aim),
    "simple":       Kind(title="Simple Action", chart=other_chart.SIMPLE, terms=t.SimpleTerms, check=validation.check_simple),
    "complex":      Kind(title="Complex Action", chart=other_chart.COMPLEX, terms=t.ComplexTerms, check=validation.check_complex),
    "move":         Kind(title="move", chart=other_chart.MOVE, terms=t.MoveTerms, check=validation.check_move),
    "reload":       Kind(title="reload", chart=other_chart.RELOAD, terms=t.ReloadTerms, check=validation.check_reload),
    "shift":        Kind(title="go to another plane", chart=other_chart.SHIFT, terms=t.ShiftTerms, check=validation.check_shift),
    "suppress":     Kind(title="suppressive fire", chart=other_chart.SUPPRESS, terms=t.SuppressTerms, check=validation.check_suppress),
    "delay":        Kind(title="delay", chart=other_chart.DELAY, terms=t.NoTerms, check=validation.check_delay),
    # In one's own phase, or at any time.
    "free":         Kind(title="Free Action", chart=other_chart.FREE, terms=t.FreeTerms, check=validation.check_free, anytime=True),
    "summon":       Kind(title="summon a spirit", chart=other_chart.SUMMON, terms=t.SummonTerms, check=validation.check_summon, anytime=True),
    "full_defense": Kind(title="full defense", chart=other_chart.FULL_DEFENSE, terms=t.NoTerms, check=validation.check_full_defense, anytime=True),
    "counterspell": Kind(title="counterspelling", chart=other_chart.COUNTERSPELL, terms=t.CounterspellTerms, check=validation.check_counterspell,
                         anytime=True),
    "drop":         Kind(title="let a spell go", chart=other_chart.DROP, terms=t.DropTerms, check=validation.check_drop, anytime=True),
    "act":          Kind(title="act now: delayed", chart=chart.ACT, terms=t.NoTerms, check=turn.check_act, anytime=True),
    "edge":         Kind(title="Edge before the roll", chart=edge_chart.BEFORE, terms=t.RollTerms, check=edge_uses.check_edge, anytime=True),
    "buy":          Kind(title="buy hits", chart=edge_chart.BUY, terms=t.RollTerms, check=edge_uses.check_buy, anytime=True),
    "extra_pass":   Kind(title="Edge for a pass more", chart=edge_chart.EXTRA_PASS, terms=t.NoTerms, check=edge_uses.check_extra_pass, anytime=True),
    "go_first":     Kind(title="Edge to act first", chart=edge_chart.GO_FIRST, terms=t.NoTerms, check=edge_uses.check_go_first, anytime=True),
    "burn":         Kind(title="burn Edge", chart=edge_chart.BURN, terms=t.BurnTerms, check=edge_uses.check_burn, anytime=True),
    "suppressed":   Kind(title="under suppressive fire", chart=harm_chart.SUPPRESSED, terms=t.SuppressedTerms, check=validation.check_suppressed,
                         anytime=True),
    "explosion":    Kind(title="a blast", chart=harm_chart.EXPLOSION, terms=t.BlastTerms, check=validation.check_explosion, anytime=True),
    "dumpshock":    Kind(title="cut off from the Matrix", chart=harm_chart.DUMPSHOCK, terms=t.NoTerms, check=validation.check_dumpshock, anytime=True),
    # The tests of the tables.
    "test":         Kind(title="a test", chart=other_chart.TEST, terms=tt.SuccessTerms, check=checked("test"), anytime=True),
    "extended":     Kind(title="an extended test", chart=other_chart.TEST, terms=tt.ExtendedTerms, check=checked("extended"), anytime=True),
    "perception":   Kind(title="perception", chart=other_chart.TEST, terms=tt.PerceptionTerms, check=checked("perception"), anytime=True),
    "social":       Kind(title="a social test", chart=other_chart.TEST, terms=tt.SocialTerms, check=checked("social"), anytime=True),
    "conceal":      Kind(title="find what is hidden", chart=other_chart.TEST, terms=tt.ConcealTerms, check=checked("conceal"), anytime=True),
    "knowledge":    Kind(title="knowledge", chart=other_chart.TEST, terms=tt.KnowledgeTerms, check=checked("knowledge"), anytime=True),
    "search":       Kind(title="Matrix search", chart=other_chart.TEST, terms=tt.SearchTerms, check=checked("search"), anytime=True),
    "availability": Kind(title="availability", chart=other_chart.TEST, terms=tt.AvailabilityTerms, check=checked("availability"), anytime=True),
    "build":        Kind(title="build or repair", chart=other_chart.TEST, terms=tt.BuildTerms, check=checked("build"), anytime=True),
    "device":       Kind(title="a device's test", chart=other_chart.TEST, terms=tt.DeviceTerms, check=checked("device", awake=False), anytime=True),
    "sensor":       Kind(title="sensor test", chart=other_chart.TEST, terms=tt.SensorTerms, check=checked("sensor"), anytime=True),
    "drive":        Kind(title="vehicle test", chart=other_chart.TEST, terms=tt.VehicleTerms, check=checked("drive"), anytime=True),
    "assense":      Kind(title="assensing", chart=other_chart.TEST, terms=tt.AssenseTerms, check=checked("assense"), anytime=True),
    "track":        Kind(title="astral tracking", chart=other_chart.TEST, terms=tt.TrackTerms, check=checked("track"), anytime=True),
    "stabilize":    Kind(title="stabilize", chart=other_chart.TEST, terms=tt.StabilizeTerms, check=checked("stabilize"), anytime=True),
    "rest":         Kind(title="rest", chart=other_chart.TEST, terms=tt.RestTerms, check=checked("rest", awake=False), anytime=True),
    "signal":       Kind(title="a signal's range", chart=other_chart.SIGNAL, terms=tt.SignalTerms, check=validation.check_signal, anytime=True),
    "alert":        Kind(title="response to an alert", chart=other_chart.ALERT, terms=tt.AlertTerms, check=validation.check_alert, anytime=True),
}
# fmt: on
