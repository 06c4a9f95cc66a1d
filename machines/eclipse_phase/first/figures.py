"""Values to which the gamemaster may overrule each figure of this game."""

from collections.abc import Mapping

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
)
from machines.eclipse_phase.first.care.therapy import DISORDER, STRESS, TRAUMA

_DECLARED = Settled("another declaration: amend it")
_CHOSEN = Settled("another choice: amend it")

FIGURES: Mapping[str, Bounds] = {
    # Tests
    "base": MODIFIED, "target": MODIFIED, "margin": MODIFIED,
    "degree": Words((
        "plain", "Excellent Success", "Excellent Success, 60 or more", "Severe Failure", "Severe Failure, 60 or more",
    )),
    "modifiers set aside": Words(("all", "negative")), "left to chance": YES,
    "assumed *": _DECLARED,
    # Attacks
    "outcome": Words(("hit", "miss")), "attacks left": COUNT, "hand": COUNT, "hands": COUNT,
    "attacks with": _DECLARED, "called shot": _DECLARED, "specific target": _DECLARED,
    "benefit": _CHOSEN, "mishap": _CHOSEN,
    "shot at": PEOPLE, "sweeps onto": PERSON, "held by": PERSON, "caught": PERSON, "in cover from": PERSON,
    "superior position over": PERSON,
    "armor defeated": Words(("called shot", "critical success", "mind laid open", "yes")),
    "damage doubled": Words(("critical success", "mind laid open")), "damage halved": YES, "beam kept on": YES,
    "knockback": Number(), "scatter": Number(), "blast": Number(),
    # Damage
    "dice: *": Notation(), "dice of the margin": Notation(), "dv": Number(), "armor": Number(), "damage": Number(),
    "wounds": COUNT, "dice": Number(), "sv": Number(),
    # The turn
    "score": MODIFIED, "acts first in fight": Number(), "went first": Number(), "meters": Number(),
    "moved in this phase": Number(), "task: *": COUNT,
    # Minds and healing
    "level": Words(("minor", "moderate", "major", "disorder")), "treats": Words((STRESS, TRAUMA, DISORDER)),
    "resisted *": COUNT, "hardened to *": Number(0, 1), "healed": Number(), "wounds healed": COUNT,
    "hours": Number(), "hours for 1d10": Number(1), "minutes": Number(0, 50_000),
}  # fmt: skip
