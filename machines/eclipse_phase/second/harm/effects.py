"""Effects of weapons beside damage: the checks of those hit, in turn."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from ledger.events import ConditionGained, Event, ModifierApplied, RollRequested
from ledger.key import moment_of
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import emit, modified
from machines.eclipse_phase.family.attacks import spoiled
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE
from machines.eclipse_phase.family.edition import DV
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.figure_names import HARDER, SNATCHED
from machines.eclipse_phase.second.sheet.sheet_access import armor, at_hand, check, sheet, size, traits
from machines.eclipse_phase.second.success_tests.roles import BLINDING, SHOCK, STUN
from machines.eclipse_phase.second.success_tests.success import prepare, read
from projections.combat import Combat

EFFECT = FigureName("effect", str)
_EFFECT = FigureNames("effect: ", str)
CALLS_FOR = FigureNames("calls for ", str)
"""Figures of an attack: the effect that is dealt with, each that was, and those that a called shot adds."""

_TRAITS = "EP2 12/12 Weapon/Gear Traits"
_SHOCK = "EP2 12/15 Shock Attacks"
_CALLED = "EP2 12/15 Called Shots"
MINUTE = 20
"""Action Turns in a minute (EP2 03/03 Action Turns)."""
GRIP, FOOTING = "grip", "footing"
"""Checks of a target who is to be disarmed, or is pushed into danger."""

Events = Iterator[Event]


class Effect(msgspec.Struct, frozen=True):
    """An effect: its check, the check's modifiers, and what follows."""

    aptitude: str
    """Aptitude of the check; empty for no check."""
    purpose: str
    source: str
    modifiers: Callable[[Combat, Attack, str], Events]
    failed: Callable[[Combat, Attack, str], Events]
    passed: Callable[[Combat, Attack, str], Events]


def _nothing(_: Combat, __: Attack, ___: str) -> Events:
    yield from ()


def _gains(combat: Combat, now: Attack, condition: str, turns: int, why: str, level: int | None = None) -> Events:  # noqa: PLR0917
    """Yields a condition for some Action Turns, unless it already lasts longer.

    Source: EP2 12/12 Weapon/Gear Traits, 12/15 Shock Attacks; Ruling: EP2-N27
    """
    until = combat.clock.ahead(turns)
    has = combat.conditions.of(now.at).get(condition)
    old, new = moment_of(has.until) if has else (0, 0), moment_of(until)
    if old is not None and new is not None and new >= old:
        yield ConditionGained(now.at, condition, level, until, now.key, why, _TRAITS)


def _prone(now: Attack, why: str) -> Event:
    return ConditionGained(now.at, "prone", None, "standing up", now.key, why, _TRAITS)


def _worse(combat: Combat, key: str) -> int:
    """Returns the superior failures of a check."""
    return max(0, -combat.rolls[key].margin)


# ------------------------------------------------------------------------------------------------ each effect


def _against_shock(combat: Combat, now: Attack, key: str) -> Events:
    yield from modified(key, armor(combat, now.at, "energy"), "energy armor", _SHOCK)
    yield from modified(key, size(combat, now.at).shock, f"{size(combat, now.at).name} size", _SHOCK)
    yield from modified(key, sum(trait.shock for trait in traits(combat, now.at)), "shock-proof", _SHOCK)


def _shocked(combat: Combat, now: Attack, key: str) -> Events:
    """Yields a failed shock check: prone, incapacitated for a turn and two for each superior failure, then stunned.

    Source: EP2 12/15 Shock Attacks
    """
    turns = 1 + 2 * _worse(combat, key)
    yield _prone(now, "shock")
    yield from _gains(combat, now, "incapacitated", turns, f"shock, {turns} Action Turns")
    yield from _gains(combat, now, "stunned", 3 * MINUTE, "shock, 3 minutes")


def _shaken(combat: Combat, now: Attack, _: str) -> Events:
    yield from _gains(combat, now, "stunned", 3, "shock resisted")


def _against_stun(combat: Combat, now: Attack, key: str) -> Events:
    yield from modified(key, armor(combat, now.at, "kinetic"), "kinetic armor", _TRAITS)
    yield from modified(key, size(combat, now.at).stun, f"{size(combat, now.at).name} size", _TRAITS)


def _stunned(combat: Combat, now: Attack, key: str) -> Events:
    """Yields stunning: a turn and one for each superior failure; after a critical failure, out for one, then a minute.

    Source: EP2 12/12 Stun
    """
    critical = combat.rolls[key].outcome == CRITICAL_FAILURE
    if critical:
        yield from _gains(combat, now, "incapacitated", 1, "stunned critically")
    yield from _gains(combat, now, "stunned", MINUTE if critical else 1 + _worse(combat, key), "stunned")


