"""Steps 1 and 2: declaring the attack and the defense."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ActionSpent,
    ChoiceRequested,
    ModifierApplied,
    Option,
    ResourceSpent,
)
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.eclipse_phase.family.actions import HAS_SUPPRESSED, SINCE
from machines.eclipse_phase.family.attacks import assumed_use, dodges
from machines.eclipse_phase.family.d100 import capped
from machines.eclipse_phase.family.edition import HAND
from machines.eclipse_phase.family.success import ASIDE, base, passed
from machines.eclipse_phase.first.attack.attack_context import Attack, attack, attacks_left
from machines.eclipse_phase.first.attack.modifiers import defense_modifiers, targets_text
from machines.eclipse_phase.first.attack.ranges import assumed_range
from machines.eclipse_phase.first.figure_names import ATTACKS_LEFT, ATTACKS_WITH, HANDS, SHOT_AT, STAGE
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import (
    DEFENSELESS,
    UNABLE,
    aptitude,
    needed,
    sheet,
    skill,
)
from machines.eclipse_phase.first.success_tests.success import prepare
from machines.eclipse_phase.first.tables.tables import SKILLS
from machines.secrecy.part_sources import of_parts
from projections.combat import Combat

PERCEPTION, DEFEND = "perception", "defend"
LEFT_TO_CHANCE = FigureName("left to chance", str)
"""Figure of a roll to hit by an attacker who did not find the target."""
_MODES = "EP1 198 Firing Modes"


# ------------------------------------------------------------------------------------------------ 1


def declare_attack(combat: Combat) -> Deed:
    """Begins or continues a Complex Action with an attack: rounds and the attack skill."""
    now = attack(combat)
    if now.suppressing:
        since, source = SINCE.of(combat, now.by), "EP1 204 Suppressive Fire"
        once = HAS_SUPPRESSED[now.at].found(now.key, since, "", source, who=now.by)
        combat = yield once
    else:
        combat = yield from _begin_action(combat, now)
        combat = yield from _fire(combat, now)
    combat = yield from emit(combat, (*assumed_range(now), *assumed_use(combat, now)))
    if now.by_touch:
        combat = yield STAGE.found(now.key, "touch", "", "EP1 222 Psi Combat")
        now = attack(combat)
    yield from attack_skill(combat, now)
    return None


def attack_skill(combat: Combat, now: Attack) -> Telling:
    """Sets the base of the roll to hit. A specialization applies to a weapon or its range class.

    Source: EP1 191 Step 1, 173 Specializations
    """
    related = "" if now.touching else now.terms.related
    if related:
        value, why = sheet(combat, now.by).skills[related], f"{related} in place of {now.skill}"
    else:
        value, why = needed(combat, now.by, now.skill, now.name, now.weapon.range_class)
    return (yield base(now.hit, value, why, "EP1 191 Step 1", now.by))


def _begin_action(combat: Combat, now: Attack) -> Telling:
    """Uses one attack of the Complex Action; the first fixes how the action is used."""
    left = attacks_left(combat, now.by)
    hands = HANDS.of(combat, now.by)
    if left and hands:
        combat = yield from _next_hand(combat, now, hands - left)
    elif not left:
        combat = yield ActionSpent(now.by, "complex", 1)
        left = 1 + len(now.terms.also) if now.terms.also or now.mode is None else now.mode.attacks
        way = ", ".join(now.terms.also) or now.way
        combat = yield ATTACKS_WITH.found(now.key, way, "how it was begun", _MODES, who=now.by)
        combat = yield SHOT_AT.found(now.key, targets_text(now), "how it was begun", _MODES, who=now.by)
        if now.terms.also:
            combat = yield HANDS.found(now.key, left, "weapons fired at once", _MODES, who=now.by)
    why = f"a Complex Action with {now.name} gives {left}" if left > 1 else "the last of this Complex Action"
    return (yield ATTACKS_LEFT.found(now.key, left - 1, why, _MODES, who=now.by))


def _next_hand(combat: Combat, now: Attack, hand: int) -> Telling:
    """Records which of several weapons fired at once this is; each is fired once."""
    combat = yield HAND.found(now.key, hand, "weapons in other hands", _MODES)
    others = ATTACKS_WITH.of(combat, now.by).split(", ")
    rest = ", ".join(name for name in others if name != now.name)
    return (yield ATTACKS_WITH.found(now.key, rest, "weapons that are still to be fired", _MODES, who=now.by))


def _fire(combat: Combat, now: Attack) -> Telling:
    """Spends the rounds."""
    if combat.resources.resource(now.by, now.name).of and now.mode is not None:
        why = f"{now.mode.name}: {now.mode.rounds}"
        combat = yield ResourceSpent(now.by, now.name, now.mode.rounds, now.key, why)
    return combat


def is_blind(combat: Combat) -> bool:
    """Returns whether the target is out of the attacker's sight."""
    return attack(combat).terms.blind


