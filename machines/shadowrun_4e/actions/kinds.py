"""`ACTIONS`: everything that can be declared: actions of a phase, interrupts, and the tests of the screen's tables."""

from collections.abc import Iterator

from ledger.commands import Declare
from ledger.events import Json
from machines.contract.action import Action, Actions
from machines.contract.offering import Words, others
from machines.shadowrun_4e.actions import other_chart, validation
from machines.shadowrun_4e.actions import terms as t
from machines.shadowrun_4e.actions.menu import IN_PHASE
from machines.shadowrun_4e.harm import harm_chart
from machines.shadowrun_4e.sheet.sheet_access import DELAYING, GONE, UNABLE, arms
from machines.shadowrun_4e.success_tests import edge_chart, edge_uses
from machines.shadowrun_4e.success_tests import test_terms as tt
from machines.shadowrun_4e.success_tests.catalog import checked
from machines.shadowrun_4e.success_tests.edge import left
from machines.shadowrun_4e.success_tests.pools import EDGE_SPENT, POOL
from machines.shadowrun_4e.tables.tables import CONCEALABILITY, SKILLS
from machines.shadowrun_4e.turn import turn, turn_chart
from projections.combat import Combat


def words(combat: Combat, declared: Declare) -> Words:
    """Returns the accepted words of fields that all kinds of declaration share."""
    targets = others(combat, declared.by, *UNABLE, gone=GONE)
    return {
        "at": targets,
        "who": targets,
        "against": targets,
        "using": tuple(arms(combat, declared.by)) if declared.by in combat.roster else (),
        "roll": tuple(rest.key for rest in combat.rests if rest.dice),
        "skill": tuple(SKILLS),
    }


# ------------------------------------------------------------------------------------------------ breaking in


def _from_delay(combat: Combat, who: str) -> Iterator[Json]:
    if combat.conditions.has(who, DELAYING):
        yield {}


def _with_edge(combat: Combat, who: str) -> Iterator[Json]:
    if left(combat, who):
        yield {}


def _pools(combat: Combat, who: str) -> Iterator[Json]:
    """Returns terms for each open roll of a combatant; a single roll needs no key."""
    mine = _open_pools(combat, who)
    return ({"roll": key} if len(mine) > 1 else {} for key in mine)


def _pools_for_edge(combat: Combat, who: str) -> Iterator[Json]:
    """Returns the same for rolls without spent Edge, if points are left."""
    mine = _open_pools(combat, who) if left(combat, who) else []
    return ({"roll": key} if len(mine) > 1 else {} for key in mine if not EDGE_SPENT.is_at(combat, key))


def _open_pools(combat: Combat, who: str) -> list[str]:
    return [rest.key for rest in combat.rests if rest.by == who and POOL.is_at(combat, rest.key)]


def _under_fire(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each other combatant, if this one lays down suppressive fire."""
    if combat.conditions.has(who, "suppressing"):
        yield from ({"at": at} for at in others(combat, who, *UNABLE, gone=GONE))


# ------------------------------------------------------------------------------------------------ words


def _hidden_things(*_: object) -> Words:
    return {"item": tuple(word for row in CONCEALABILITY.values() for word in row.examples)}


# fmt: off
ACTIONS: Actions = {
    **IN_PHASE,
    "counterspell": Action(title="counterspelling", chart=other_chart.COUNTERSPELL, terms=t.CounterspellTerms, check=validation.check_counterspell,
                           anytime=True, words=lambda combat, _: {"protects": combat.roster.here()}),
    "drop":         Action(title="let a spell go", chart=other_chart.DROP, terms=t.DropTerms, check=validation.check_drop, anytime=True,
                           words=lambda combat, declared: {"spell": validation.kept_spells(combat, declared.by)}),
    "act":          Action(title="act now: delayed", chart=turn_chart.ACT, terms=t.NoTerms, check=turn.check_act, anytime=True, breaks_in=_from_delay),
    "edge":         Action(title="Edge before the roll", chart=edge_chart.BEFORE, terms=t.RollTerms, check=edge_uses.check_edge, anytime=True,
                           breaks_in=_pools_for_edge),
    "buy":          Action(title="buy hits", chart=edge_chart.BUY, terms=t.RollTerms, check=edge_uses.check_buy, anytime=True, breaks_in=_pools),
    "extra_pass":   Action(title="Edge for a pass more", chart=edge_chart.EXTRA_PASS, terms=t.NoTerms, check=edge_uses.check_extra_pass, anytime=True,
                           breaks_in=_with_edge),
    "go_first":     Action(title="Edge to act first", chart=edge_chart.GO_FIRST, terms=t.NoTerms, check=edge_uses.check_go_first, anytime=True,
                           breaks_in=_with_edge),
    "burn":         Action(title="burn Edge", chart=edge_chart.BURN, terms=t.BurnTerms, check=edge_uses.check_burn, anytime=True),
    "suppressed":   Action(title="under suppressive fire", chart=harm_chart.SUPPRESSED, terms=t.SuppressedTerms, check=validation.check_suppressed,
                           anytime=True, breaks_in=_under_fire),
    "explosion":    Action(title="a blast", chart=harm_chart.EXPLOSION, terms=t.BlastTerms, check=validation.check_explosion, anytime=True),
    "dumpshock":    Action(title="cut off from the Matrix", chart=harm_chart.DUMPSHOCK, terms=t.NoTerms, check=validation.check_dumpshock, anytime=True),
    # The tests of the screen's tables.
    "test":         Action(title="a test", chart=other_chart.TEST, terms=tt.SuccessTerms, check=checked("test"), anytime=True,
                           words=lambda *_: {"their_skill": tuple(SKILLS)}),
    "extended":     Action(title="an extended test", chart=other_chart.TEST, terms=tt.ExtendedTerms, check=checked("extended"), anytime=True),
    "perception":   Action(title="perception", chart=other_chart.TEST, terms=tt.PerceptionTerms, check=checked("perception"), anytime=True),
    "social":       Action(title="a social test", chart=other_chart.TEST, terms=tt.SocialTerms, check=checked("social"), anytime=True),
    "conceal":      Action(title="find what is hidden", chart=other_chart.TEST, terms=tt.ConcealTerms, check=checked("conceal"), anytime=True,
                           words=_hidden_things),
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
"""Everything that can be declared, by kind."""