def _against_pain(combat: Combat, now: Attack, key: str) -> Events:
    yield from modified(key, _tolerance(combat, now.at), "pain tolerance", _TRAITS)


def _tolerance(combat: Combat, who: str) -> int:
    return sum(trait.pain for trait in traits(combat, who))


def _hurts(combat: Combat, now: Attack, _: str) -> Events:
    """Yields -20 until the end of the next turn, -10 with pain tolerance.

    Source: EP2 12/12 Pain
    """
    level = -10 if _tolerance(combat, now.at) > 0 else -20
    yield from _gains(combat, now, "impaired", 2, "pain", level)


def _flees(combat: Combat, now: Attack, key: str) -> Events:
    yield from _hurts(combat, now, key)
    yield ConditionGained(now.at, "hurting", None, "the end of their next moment", now.key, "must flee", _TRAITS)


def _blinded(combat: Combat, now: Attack, key: str) -> Events:
    """Yields blindness: a turn and one for each superior failure; after a critical failure, until healed.

    Source: EP2 12/12 Blinding
    """
    if combat.rolls[key].outcome == CRITICAL_FAILURE:
        yield ConditionGained(now.at, "blinded", None, "healed or repaired", now.key, "blinded critically", _TRAITS)
    else:
        yield from _gains(combat, now, "blinded", 1 + _worse(combat, key), "blinded")


def _against_foam(combat: Combat, now: Attack, key: str) -> Events:
    yield from modified(key, -10 * max(0, combat.rolls[now.hit].margin), "superior successes of the attack", _TRAITS)


def _entangled(combat: Combat, now: Attack, _: str) -> Events:
    harder = 10 * max(0, combat.rolls[now.hit].margin) - sum(trait.bonds for trait in now.traits)
    yield ConditionGained(now.at, "entangled", harder, "breaking free", now.key, "entangled", _TRAITS)


def _knocked_down(_: Combat, now: Attack, __: str) -> Events:
    yield _prone(now, "knocked down")


def _short_circuit(combat: Combat, now: Attack, _: str) -> Events:
    """Yields a short circuit: prone, incapacitated for a turn and two for each superior success, then stunned.

    Source: EP2 14/06 Short Circuit
    """
    turns = 1 + 2 * max(0, combat.rolls[now.hit].margin)
    yield _prone(now, "short circuit")
    yield from _gains(combat, now, "incapacitated", turns, f"short circuit, {turns} Action Turns")
    yield from _gains(combat, now, "stunned", 3 * MINUTE, "short circuit")


def _catches_fire(combat: Combat, now: Attack, _: str) -> Events:
    """Yields fire after a superior success of the attack.

    Source: EP2 12/06 Plasma Rifle, Torch
    """
    if combat.rolls[now.hit].margin > 0:
        source = "EP2 12/06 Spray Weapons"
        yield ConditionGained(now.at, "on_fire", None, "extinguished", now.key, "set on fire", source)


def _harder_grip(combat: Combat, now: Attack, key: str) -> Events:
    harder = 2 if HARDER.is_at(combat, now.place) else 1
    yield ModifierApplied(key, -30 * harder, "as it was called", _CALLED)


def _loses_grip(combat: Combat, now: Attack, _: str) -> Events:
    """Yields the loss of the weapon, which flies away or is snatched.

    Source: EP2 12/15 Disarm; Ruling: EP2-N12
    """
    held = now.terms.spot or next(iter(at_hand(combat, now.at)), "weapon")
    snatched = SNATCHED.is_at(combat, now.place)
    why = f"snatched by {now.by}" if snatched else "knocked away, 1d10 m"
    yield ConditionGained(now.at, spoiled(held, "dropped"), None, "picked up", now.key, why, _CALLED)


def _goes_over(_: Combat, now: Attack, __: str) -> Events:
    yield ConditionGained(now.at, "over_the_edge", None, "the gamemaster says", now.key, "pushed", _CALLED)


def _hangs_on(_: Combat, now: Attack, __: str) -> Events:
    yield ConditionGained(now.at, "hanging_on", None, "the gamemaster says", now.key, "caught themselves", _CALLED)


