"""A success test, as both editions have it: what it starts from, and the d100 that is asked for."""

import re

from ledger.events import FigureFound, ModifierApplied, RollRequested
from machines.contract import refusals as no
from machines.eclipse_phase.family.d100 import succeeds
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


def is_of_wounds(part: ModifierApplied) -> bool:
    """Is it what wounds or traumas take from a test of whoever has them?

    Source: EP1 207 Wound Effects, 209 Trauma Effects; EP2 12/16 Wound Effects, 12/18 Trauma Effects
    """
    return bool(part.source) and _WOUNDS.fullmatch(part.why) is not None


_WOUNDS = re.compile(r"\d+ (?:wound|trauma)s?")


FULL_DEFENSE_PART = "full defense"


def is_own_part(part: ModifierApplied) -> bool:
    """Does a modifier tell only of whoever rolls: their wounds and traumas, or that they defend themselves fully?

    Source: EP1 198 Full Defense; EP2 12/21 Full Defense
    """
    return is_of_wounds(part) or (bool(part.source) and part.why == FULL_DEFENSE_PART)


def passed(combat: Combat, key: str) -> bool:
    """Did this test succeed?

    Source: EP1 115 Making Tests; EP2 03/01 Making Tests
    """
    return succeeds(combat.rolls[key].outcome)


def open_test(combat: Combat, by: str, key: str, figure: str) -> str:
    """The open test that somebody means, or their first one.

    Args:
        combat: What is so.
        by: Who rolls.
        key: Of the roll; empty for the first.
        figure: That every test of this game has found.

    Raises:
        NoSuchRoll: They have none open.

    Source: EP1 122 Moxie; EP2 03/05 Using Pools
    """
    mine = [rest.key for rest in combat.path.asked if rest.by == by and combat.figures.holds(rest.key, figure)]
    if not mine or (key and key not in mine):
        raise no.NoSuchRoll(
            f"{by} has no open test {key}".rstrip(), where="roll", accepts=", ".join(mine) or "none is open"
        )
    return key or mine[0]
