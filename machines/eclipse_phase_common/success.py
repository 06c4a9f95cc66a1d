"""A success test, as both editions have it: what it starts from, and the d100 that is asked for."""

from ledger.events import FigureFound, RollRequested
from machines.eclipse_phase_common.d100 import succeeds
from projections.combat import Combat

DIE = "1d100"


def asked(combat: Combat, key: str, who: str, purpose: str) -> RollRequested:
    """The d100 of a test.

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    frame = combat.exchange.frame
    return RollRequested(key, who, DIE, purpose, frame.key if frame else "")


def base(key: str, value: int, why: str, source: str, who: str) -> FigureFound:
    """The number before modifiers that a test starts from.

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    return FigureFound(key, "base", value, why, source, "exchange", who)


def passed(combat: Combat, key: str) -> bool:
    """Did this test succeed?

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    return succeeds(combat.rolls[key].outcome)
