"""Values to which the gamemaster may overrule each figure of this game."""

from collections.abc import Mapping

from machines.contract.assumptions import ASSUMED_VALUES
from machines.contract.figures import (
    COUNT,
    MODIFIED,
    PERSON,
    YES,
    Bounds,
    FigureOfTest,
    Notation,
    Number,
    Settled,
    Words,
    bounds_by_name,
)
from machines.eclipse_phase.family.actions import TASK
from machines.eclipse_phase.family.attacks import SPOT
from machines.eclipse_phase.family.damage import BLAST, DAMAGE_DICE
from machines.eclipse_phase.family.edition import (
    ARMOR,
    BASE,
    CALLED_SHOT,
    DAMAGE_TAKEN,
    DEGREE,
    DICE,
    DV,
    HAND,
    HEALED,
    METERS,
    MINUTES,
    OUTCOME,
    SCATTER,
    SCORE,
    SV,
    TARGET,
    WOUNDS_TAKEN,
)
from machines.eclipse_phase.family.success import ASIDE, POOL_BONUS
from machines.eclipse_phase.second.actions.actions import EXTRA, MENTAL_ONLY, STOOD_UP, TAKEN
from machines.eclipse_phase.second.attack.attack import CHANCE, HANDS, HANDS_LEFT, IN_VAIN
from machines.eclipse_phase.second.attack.grappling import DRAGS
from machines.eclipse_phase.second.attack.modifiers import SWEEPS
from machines.eclipse_phase.second.attack.outcome import DODGED, DOUBLED, SUPERIORS
from machines.eclipse_phase.second.attack.special_attacks import HURTS
from machines.eclipse_phase.second.care.resting import MENDED
from machines.eclipse_phase.second.figure_names import BLIND, HARDER, POINTS, REDIRECTED, RULING, SNATCHED, TIMEFRAME
from machines.eclipse_phase.second.harm.damage import BYPASSED, HALVED, SPENT_SUPERIOR, WHOLE
from machines.eclipse_phase.second.harm.infection import EFFECT, NEGATED, RATING, SPARED
from machines.eclipse_phase.second.harm.stress import HARDENED_TO, TRAUMAS_BY
from machines.eclipse_phase.second.sheet.sheet_access import HELD_BY, HOLDS
from machines.eclipse_phase.second.turn.initiative import ROLL_OFF
from machines.eclipse_phase.second.turn.movement import MOVED
from machines.eclipse_phase.second.turn.turn import WENT_FIRST

SUPERIOR_RESULTS = FigureOfTest("superior results")
_DECLARED = Settled("another declaration: amend it")
_CHOSEN = Settled("another choice: amend it")
_SUPERIOR = Number(-2, 3)
"""Two by the dice; a pool may add one."""

FIGURES: Mapping[str, Bounds] = bounds_by_name({
    # Tests
    BASE: MODIFIED, TARGET: MODIFIED, SUPERIOR_RESULTS: _SUPERIOR, SUPERIORS: Number(0, 3),
    DEGREE: Words((
        "plain", "1 superior success", "2 superior successes", "1 superior failure", "2 superior failures",
    )),
    ASIDE: Words(("all", "negative")), POOL_BONUS: COUNT, NEGATED: YES,
    # Attacks
    OUTCOME: Words(("hit", "miss")), BLIND: Words(("harder", "left to chance")),
    CHANCE: Words((IN_VAIN, "it may hit")), HAND: COUNT, HANDS: COUNT, HANDS_LEFT: _DECLARED,
    ASSUMED_VALUES: _DECLARED, CALLED_SHOT: _DECLARED, SPOT: _DECLARED, RULING: _CHOSEN, SPENT_SUPERIOR: Number(0, 2),
    SWEEPS: PERSON, HELD_BY: PERSON, HOLDS: PERSON, REDIRECTED: COUNT, SCATTER: Number(),
    BYPASSED: YES, DOUBLED: YES, HALVED: YES, WHOLE: YES, HARDER: YES,
    SPARED: YES, HURTS: YES, SNATCHED: YES, DODGED: Words(("half",)), DRAGS: Number(0, 1),
    # Damage
    DAMAGE_DICE: Notation(), DV: Number(), BLAST: Number(), ARMOR: Number(), DAMAGE_TAKEN: Number(),
    WOUNDS_TAKEN: COUNT, DICE: Number(), SV: Number(), EFFECT: COUNT,
    # The turn
    SCORE: MODIFIED, ROLL_OFF: COUNT, WENT_FIRST: Words(("any", "mental", "physical")), STOOD_UP: Number(0, 1),
    EXTRA: Words(("any", "mental", "physical")), TAKEN: COUNT, MENTAL_ONLY: YES,
    METERS: Number(), MOVED: Number(), TASK: COUNT,
    # Minds and healing
    TRAUMAS_BY: COUNT, HARDENED_TO: Number(0, 1), RATING: Number(0, 99), HEALED: Number(),
    MENDED: COUNT, POINTS: COUNT, MINUTES: Number(0, 50_000), TIMEFRAME: Number(0, 50_000),
})  # fmt: skip
