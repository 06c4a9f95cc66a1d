"""Several shots in a turn: recoil, groups of automatic fire, and how many rounds of a group hit."""

from typing import NamedTuple

from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import Telling
from machines.gurps_3e.attack.attack_context import LEFT, Attack
from machines.gurps_3e.profile import profile
from machines.gurps_3e.tables.rows import Recoil
from machines.gurps_3e.tables.tables import AUTOMATIC_FIRE, RECOIL
from projections.combat import Combat

GROUP = 4
"""The largest number of rounds in a group (B 119)."""
ENOUGH = 3
"""The smallest group of which one round still hits when it misses by 1 (B 120)."""
SHOT = FigureName("shot", int)
ROUNDS = FigureName("rounds", int)
"""Figures of an attack: its number among the shots of the turn, and the number of its rounds."""
_SINGLE, _GROUPS = RECOIL.values()


class Shot(NamedTuple):
    """The position of a shot or group among those of the turn."""

    before: int
    """The number of earlier shots in the turn."""
    row: Recoil
    """How recoil counts with such a weapon."""


def which_shot(combat: Combat, now: Attack) -> Shot:
    """Returns the position of an attack among the shots of the turn.

    Source: B 119 Recoil
    """
    return Shot(max(0, SHOT.at(combat, now.key, 1) - 1), _GROUPS if now.weapon.automatic else _SINGLE)


FIRED_WITH = FigureNames("fired ", int, scope="turn")
"""Figures of a combatant: shots of a weapon in this turn. Source: B 119 Recoil."""


def group(combat: Combat, now: Attack) -> int:
    """Returns the number of rounds that are fired.

    Source: B 119 Automatic Fire
    """
    return ROUNDS.at(combat, now.key, 1)


def rounds_that_hit(combat: Combat, now: Attack) -> int:
    """Returns the number of rounds that hit: of a group by its margin, otherwise one; one at an unintended target.

    Source: B 120 Automatic Fire; Ruling: G3-N2, G3-N7
    """
    if not now.weapon.automatic or now.unintended:
        return 1
    return hits_by(combat, now, max(0, combat.rolls[now.hit].margin))


def hits_by(combat: Combat, now: Attack, margin: int) -> int:
    """Returns the number of rounds of a group that hit by a margin of -1 or more.

    Source: B 120 Automatic Fire; Ruling: G3-N2
    """
    by_margin = profile(combat).automatic_hits
    if by_margin:
        return min(group(combat, now), by_margin[min(margin + 1, len(by_margin) - 1)])
    return min(group(combat, now), max(row.hits for row in AUTOMATIC_FIRE.values() if margin >= row.margin))


def hits(combat: Combat, now: Attack, rounds: int) -> Telling:
    """Records how many rounds of a group hit."""
    if now.weapon.automatic:
        why = "somebody who was not meant" if now.unintended else f"margin {combat.rolls[now.hit].margin:+d}"
        combat = yield LEFT.found(now.key, rounds, why, "B 120 Automatic Fire")
    return combat
