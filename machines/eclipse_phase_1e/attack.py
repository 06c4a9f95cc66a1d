"""Steps 1 to 5: declaring, defending, modifiers, the opposed test and its outcome."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ActionSpent,
    ChoiceRequested,
    ConditionGained,
    Event,
    FigureFound,
    ModifierApplied,
    Option,
    RollRequested,
)
from machines.chart import Deed
from machines.eclipse_phase_1e.profile import profile
from machines.eclipse_phase_1e.reading import (
    UNABLE,
    Attack,
    attack,
    attacks_left,
    base,
    sheet,
    skill,
    target,
    wound_modifiers,
)
from machines.eclipse_phase_1e.success import DIE, resolve
from machines.eclipse_phase_1e.tables import BENEFITS, MISHAPS, RANGES, SITUATIONS, SKILLS, Consequence
from machines.eclipse_phase_common.d100 import CRITICAL_SUCCESS, attacker_prevails, capped
from projections.combat import Combat

HIT, DEFEND = "to-hit", "defend"


# ------------------------------------------------------------------------------------------------ 1, 2


def declare_attack(combat: Combat) -> Deed:
    """A Complex Action, or what is left of one that gives two attacks; the attack skill.

    Source: EP1 191 Step 1, 198 Firing Modes
    """
    now = attack(combat)
    left = attacks_left(combat, now.by)
    if not left:
        yield ActionSpent(now.by, "complex", 1)
        left = now.mode.attacks if now.mode else 1
    why = f"a Complex Action with {now.name} gives {left}" if left > 1 else "the last of this Complex Action"
    yield FigureFound(now.key, "attacks left", left - 1, why, "EP1 198 Firing Modes", "phase", now.by)
    yield FigureFound(now.key, "attacks with", now.way, "how it was begun", "EP1 198 Firing Modes", "phase", now.by)
    found = skill(sheet(combat, now.by), now.weapon.skill)
    assert found is not None, "checked when it was declared"
    yield base(now.role(HIT), found[0], found[1], "EP1 191 Step 1", now.by)
    return None


def can_defend(combat: Combat) -> bool:
    """Is the target neither surprised nor in a state in which nobody defends?

    Source: EP1 191 Step 2
    """
    now = attack(combat)
    return not now.terms.surprised and not combat.conditions.has(now.at, "surprised", *UNABLE)


def offer_defense(combat: Combat) -> ChoiceRequested:
    """Fray, in melee also a melee skill, or none.

    Source: EP1 191 Step 2
    """
    now = attack(combat)
    changed = capped(sum(e.value for e in _defense_modifiers(combat, now) if isinstance(e, ModifierApplied)))
    options = [Option(name, f"{why} {value}", value + changed) for name, (value, why) in _defenses(combat, now).items()]
    options.append(Option("none", "no defense"))
    return ChoiceRequested(now.role("defense"), now.at, tuple(options), None, "how to defend")


def chosen_defense(combat: Combat) -> Deed:
    """The skill that the target defends with.

    Source: EP1 191 Step 2
    """
    now = attack(combat)
    chosen = _defenses(combat, now).get(combat.exchange.chosen[now.role("defense")])
    if chosen is not None:
        yield base(now.role(DEFEND), chosen[0], chosen[1], "EP1 191 Step 2", now.at)
    return None


def _defenses(combat: Combat, now: Attack) -> dict[str, tuple[int, str]]:
    defender = sheet(combat, now.at)
    found: dict[str, tuple[int, str]] = {}
    fray = skill(defender, "fray")
    if fray is not None:
        half = f", divided by {now.kind.fray_divisor}" if now.kind.fray_divisor > 1 else ""
        found["fray"] = fray[0] // now.kind.fray_divisor, fray[1] + half
    if now.kind.parry:
        known = (name for name, row in SKILLS.items() if row.melee and name in defender.skills)
        found |= {name: (defender.skills[name], name) for name in known}
    return found


# ------------------------------------------------------------------------------------------------ 3


def apply_modifiers(combat: Combat) -> Deed:
    """Everything that changes the two targets.

    Source: EP1 192 Step 3, 193 Combat Modifiers
    """
    now = attack(combat)
    for event in _attack_modifiers(combat, now):
        combat = yield event
    combat = yield target(combat, now.role(HIT), now.by)
    if combat.figures.holds(now.role(DEFEND), "base"):
        for event in _defense_modifiers(combat, now):
            combat = yield event
        yield target(combat, now.role(DEFEND), now.at)
    return None


def _attack_modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    key = now.role(HIT)
    yield from wound_modifiers(combat, now.by, key)
    yield from _situations(now, key, "attack")
    if now.kind.needs_range:
        band = RANGES[now.terms.range or "short"]
        yield ModifierApplied(key, band.modifier, f"{band.name} range", band.source)


def _defense_modifiers(combat: Combat, now: Attack) -> Iterator[Event]:
    key = now.role(DEFEND)
    yield from wound_modifiers(combat, now.at, key)
    if combat.conditions.has(now.at, "full_defense"):
        yield ModifierApplied(key, 30, "full defense", "EP1 191 Step 2")
    yield from _situations(now, key, "defense")


def _situations(now: Attack, key: str, side: str) -> Iterator[Event]:
    """Rows of the modifiers table; of those of one group only the first counts."""
    counted: set[str] = set()
    for row in map(SITUATIONS.__getitem__, now.situations):
        if row.applies == side and row.group not in counted:
            counted |= {row.group} - {""}
            yield ModifierApplied(key, row.value, row.name, row.source)


# ------------------------------------------------------------------------------------------------ 4, 5


def opposed_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Both sides roll d100; a target without defense does not.

    Source: EP1 192 Step 4
    """
    now = attack(combat)
    yield RollRequested(now.role(HIT), now.by, DIE, f"hit with {now.name}", now.key)
    if combat.figures.holds(now.role(DEFEND), "target"):
        yield RollRequested(now.role(DEFEND), now.at, DIE, "defend", now.key)


