"""Step 8: wounds, and what they do at once."""

from collections.abc import Iterator

from ledger.events import ConditionGained, Event, FigureFound, RollRequested, WoundSuffered
from machines.chart import Deed
from machines.eclipse_phase_1e.reading import Attack, attack, base, sheet, target, wound_modifiers
from machines.eclipse_phase_1e.success import DIE, passed, resolve
from machines.eclipse_phase_common import d100
from projections.combat import Combat

_WOUNDS = "EP1 207 Wounds"
_TESTS = {
    "knockdown": ("stay on their feet", "prone", "standing up"),
    "consciousness": ("stay conscious", "unconscious", "woken"),
}
"""By role: what for, the condition if failed, what ends it."""


def determine_wounds(combat: Combat) -> Deed:
    """A wound for each full Wound Threshold of this one attack.

    Source: EP1 192 Step 8, 207 Wounds; Ruling: EP1-C11
    """
    now = attack(combat)
    damage, threshold = combat.figures.number(now.key, "damage"), sheet(combat, now.at).threshold
    why = f"{damage} damage, Wound Threshold {threshold}"
    count = d100.wounds(damage, threshold)
    combat = yield FigureFound(now.key, "wounds", count, why, "EP1 192 Step 8", "exchange", "")
    count = combat.figures.number(now.key, "wounds")
    if count <= 0:
        return "unwounded"
    yield WoundSuffered(now.at, "damage", count, "wounds", now.key, why, "EP1 192 Step 8")
    return "wounded"


def prepare_wound_tests(combat: Combat) -> Deed:
    """SOM x 3 to stay on one's feet; after two or more wounds at once also to stay conscious. New wounds count.

    Source: EP1 207 Wounds
    """
    now = attack(combat)
    for role in _due(combat, now):
        key, som = now.role(role), sheet(combat, now.at).aptitudes.som
        combat = yield base(key, som * 3, f"SOM {som} x 3", _WOUNDS, now.at)
        for event in wound_modifiers(combat, now.at, key):
            combat = yield event
        combat = yield target(combat, key, now.at)
    return None


def wound_rolls(combat: Combat) -> Iterator[RollRequested]:
    """The wounded rolls.

    Source: EP1 207 Wounds
    """
    now = attack(combat)
    for role in _due(combat, now):
        yield RollRequested(now.role(role), now.at, DIE, _TESTS[role][0], now.key)


def read_wound_tests(combat: Combat) -> Deed:
    """Failing puts them on the ground, or out.

    Source: EP1 207 Wounds
    """
    now = attack(combat)
    for role in _due(combat, now):
        combat = yield resolve(combat, now.role(role))
        if not passed(combat, now.role(role)):
            combat = yield _fall(now, role)
    return None


def _due(combat: Combat, now: Attack) -> tuple[str, ...]:
    return ("knockdown", "consciousness") if combat.figures.number(now.key, "wounds") >= 2 else ("knockdown",)


def _fall(now: Attack, role: str) -> Event:
    purpose, condition, until = _TESTS[role]
    return ConditionGained(now.at, condition, None, until, now.key, f"failed to {purpose}", _WOUNDS)