# fmt: off
EFFECTS: Mapping[str, Effect] = {
    SHOCK:           Effect("som", "resist the shock", _SHOCK, _against_shock, _shocked, _shaken),
    STUN:            Effect("som", "resist being stunned", _TRAITS, _against_stun, _stunned, _nothing),
    "pain":          Effect("wil", "bear the pain", _TRAITS, _against_pain, _flees, _hurts),
    BLINDING:        Effect("ref", "shield their eyes", _TRAITS, _nothing, _blinded, _nothing),
    "entangling":    Effect("ref", "get clear", _TRAITS, _against_foam, _entangled, _nothing),
    "knockdown":     Effect("som", "keep their feet", _TRAITS, _nothing, _knocked_down, _nothing),
    "short_circuit": Effect("", "", "EP2 14/06 Short Circuit", _nothing, _nothing, _short_circuit),
    "fire":          Effect("", "", "EP2 12/06 Spray Weapons", _nothing, _nothing, _catches_fire),
    GRIP:            Effect("som", "keep hold of the weapon", _CALLED, _harder_grip, _loses_grip, _nothing),
    FOOTING:         Effect("ref", "catch themselves", _CALLED, _harder_grip, _goes_over, _hangs_on),
}
# fmt: on
"""Effects by the column of the weapon traits, and checks of called shots."""


# ------------------------------------------------------------------------------------------------ boxes


def due(combat: Combat, now: Attack) -> tuple[str, ...]:
    """Returns the effects that the target has still to resolve.

    Source: EP2 12/01 Step 6, 12/12 Weapon/Gear Traits
    """
    called = tuple(name for name in (GRIP, FOOTING) if CALLS_FOR[name].is_at(combat, now.place))
    strikes = now.traits if DV.is_at(combat, now.role("damage")) and _is_inside(now) else ()
    names = (*(trait.effect for trait in strikes if trait.effect and _touches(combat, now, trait.name)), *called)
    return tuple(name for name in dict.fromkeys(names) if not _EFFECT[name].is_at(combat, now.place))


def _is_inside(now: Attack) -> bool:
    """Returns whether the target is within the radius of a blast's effects."""
    radius = now.weapon.radius if now.terms.radius is None else now.terms.radius
    within = now.weapon.within or (radius if now.weapon.area == "uniform" else None)
    return within is None or now.meters <= within


def _touches(combat: Combat, now: Attack, name: str) -> bool:
    """Returns whether a trait affects this target: some affect only flesh, and ware may make immune."""
    trait = next(each for each in now.traits if each.name == name)
    machine, row = sheet(combat, now.at).synthetic, now.ammunition
    only_flesh = trait.flesh or (row is not None and row.only_flesh and name in row.traits)
    immune = any(trait.effect in each.immune for each in traits(combat, now.at))
    return not (only_flesh and machine) and not immune and not combat.roster[now.at].thing


def was_checked(combat: Combat, place: str, name: str) -> bool:
    """Returns whether an effect was resolved under a key prefix.

    Source: EP2 12/12 Weapon/Gear Traits
    """
    return _EFFECT[name].is_at(combat, place)


def next_effect(combat: Combat) -> Deed:
    """Begins the next effect: a check, a certain consequence, or none."""
    now = attack(combat)
    names = due(combat, now)
    if not names or combat.conditions.has(now.at, "dead"):
        return "over"
    name = names[0]
    combat = yield _EFFECT[name].found(now.place, name, "", EFFECTS[name].source, who=now.at)
    combat = yield EFFECT.found(now.place, name, "", EFFECTS[name].source, who=now.at)
    if not EFFECTS[name].aptitude:
        return "certain"
    key = now.role(name)
    modifiers = tuple(EFFECTS[name].modifiers(combat, now, key))
    yield from prepare(
        combat, key, now.at, check(combat, now.at, EFFECTS[name].aptitude), EFFECTS[name].source, modifiers
    )
    return "check"


def _current(combat: Combat, now: Attack) -> str:
    return EFFECT.at(combat, now.place)


def effect_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the check of the target."""
    now = attack(combat)
    name = _current(combat, now)
    yield d100_request(combat, now.role(name), now.at, EFFECTS[name].purpose)


def read_effect(combat: Combat) -> Deed:
    """Reads the target's check."""
    now = attack(combat)
    yield from read(combat, now.role(_current(combat, now)))
    return None


def take_effect(combat: Combat) -> Deed:
    """Applies the consequence of the check."""
    now = attack(combat)
    name = _current(combat, now)
    key, effect = now.role(name), EFFECTS[name]
    kept = not effect.aptitude or passed(combat, key)
    combat = yield from emit(combat, (effect.passed if kept else effect.failed)(combat, now, key))
    return None