def read_opposed(combat: Combat) -> Deed:
    """Each against their own target.

    Source: EP1 192 Step 4
    """
    now = attack(combat)
    combat = yield resolve(combat, now.role(HIT))
    if combat.rolls[now.role(DEFEND)].faces:
        yield resolve(combat, now.role(DEFEND))
    return None


def determine_outcome(combat: Combat) -> Deed:
    """Hit or miss.

    Source: EP1 192 Step 5
    """
    now = attack(combat)
    hit, defense = combat.rolls[now.role(HIT)], combat.rolls[now.role(DEFEND)]
    opposing = (defense.outcome, defense.rolled) if defense.outcome else None
    says = "hit" if attacker_prevails((hit.outcome, hit.rolled), opposing) else "miss"
    against = f"{defense.outcome} ({defense.rolled:02d})" if opposing else "no defense"
    why = f"{hit.outcome} ({hit.rolled:02d}) against {against}"
    combat = yield FigureFound(now.key, "outcome", says, why, "EP1 192 Step 5", "exchange", "")
    return combat.figures.word(now.key, "outcome")


def solid_hit(combat: Combat) -> Deed:
    """An Excellent Success raises the Damage Value; a critical success defeats armor.

    Source: EP1 192 Step 5; Ruling: EP1-N4
    """
    now = attack(combat)
    hit = combat.rolls[now.role(HIT)]
    critical = hit.outcome == CRITICAL_SUCCESS
    extra = excellent(hit.margin)
    if critical:
        yield FigureFound(now.key, "armor defeated", "yes", "critical success", "EP1 192 Step 5", "exchange", "")
    if extra and WITH_CRITICAL[profile(combat).critical_with_excellent](critical):
        why = f"Excellent Success, margin {hit.margin}"
        yield ModifierApplied(now.role("damage"), extra, why, "EP1 192 Step 5")
    return None


def excellent(margin: int) -> int:
    """+5 DV from a margin of 30, +10 from 60.

    Source: EP1 192 Step 5

    >>> excellent(55)
    5
    """
    return 10 if margin >= 60 else 5 if margin >= 30 else 0


WITH_CRITICAL: Mapping[str, Callable[[bool], bool]] = {
    "both": lambda _: True,
    "critical_only": lambda critical: not critical,
}
"""Does an Excellent Success count, given whether it is critical, too? By the profile's field."""


def defender_scored_critical(combat: Combat) -> bool:
    """Did the defender, who was missed, roll a critical success?

    Source: EP1 192 Step 5; Ruling: EP1-N3
    """
    return combat.rolls[attack(combat).role(DEFEND)].outcome == CRITICAL_SUCCESS


def offer_consequence(combat: Combat) -> ChoiceRequested:
    """What the defender's critical success leads to: the gamemaster says.

    Source: EP1 192 Step 5
    """
    now = attack(combat)
    rows, _ = CONSEQUENCES[profile(combat).defender_critical]
    options = tuple(Option(row.name, row.label) for row in rows.values())
    return ChoiceRequested(now.role("critical-defense"), "gm", options, None, "what the critical defense leads to")


def suffer_consequence(combat: Combat) -> Deed:
    """It happens.

    Source: EP1 192 Step 5
    """
    now = attack(combat)
    rows, happens = CONSEQUENCES[profile(combat).defender_critical]
    yield from happens(now, rows[combat.exchange.chosen[now.role("critical-defense")]])
    return None


def _weapon_mishap(now: Attack, row: Consequence) -> Iterator[Event]:
    condition = f"{now.name}_{row.name}".replace(" ", "_")
    yield ConditionGained(now.by, condition, None, "put right", now.key, row.label, row.source)


def _defender_benefit(now: Attack, row: Consequence) -> Iterator[Event]:
    yield FigureFound(now.key, "benefit", row.name, row.label, row.source, "exchange", now.at)


CONSEQUENCES: Mapping[str, tuple[Mapping[str, Consequence], Callable[[Attack, Consequence], Iterator[Event]]]] = {
    "weapon_mishap": (MISHAPS, _weapon_mishap),
    "defender_benefit": (BENEFITS, _defender_benefit),
}
"""Of a defender's critical success, by the profile's field: what may happen, and how."""