def prepare_perception(combat: Combat) -> Deed:
    """Prepares the Perception Test to find the target by another sense."""
    now = attack(combat)
    value, why = needed(combat, now.by, PERCEPTION)
    yield from prepare(combat, now.role(PERCEPTION), now.by, value, why, HERE)
    return None


def find_target(combat: Combat) -> Deed:
    """Leaves the roll to hit to chance if the target was not found: the Moxie stat, without modifiers."""
    now = attack(combat)
    if not passed(combat, now.role(PERCEPTION)):
        combat = yield base(now.hit, sheet(combat, now.by).moxie, "Moxie stat: left to chance", HERE, now.by)
        combat = yield LEFT_TO_CHANCE.found(now.hit, "yes", "not perceived", HERE)
        yield ASIDE.found(now.hit, "all", "left to chance", HERE)
    return None


# ------------------------------------------------------------------------------------------------ 2


def is_on_guard(combat: Combat, now: Attack) -> bool:
    """Returns whether the target can defend against this attack.

    Source: EP1 191 Step 2; Ruling: EP1-N10
    """
    return not now.terms.surprised and not combat.conditions.has(now.at, *HINDERS[now.kind.defense])


HINDERS: Mapping[str, tuple[str, ...]] = {
    "fray": DEFENSELESS,
    "half_fray": DEFENSELESS,
    "will": (*UNABLE, "surprised"),
}
"""Conditions that prevent each kind of defense; a hold does not prevent a mental one."""


def offer_defense(combat: Combat) -> ChoiceRequested:
    """Asks for the defense: Fray, in melee also a melee skill, WIL x 2 against psi, or none."""
    now = attack(combat)
    parts = [*defense_modifiers(combat, now)]
    changed = capped(sum(part.value for part in parts if isinstance(part, ModifierApplied)))
    options = [Option(name, f"{why} {value}", value + changed) for name, (value, why) in defenses(combat, now).items()]
    options.append(Option("none", "no defense"))
    return of_parts(combat, ChoiceRequested(now.role("defense"), now.at, tuple(options), None, "how to defend"), parts)


def begin_defense(_: Combat, key: str, who: str, chosen: tuple[int, str]) -> Telling:
    """Sets the base of the defense."""
    return (yield base(key, chosen[0], chosen[1], "EP1 191 Step 2", who))


def defenses(combat: Combat, now: Attack) -> dict[str, tuple[int, str]]:
    """Returns the possible defenses: value and derivation by name.

    Source: EP1 191 Step 2, 198 Full Defense
    """
    found = dict(DEFENSES[now.kind.defense](combat, now))
    if now.kind.parry:
        mine = sheet(combat, now.at).skills
        found |= {name: (mine[name], name) for name, row in SKILLS.items() if row.melee and name in mine}
    return found


def _whole_fray(combat: Combat, now: Attack) -> Iterator[tuple[str, tuple[int, str]]]:
    for name in dodges(combat, now.at):
        known = skill(sheet(combat, now.at), name)
        if known is not None:
            yield name, known


def _half_fray(combat: Combat, now: Attack) -> Iterator[tuple[str, tuple[int, str]]]:
    halve = HALVES[profile(combat).fray_rounding]
    for name, (value, why) in _whole_fray(combat, now):
        yield name, (halve(value), f"{why}, divided by 2")


def _will(combat: Combat, now: Attack) -> Iterator[tuple[str, tuple[int, str]]]:
    wil = aptitude(combat, now.at, "wil")
    yield "will", (wil * 2, f"WIL {wil} x 2")


HALVES: Mapping[str, Callable[[int], int]] = {
    "down": lambda value: value // 2,
    "half_up": lambda value: -(-value // 2),
}
"""Half of a skill, by the value of the profile's field."""

DEFENSES: Mapping[str, Callable[[Combat, Attack], Iterator[tuple[str, tuple[int, str]]]]] = {
    "fray": _whole_fray,
    "half_fray": _half_fray,
    "will": _will,
}
"""Defense skills, by the column of the table of attack kinds."""
