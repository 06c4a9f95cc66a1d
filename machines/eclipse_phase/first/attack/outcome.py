"""Steps 3 to 5: modifiers, the opposed test and its outcome."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ChoiceRequested,
    ConditionGained,
    Event,
    ModifierApplied,
    Option,
)
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit
from machines.eclipse_phase.family.attacks import by_skill, spoiled, stop_aiming
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, attacker_prevails
from machines.eclipse_phase.family.edition import BASE, OUTCOME
from machines.eclipse_phase.family.success import target
from machines.eclipse_phase.first.attack.attack import DEFEND, attack_skill
from machines.eclipse_phase.first.attack.attack_context import UNARMED, Attack, attack, attacks_left
from machines.eclipse_phase.first.attack.modifiers import (
    COVER,
    COVER_FROM,
    POSITION,
    POSITION_OVER,
    attack_modifiers,
    defense_modifiers,
)
from machines.eclipse_phase.first.attack.psi import effects_of_failed_sleight, is_mind_exposed
from machines.eclipse_phase.first.figure_names import (
    ARMOR_DEFEATED,
    BENEFIT,
    DAMAGE_DOUBLED,
    HANDS,
    MISHAP,
    STAGE,
    SWEEPS,
)
from machines.eclipse_phase.first.harm.damage import MARGIN_DICE
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import END_OF_NEXT_PHASE, NEXT_PHASE
from machines.eclipse_phase.first.success_tests.success import degree, resolve
from machines.eclipse_phase.first.tables.tables import BENEFITS, MISHAPS, Consequence
from machines.secrecy.part_sources import of_roll
from projections.combat import Combat

_STEP_5 = "EP1 192 Step 5"


# ------------------------------------------------------------------------------------------------ 3, 4


def apply_modifiers(combat: Combat) -> Deed:
    """Applies all modifiers to both targets."""
    now = attack(combat)
    if not combat.rolls[now.hit].faces:
        combat = yield from emit(combat, attack_modifiers(combat, now))
        combat = yield target(combat, now.hit, now.by)
        if not now.suppressing:
            combat = yield from stop_aiming(combat, now.by)
    if BASE.is_at(combat, now.role(DEFEND)):
        combat = yield from emit(combat, defense_modifiers(combat, now))
        yield target(combat, now.role(DEFEND), now.at)
    return None


def read_opposed(combat: Combat) -> Deed:
    """Reads the rolls of both sides, each against its target."""
    now = attack(combat)
    for key in (now.hit, now.role(DEFEND)):
        if combat.rolls[key].faces and not combat.rolls[key].outcome:
            combat = yield resolve(combat, key)
            combat = yield from emit(combat, degree(combat, key))
    return None


# ------------------------------------------------------------------------------------------------ 5


def determine_outcome(combat: Combat) -> Deed:
    """Determines whether the attack hits.

    Ruling: EP1-N1, EP1-N2
    """
    now = attack(combat)
    hit, defense = combat.rolls[now.hit], combat.rolls[now.role(DEFEND)]
    opposing = (defense.outcome, defense.rolled) if defense.outcome else None
    prevails = attacker_prevails((hit.outcome, hit.rolled), opposing) or by_skill(combat, now)
    against = f"{defense.outcome} ({defense.rolled:02d})" if opposing else "no defense"
    why = f"{hit.outcome} ({hit.rolled:02d}) against {against}"
    combat = yield OUTCOME.found(now.place, "hit" if prevails else "miss", why, HERE)
    result = OUTCOME.at(combat, now.place)
    critical = defense.outcome == CRITICAL_SUCCESS and not now.kind.minds and not now.touching
    return "hit_critical" if result == "hit" and critical and ALWAYS[profile(combat).critical_counts] else result


ALWAYS: Mapping[str, bool] = {"on_a_miss": False, "always": True}
"""Whether a defender's critical success has its effect although the attack hits, by the profile's field."""


def was_a_touch(combat: Combat) -> bool:
    """Returns whether this was the touch that a sleight requires first."""
    return attack(combat).touching


def go_on_from_touch(combat: Combat) -> Deed:
    """Begins the sleight's own opposed test after the touch."""
    now = attack(combat)
    combat = yield STAGE.found(now.key, "mind", "", HERE)
    yield from attack_skill(combat, attack(combat))
    return None


def solid_hit(combat: Combat) -> Deed:
    """Applies an Excellent Success, which adds damage, and a critical success, which defeats armor.

    Ruling: EP1-N4
    """
    now = attack(combat)
    hit = combat.rolls[now.hit]
    critical, opened = hit.outcome == CRITICAL_SUCCESS, is_mind_exposed(combat, now)
    if critical and not now.kind.minds:
        name, why = ATTACKER_CRITICAL[profile(combat).attacker_critical]
        combat = yield name.found(now.place, why, why, HERE)
    if WITH_CRITICAL[profile(combat).critical_with_excellent](critical):
        more = MARGIN_DAMAGE[profile(combat).margin_damage](now, excellent(hit.margin), hit.margin)
        yield from of_roll(combat, now.hit, more)
    return "open" if now.kind.minds and (critical or opened) else "plain"


