"""Values to which the gamemaster may overrule each figure of this game."""

from collections.abc import Mapping

from machines.contract.figures import COUNT, MODIFIED, PERSON, YES, Bounds, Notation, Number, Settled, Words
from machines.eclipse_phase.second.attack.attack import IN_VAIN

_DECLARED = Settled("another declaration: amend it")
_CHOSEN = Settled("another choice: amend it")
_SUPERIOR = Number(-2, 3)
"""Two by the dice; a pool may add one."""

FIGURES: Mapping[str, Bounds] = {
    # Tests
    "base": MODIFIED, "target": MODIFIED, "superior results": _SUPERIOR, "superior successes": Number(0, 3),
    "degree": Words((
        "plain", "1 superior success", "2 superior successes", "1 superior failure", "2 superior failures",
    )),
    "modifiers set aside": Words(("all", "negative")), "pool bonus": COUNT, "test negated": YES,
    "assumed *": _DECLARED,
    # Attacks
    "outcome": Words(("hit", "miss")), "blind": Words(("harder", "left to chance")),
    "chance": Words((IN_VAIN, "it may hit")), "hand": COUNT, "hands": COUNT, "hands left": _DECLARED,
    "called shot": _DECLARED, "specific target": _DECLARED, "ruling": _CHOSEN, "superior spent": Number(0, 2),
    "sweeps onto": PERSON, "held by": PERSON, "holds": PERSON, "redirected": COUNT, "scatter": Number(),
    "armor bypassed": YES, "damage doubled": YES, "damage halved": YES, "whole damage": YES, "harder": YES,
    "harm spared": YES, "hurts, too": YES, "snatched": YES, "dodged": Words(("half",)), "drags": Number(0, 1),
    # Damage
    "dice: *": Notation(), "dv": Number(), "blast": Number(), "armor": Number(), "damage": Number(),
    "wounds": COUNT, "dice": Number(), "sv": Number(), "effect": COUNT,
    # The turn
    "score": MODIFIED, "roll-off": COUNT, "went first": Words(("any", "mental", "physical")), "stood up": Number(0, 1),
    "extra action": Words(("any", "mental", "physical")), "extra actions taken": COUNT, "mental actions only": YES,
    "meters": Number(), "moved in this turn": Number(), "task: *": COUNT,
    # Minds and healing
    "traumas by *": COUNT, "hardened to *": Number(0, 1), "infection rating": Number(0, 99), "healed": Number(),
    "wounds healed": COUNT, "points": COUNT, "minutes": Number(0, 50_000), "timeframe": Number(0, 50_000),
}  # fmt: skip
