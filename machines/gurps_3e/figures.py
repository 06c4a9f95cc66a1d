"""The values that each figure may have where the gamemaster overrules it."""

from collections.abc import Mapping

from machines.contract.assumptions import ASSUMED_VALUES
from machines.contract.figures import (
    COUNT,
    MODIFIED,
    PERSON,
    YES,
    Bounds,
    FigureOfTest,
    Number,
    Settled,
    Words,
    bounds_by_name,
)
from machines.gurps_3e.actions.maneuvers import FEINT, YARDS
from machines.gurps_3e.attack.attack_context import FACTOR, FACTORS, FOE, LEFT, WHERE
from machines.gurps_3e.attack.critical import CRITICAL_ROUND, FIXED, IGNORED, MAXIMUM
from machines.gurps_3e.attack.firing import ROUNDS
from machines.gurps_3e.attack.fumbling import CRITICAL_MISS, FLIES, HOURS_OF_REPAIR
from machines.gurps_3e.attack.missing import ASSUMED
from machines.gurps_3e.attack.to_hit import NO_ROLL
from machines.gurps_3e.defense.active_defense import SECOND
from machines.gurps_3e.defense.defense_outcome import FUMBLER
from machines.gurps_3e.harm.damage import BASIC, CAPPED, DEALT, HEXES, INJURY, RESISTS, THROUGH
from machines.gurps_3e.harm.dying import DUE
from machines.gurps_3e.harm.shields import CAUGHT
from machines.gurps_3e.success_rolls.success import BASE, TARGET
from machines.gurps_3e.tables.tables import HIT_LOCATIONS

MARGIN = FigureOfTest("margin")
_LOOKED_UP = Settled("a modifier on the roll on the table")

FIGURES: Mapping[str, Bounds] = bounds_by_name({
    # Rolls
    BASE: MODIFIED, TARGET: MODIFIED, MARGIN: MODIFIED, NO_ROLL: Settled("another target of the roll"),
    # Blows
    FOE: PERSON, FUMBLER: PERSON, WHERE: Words(tuple(HIT_LOCATIONS)), SECOND: YES,
    CRITICAL_ROUND: _LOOKED_UP, CRITICAL_MISS: _LOOKED_UP, FACTOR: Words(FACTORS), FIXED: Number(),
    IGNORED: YES, MAXIMUM: YES, FEINT: COUNT, FLIES: COUNT, HOURS_OF_REPAIR: Number(),
    ROUNDS: Number(), LEFT: Number(), YARDS: Number(),
    # Damage
    BASIC: Number(), DEALT: Number(), RESISTS: Number(), THROUGH: MODIFIED, INJURY: Number(),
    CAPPED: Number(), HEXES: Number(), CAUGHT: Number(),
    DUE: Settled("the hit points"),
    ASSUMED: Settled("swung or thrust on the sheet"), ASSUMED_VALUES: Settled("another declaration: amend it"),
})  # fmt: skip
