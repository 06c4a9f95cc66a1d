"""Values to which the gamemaster may overrule each figure of this game."""

from collections.abc import Mapping

from machines.contract.assumptions import ASSUMED_VALUES
from machines.contract.figures import (
    COUNT,
    MODIFIED,
    PEOPLE,
    PERSON,
    YES,
    Bounds,
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
    HOURS,
    KNOCKBACK,
    MARGIN,
    METERS,
    MINUTES,
    OUTCOME,
    SCATTER,
    SCORE,
    SV,
    TARGET,
    WOUNDS_TAKEN,
)
from machines.eclipse_phase.family.success import ASIDE
from machines.eclipse_phase.first.attack.attack import LEFT_TO_CHANCE
from machines.eclipse_phase.first.attack.modifiers import COVER_FROM, POSITION_OVER
from machines.eclipse_phase.first.care.resting import MENDED
from machines.eclipse_phase.first.care.therapy import DISORDER, STRESS, TRAUMA, TREATS
from machines.eclipse_phase.first.figure_names import (
    ARMOR_DEFEATED,
    ATTACKS_LEFT,
    ATTACKS_WITH,
    BEAM_KEPT_ON,
    BENEFIT,
    DAMAGE_DOUBLED,
    DAMAGE_HALVED,
    HANDS,
    HELD_BY,
    HOURS_FOR_A_DIE,
    LEVEL,
    MISHAP,
    SHOT_AT,
    SWEEPS,
)
from machines.eclipse_phase.first.harm.damage import MARGIN_DICE
from machines.eclipse_phase.first.harm.explosion import CAUGHT
from machines.eclipse_phase.first.harm.stress import HARDENED_TO, RESISTED
from machines.eclipse_phase.first.turn.initiative import FIRST
from machines.eclipse_phase.first.turn.movement import MOVED
from machines.eclipse_phase.first.turn.turn import WENT_FIRST

_DECLARED = Settled("another declaration: amend it")
_CHOSEN = Settled("another choice: amend it")

FIGURES: Mapping[str, Bounds] = bounds_by_name({
    # Tests
    BASE: MODIFIED, TARGET: MODIFIED, MARGIN: MODIFIED,
    DEGREE: Words((
        "plain", "Excellent Success", "Excellent Success, 60 or more", "Severe Failure", "Severe Failure, 60 or more",
    )),
    ASIDE: Words(("all", "negative")), LEFT_TO_CHANCE: YES,
    # Attacks
    OUTCOME: Words(("hit", "miss")), ATTACKS_LEFT: COUNT, HAND: COUNT, HANDS: COUNT,
    ASSUMED_VALUES: _DECLARED, ATTACKS_WITH: _DECLARED, CALLED_SHOT: _DECLARED, SPOT: _DECLARED,
    BENEFIT: _CHOSEN, MISHAP: _CHOSEN,
    SHOT_AT: PEOPLE, SWEEPS: PERSON, HELD_BY: PERSON, CAUGHT: PERSON, COVER_FROM: PERSON,
    POSITION_OVER: PERSON,
    ARMOR_DEFEATED: Words(("called shot", "critical success", "mind laid open", "yes")),
    DAMAGE_DOUBLED: Words(("critical success", "mind laid open")), DAMAGE_HALVED: YES, BEAM_KEPT_ON: YES,
    KNOCKBACK: Number(), SCATTER: Number(), BLAST: Number(),
    # Damage
    DAMAGE_DICE: Notation(), MARGIN_DICE: Notation(), DV: Number(), ARMOR: Number(), DAMAGE_TAKEN: Number(),
    WOUNDS_TAKEN: COUNT, DICE: Number(), SV: Number(),
    # The turn
    SCORE: MODIFIED, FIRST["once"]: Number(), WENT_FIRST: Number(), METERS: Number(),
    MOVED: Number(), TASK: COUNT,
    # Minds and healing
    LEVEL: Words(("minor", "moderate", "major", "disorder")), TREATS: Words((STRESS, TRAUMA, DISORDER)),
    RESISTED: COUNT, HARDENED_TO: Number(0, 1), HEALED: Number(), MENDED: COUNT,
    HOURS: Number(), HOURS_FOR_A_DIE: Number(1), MINUTES: Number(0, 50_000),
})  # fmt: skip
