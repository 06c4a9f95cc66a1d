"""The random response of an alerted system, and the range of signals."""

from collections.abc import Iterator

from ledger.events import RollRequested
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame, key_of, thrown
from machines.shadowrun_4e.sheet.sheet_access import attribute
from machines.shadowrun_4e.success_tests.test_terms import AlertTerms, SignalTerms
from machines.shadowrun_4e.tables.tables import ALERT_RESPONSES, SIGNAL
from projections.combat import Combat

RESPONSE = FigureName("response", str)


def alert_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for one die."""
    yield from thrown(combat, key_of(combat, RESPONSE.name), frame(combat).by, "1d6", "response to an alert")


def read_alert(combat: Combat) -> Deed:
    """Records the system's response."""
    now, key = frame(combat), key_of(combat, RESPONSE.name)
    face = combat.rolls[key].faces[0]
    line = next(row for row in ALERT_RESPONSES.values() if row.roll == face)
    why = f"{face} for {typed(now.terms, AlertTerms).system}"
    yield RESPONSE.found(now.key, line.name, why, line.source)
    return None


def reach(rating: int) -> int:
    """Returns the range of a Signal rating in meters.

    Source: SR4S Signal Rating Table

    >>> reach(3)
    400
    """
    return next(row.meters for row in SIGNAL.values() if row.rating == rating)


def is_in_range(combat: Combat) -> bool:
    """Returns whether both signals reach across the distance."""
    now = frame(combat)
    terms = typed(now.terms, SignalTerms)
    other = attribute(combat, terms.at, "signal") if terms.at else terms.signal
    signals = [attribute(combat, now.by, "signal"), *([other] if other is not None else [])]
    return all(reach(each) >= terms.distance for each in signals)