ATTACKER_CRITICAL: Mapping[str, tuple[FigureName[str], str]] = {
    "armor_defeated": (ARMOR_DEFEATED, "critical success"),
    "double_damage": (DAMAGE_DOUBLED, "critical success"),
}
"""Effect of a critical hit, as name and reason of a figure, by the profile's field."""


def _flat(now: Attack, extra: int, margin: int) -> Iterator[Event]:
    if extra:
        yield ModifierApplied(now.role("damage"), extra, f"Excellent Success, margin {margin}", _STEP_5)


def _dice(now: Attack, extra: int, margin: int) -> Iterator[Event]:
    if extra:
        why = f"Excellent Success, margin {margin}"
        yield MARGIN_DICE.found(now.role("damage"), f"{extra // 5}d6", why, _STEP_5)


MARGIN_DAMAGE: Mapping[str, Callable[[Attack, int, int], Iterator[Event]]] = {"flat": _flat, "dice": _dice}
"""Extra damage of an Excellent Success, by the profile's field."""


def excellent(margin: int) -> int:
    """Returns the extra damage: +5 DV from a margin of 30, +10 from 60.

    Source: EP1 192 Step 5

    >>> excellent(55)
    5
    """
    return 10 if margin >= 60 else 5 if margin >= 30 else 0


WITH_CRITICAL: Mapping[str, Callable[[bool], bool]] = {
    "both": lambda _: True,
    "critical_only": lambda critical: not critical,
}
"""Whether an Excellent Success counts, given whether it is also critical, by the profile's field."""


def miss(combat: Combat) -> Deed:
    """Applies a miss: a beam may be swept onto its target with the second shot, and a critical defense has an effect.

    Ruling: EP1-N3
    """
    now = attack(combat)
    if now.weapon.beam and attacks_left(combat, now.by) and not HANDS.of(combat, now.by):
        source = "EP1 195 Sweeping Fire"
        combat = yield SWEEPS.found(now.key, now.at, "missed", source, who=now.by)
    if now.kind.minds:
        yield from effects_of_failed_sleight(combat, now)
    if now.kind.minds or (now.touching and not TOUCHES[profile(combat).benefit](profile(combat).defender_critical)):
        return "plain"
    return "critical" if combat.rolls[now.role(DEFEND)].outcome == CRITICAL_SUCCESS else "plain"


TOUCHES: Mapping[str, Callable[[str], bool]] = {
    "figure": lambda _: False,
    "condition": lambda consequence: consequence == "defender_benefit",  # a bare hand does not break
}
"""Whether a critical defense against the touch of a sleight has an effect, by the profile's fields."""


def offer_consequence(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster for the effect of the defender's critical success."""
    now = attack(combat)
    rows, _ = CONSEQUENCES[profile(combat).defender_critical]
    unarmed = now.weapon.skill == UNARMED
    options = tuple(Option(row.name, row.label) for row in rows.values() if unarmed or not row.unarmed)
    return ChoiceRequested(now.role("critical-defense"), "gm", options, None, "what the critical defense leads to")


def suffer_consequence(combat: Combat) -> Deed:
    """Applies the chosen effect."""
    now = attack(combat)
    rows, happens = CONSEQUENCES[profile(combat).defender_critical]
    yield from happens(combat, now, rows[combat.exchange.chosen[now.role("critical-defense")]])
    return None


def _weapon_mishap(_: Combat, now: Attack, row: Consequence) -> Iterator[Event]:
    if not row.spoils:
        yield MISHAP.found(now.place, row.name, row.label, row.source, who=now.by)
        return
    yield ConditionGained(now.by, spoiled(now.name, row.name), None, "put right", now.key, row.label, row.source)


def _defender_benefit(combat: Combat, now: Attack, row: Consequence) -> Iterator[Event]:
    yield BENEFIT.found(now.place, row.name, row.label, row.source, who=now.at)
    if row.condition and LASTING[profile(combat).benefit]:
        name, until = LASTS[row.condition]
        yield name.found(now.key, now.by, row.label, row.source, who=now.at)
        yield ConditionGained(now.at, row.condition, None, until, now.key, row.label, row.source)


LASTING: Mapping[str, bool] = {"figure": False, "condition": True}
"""Whether cover and a superior position are conditions, by the profile's field."""
LASTS: Mapping[str, tuple[FigureName[str], str]] = {
    COVER: (COVER_FROM, NEXT_PHASE),
    POSITION: (POSITION_OVER, END_OF_NEXT_PHASE),
}
"""Figure of the attacker and end of each condition."""


Consequences = tuple[Mapping[str, Consequence], Callable[[Combat, Attack, Consequence], Iterator[Event]]]

CONSEQUENCES: Mapping[str, Consequences] = {
    "weapon_mishap": (MISHAPS, _weapon_mishap),
    "defender_benefit": (BENEFITS, _defender_benefit),
}
"""Possible effects of a defender's critical success, and the function that applies one, by the profile's field."""
